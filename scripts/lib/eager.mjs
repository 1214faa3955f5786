// An engine reads a function twice: in passing when it meets it, and again when it is first called. One in parentheses it
// reads once, for good. A test's page runs half of the capture within half a second, and each test has a page of its own.

import {parse} from 'acorn';
import {SourceMap} from 'node:module';

/** The same code, with the functions of all modules but some in parentheses. */
export function readAtOnce({code, map}, isRare) {
  const sources = new SourceMap(JSON.parse(map));
  const isWanted = ({loc}) => !isRare(sources.findEntry(loc.start.line - 1, loc.start.column).originalSource ?? '');
  const program = parse(code, {ecmaVersion: 2022, locations: true});
  return write(program, {code, isWanted});
}

/** A node's text. Declared functions that are wanted become variables at the head of the function they stand in. */
function write(node, context) {
  const {code, isWanted} = context;
  const functions = functionsIn(node).map(({inner, canBeWrapped}) => {
    const text = write(inner, context);
    const isWrapped = canBeWrapped && isWanted(inner);
    const isMoved = isWrapped && inner.type === 'FunctionDeclaration';
    return {...inner, text: isWrapped ? `(${text})` : text, isMoved};
  });
  const head = functions.filter(({isMoved}) => isMoved).map(({id, text}) => `var ${id.name}=${text};`);
  const headAt = headOf(node);
  let written = '';
  let at = node.start;
  const copyTo = end => {
    written += code.slice(at, end);
    at = end;
  };
  // Parameters may hold functions too, and come before the head.
  for (const part of [...functions, {start: headAt, end: headAt, text: head.join('')}].sort((one, other) => one.start - other.start || one.end - other.end)) {
    copyTo(part.start);
    written += part.isMoved ? '' : part.text;
    at = part.end;
  }
  copyTo(node.end);
  return written;
}

/** Where the first statement may stand: behind what says how to read the others. */
function headOf({type, start, body}) {
  const statements = type === 'Program' ? body : (body.body ?? []);
  return statements.findLast(({directive}) => directive)?.end ?? (type === 'Program' ? start : body.start + 1);
}

/** The functions right in a node, not those inside of these. Methods and what stands in a block cannot be wrapped, or moved. */
function functionsIn(node) {
  const found = [];
  const look = (part, parent) => {
    if (typeof part !== 'object' || part === null) return;
    if (part !== node && /Function/.test(part.type)) found.push({inner: part, canBeWrapped: canBeWrapped(part, parent, node)});
    else for (const [name, value] of Object.entries(part)) if (name !== 'loc') look(value, Array.isArray(part) ? parent : part);
  };
  look(node, null);
  return found.sort((one, other) => one.inner.start - other.inner.start);
}

function canBeWrapped({type}, parent, owner) {
  if (type === 'FunctionDeclaration') return parent === owner || parent === owner.body;
  return parent.type !== 'MethodDefinition' && !(parent.type === 'Property' && (parent.method || parent.kind !== 'init'));
}
