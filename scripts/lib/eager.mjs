// Engines read a function twice, unless it stands in parentheses: first for where it ends, and again when it is called.
// What a page calls while it loads stands in them. More would be read before the page needs it.

import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';

import {parse} from 'acorn';

/** Which functions those are, by their shapes: written by scripts/profile, which asks a real page. */
export const PROFILE = new URL('./eager.json', import.meta.url);

/** The code with the functions of the profile in parentheses. */
export function withEager(code) {
  const shapes = new Set(JSON.parse(readFileSync(PROFILE, 'utf8')));
  return rewrite(code, functionsIn(code).filter(found => shapes.has(found.shape)));
}

/** Every function: where it begins and ends, as engines tell, and a shape that no renaming changes. */
export function functionsIn(code) {
  const program = parse(code, {ecmaVersion: 2022});
  const names = [];
  const found = [];
  visit(program, null, (node, parent) => {
    if (node.type === 'Identifier') names.push(node);
    if (/^(Arrow)?Function/.test(node.type)) found.push({node, parent, start: (isMethod(parent) ? parent : node).start, end: node.end});
  });
  names.sort((one, other) => one.start - other.start);
  return found.map(place => ({...place, shape: shapeOf(code, place, names)}));
}

function shapeOf(code, {start, end}, names) {
  let shape = '';
  let at = start;
  for (const name of names) {
    if (name.start < at || name.end > end) continue;
    shape += `${code.slice(at, name.start)}_`;
    at = name.end;
  }
  return createHash('sha256').update(shape + code.slice(at, end)).digest('hex').slice(0, 8);
}

function rewrite(code, chosen) {
  const edits = chosen.flatMap(place => editsOf(code, place)).sort((one, other) => one.at - other.at);
  let text = '';
  let at = 0;
  for (const edit of edits) {
    // One inside what an earlier one says anew.
    if (edit.at < at) continue;
    text += code.slice(at, edit.at) + edit.text;
    at = edit.at + edit.drop;
  }
  return text + code.slice(at);
}

function editsOf(code, {node, parent}) {
  const close = {at: node.end, drop: 0, text: ')'};
  if (node.type === 'ArrowFunctionExpression') return [{at: node.start, drop: 0, text: '('}, close];
  if (!isMethod(parent) || node.generator || needsOwnThis(node.body)) return [];
  // A method is an arrow function that says `name(` instead of `name:(`.
  const [only] = node.params.length === 1 && node.params[0].type === 'Identifier' ? node.params : [];
  const params = only ? `${node.async ? ' ' : ''}${only.name}` : code.slice(node.start, node.body.start);
  const head = `${code.slice(parent.key.start, parent.key.end)}:(${node.async ? 'async' : ''}${params}=>`;
  return [{at: parent.start, drop: node.body.start - parent.start, text: head}, close];
}

function isMethod(parent) {
  return parent?.type === 'Property' && parent.method;
}

export function needsOwnThis(node) {
  if (typeof node !== 'object' || node === null) return false;
  if (node.type === 'ThisExpression' || (node.type === 'Identifier' && node.name === 'arguments')) return true;
  return !/^Function|^ClassBody/.test(node.type) && Object.values(node).some(needsOwnThis);
}

function visit(node, parent, see) {
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) return node.forEach(part => visit(part, parent, see));
  if (typeof node.type === 'string') see(node, parent);
  Object.values(node).forEach(part => visit(part, node, see));
}
