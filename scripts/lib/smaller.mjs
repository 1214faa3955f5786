// Every byte of what runs in a page is paid by every page: short names, and two minifiers in turn.

import {parse} from 'acorn';
import {minify} from 'terser';

// Names that only our code says to itself: none of them is on the wire or known to a browser.
const OWN_NAMES = [
  'isReferenced isInLabel isPart',
  'isOwn wantsSuccesses wantsMessages durationMs startedAt startedEpoch exchange',
  'actionLimit actionsEnabled finish settle sendLast ancestors atMs soFar greeting',
  'webSocketMessages transport memory vitals addLarge amend asked room expect leave aiContext enrich record',
  'anyName wholeName inJson inText inputTypes inputWords',
];

/** What esbuild is told for what is minified: short names for what is said often. */
export const MINIFIED = {
  minifySyntax: true,
  minifyWhitespace: true,
  mangleProps: new RegExp(`^(${OWN_NAMES.join(' ').replaceAll(' ', '|')})$`),
  inject: ['packages/capture/src/globals.ts'],
};

/** What esbuild leaves: terser knows more ways to say the same. Nothing of ours is called with `new` but classes. */
export async function minifyMore(text) {
  // A function inside another is read again when that one is first called: where each stood, they start sooner.
  const compress = {ecma: 2022, passes: 3, unsafe_arrows: true, inline: 0, reduce_funcs: false, keep_fargs: false};
  const options = {ecma: 2022, toplevel: true, parse: {spidermonkey: true}};
  const {code} = await minify(withArrows(parse(text, {ecmaVersion: 2022})), {...options, compress, mangle: false});
  const {code: short} = await minify(withOftenUsedFirst(withNamesOnce(parse(code, {ecmaVersion: 2022}))), {...options, compress: false});
  return `${short.replace(/(?<=\{)var [\w$,]+;/, '')}\n`;
}

/**
 * Functions said shortly. They go first, as declared ones do by themselves: until one is called its body does not
 * matter. Only plain numbers and words go before them, so that terser can put those where they are used.
 */
function withArrows(program) {
  const body = bodyOf(program);
  const single = body.body.flatMap(node => (node.type === 'VariableDeclaration' ? node.declarations.map(one => ({...node, kind: 'var', declarations: [one]})) : [node]));
  const [plain, others] = split(single, node => 'directive' in node || node.declarations?.[0].init?.type === 'Literal');
  const [functions, rest] = split(others, node => node.type === 'FunctionDeclaration' && !node.generator && !needsOwnThis(node.body));
  const arrows = functions.map(({id, async, params, body}) => declare([{type: 'VariableDeclarator', id, init: {type: 'ArrowFunctionExpression', async, params, body}}]));
  body.body = [...plain, ...arrows, ...rest];
  return program;
}

// Said in every event: these stay where the engine finds them soonest.
const HOT = new Set(['length', 'push', 'get', 'add', 'has', 'map', 'apply', 'keys']);

/** The name of a property that is read in many places, once: `element[localName]`. */
function withNamesOnce(program) {
  const body = bodyOf(program);
  const first = body.body.find(({type}) => type === 'VariableDeclaration');
  const reads = readsIn(body);
  for (const name of new Set(reads.map(({property}) => property.name))) {
    const places = reads.filter(({property}) => property.name === name);
    const saved = places.length * (name.length - 3) - (name.length + 5);
    if (saved < 2 || HOT.has(name)) continue;
    const id = {type: 'Identifier', name: `$${name}`};
    for (const place of places) Object.assign(place, {computed: true, property: id});
    first.declarations.unshift({type: 'VariableDeclarator', id, init: {type: 'Literal', value: name}});
  }
  return program;
}

function readsIn(node) {
  if (typeof node !== 'object' || node === null) return [];
  const inside = Object.values(node).flatMap(readsIn);
  return node.type === 'MemberExpression' && !node.computed && !node.optional && node.property.type === 'Identifier' ? [node, ...inside] : inside;
}

/** Terser gives the shortest names to what is declared first. */
function withOftenUsedFirst(program) {
  const body = bodyOf(program);
  const uses = countNames(body);
  const names = body.body.flatMap(node => (node.type === 'VariableDeclaration' ? node.declarations.flatMap(({id}) => namesIn(id)) : namesIn(node.id)));
  names.sort((one, other) => uses.get(other) - uses.get(one));
  body.body.unshift(declare(names.map(name => ({type: 'VariableDeclarator', id: {type: 'Identifier', name}, init: null}))));
  return program;
}

function bodyOf(program) {
  return program.body.find(({expression}) => expression?.type === 'CallExpression').expression.callee.body;
}

function declare(declarations) {
  return {type: 'VariableDeclaration', kind: 'var', declarations};
}

function namesIn(pattern) {
  if (pattern?.type === 'ObjectPattern') return pattern.properties.map(({value}) => value.name);
  return pattern ? [pattern.name] : [];
}

function countNames(node, uses = new Map()) {
  if (typeof node !== 'object' || node === null) return uses;
  if (node.type === 'Identifier') uses.set(node.name, (uses.get(node.name) ?? 0) + 1);
  Object.values(node).forEach(part => countNames(part, uses));
  return uses;
}

function split(nodes, isChosen) {
  return [nodes.filter(isChosen), nodes.filter(node => !isChosen(node))];
}

function needsOwnThis(node) {
  if (typeof node !== 'object' || node === null) return false;
  if (node.type === 'ThisExpression' || (node.type === 'Identifier' && node.name === 'arguments')) return true;
  return !/^Function|^ClassBody/.test(node.type) && Object.values(node).some(needsOwnThis);
}
