// Every byte of what runs in a page is paid by every page: short names, and two minifiers in turn.

import {parse} from 'acorn';
import {minify} from 'terser';

// Names that only our code says to itself: none of them is on the wire or known to a browser.
const OWN_NAMES = [
  'isReferenced isInLabel isPart pauseMs write undo isCut',
  'isOwn wantsSuccesses wantsMessages durationMs startedAt startedEpoch toldFromMs exchange waiting atOnce address list keep',
  'actionLimit actionsEnabled finish settle sendLast ancestors atMs soFar afterwards greeting',
  'webSocketMessages transport memory vitals addLarge amend asked room expect leave aiContext enrich record',
  'element see note emit api gate request lcp cls inp',
  'companion withCompanion leavesEarly captureActions captureDeadClicks captureDom capturePerformance enrichLater enrichNow',
  'newAction pointAt readSource scriptsOf selectorsOf takeSnapshot watchState writeScript',
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
  const compress = {ecma: 2022, passes: 3, unsafe_arrows: true, inline: 3, reduce_funcs: false, hoist_funs: true, keep_fargs: false};
  // One letter beyond ASCII would make each letter of the script take two bytes on its way into a page and in it.
  const options = {ecma: 2022, toplevel: true, parse: {spidermonkey: true}, format: {ascii_only: true}};
  const {code} = await minify(withArrows(parse(text, {ecmaVersion: 2022})), {...options, compress, mangle: false});
  const {code: short} = await minify(withOftenUsedFirst(withWordsOnce(parse(code, {ecmaVersion: 2022}))), {...options, compress: false});
  return `${withMethods(short.replace(/(?<=\{)var [\w$,]+;/, ''))}\n`;
}

/** For what must start soon: functions stay functions, but what is called in one place becomes part of that place. With its source map. */
export async function inlineMore(text) {
  const compress = {ecma: 2022, passes: 3, inline: 3, arrows: false, keep_fargs: false};
  return minify(text, {ecma: 2022, toplevel: true, compress, format: {ascii_only: true}, sourceMap: {content: 'inline'}});
}

/**
 * Functions that only return something, said shortly; engines read an arrow function fully at once and any other when it
 * is called. They go first, as declared ones do by themselves: until one is called its body does not matter. Only plain
 * numbers and words go before them, so that terser can put those where they are used.
 */
function withArrows(program) {
  const body = bodyOf(program);
  const single = body.body.flatMap(node => (node.type === 'VariableDeclaration' ? node.declarations.map(one => ({...node, kind: 'var', declarations: [one]})) : [node]));
  const [plain, others] = split(single, node => 'directive' in node || node.declarations?.[0].init?.type === 'Literal');
  const [functions, rest] = split(others, node => node.type === 'FunctionDeclaration' && onlyReturns(node) && !node.generator && !needsOwnThis(node.body));
  const arrows = functions.map(({id, async, params, body}) => declare([{type: 'VariableDeclarator', id, init: {type: 'ArrowFunctionExpression', async, params, body}}]));
  body.body = [...plain, ...arrows, ...rest];
  return program;
}

function needsOwnThis(node) {
  if (typeof node !== 'object' || node === null) return false;
  if (node.type === 'ThisExpression' || (node.type === 'Identifier' && node.name === 'arguments')) return true;
  return !/^Function|^ClassBody/.test(node.type) && Object.values(node).some(needsOwnThis);
}

function onlyReturns({body: {body}}) {
  return body.length === 1 && body[0].type === 'ReturnStatement';
}

/** The other functions as methods of one object that is taken apart at once: they need no `function` each. */
function withMethods(code) {
  const body = bodyOf(parse(code, {ecmaVersion: 2022}));
  const [functions, others] = split(body.body, ({type}) => type === 'FunctionDeclaration');
  const methods = functions.map(({async, generator, id, end}) => `${async ? 'async ' : ''}${generator ? '*' : ''}${code.slice(id.start, end)}`);
  const taken = `var{${functions.map(({id}) => id.name)}}={${methods}};`;
  return code.slice(0, body.start + 1) + taken + others.map(({start, end}) => code.slice(start, end)).join('') + code.slice(body.end - 1);
}

// Said in every event: these stay where the engine finds them soonest.
const HOT = new Set(['length', 'push', 'get', 'add', 'has', 'map', 'apply', 'keys']);
// What stands for something longer, after the minifier has shortened it: a name of two characters.
const SHORT = 2;

/** What is said in many places, once: properties that are read (`element[localName]`), texts, `null` and `void 0`. */
function withWordsOnce(program) {
  const body = bodyOf(program);
  const first = body.body.find(({type}) => type === 'VariableDeclaration');
  const places = placesIn(body, program);
  for (const word of new Set(places.map(place => place.word))) {
    const said = places.filter(place => place.word === word);
    if (savedBy(word, said) < 2) continue;
    const id = {type: 'Identifier', name: `$${first.declarations.length}`};
    for (const {replace} of said) replace(id);
    first.declarations.unshift({type: 'VariableDeclarator', id, init: word === undefined ? null : {type: 'Literal', value: word}});
  }
  return program;
}

function savedBy(word, said) {
  const saved = said.reduce((sum, {chars}) => sum + chars - SHORT, 0);
  return saved - SHORT - (word === undefined ? ',' : `=${JSON.stringify(word)},`).length;
}

/** Where a word is said in a way that a variable could say: how many characters each takes beyond the variable's. */
function placesIn(node, parent) {
  if (typeof node !== 'object' || node === null) return [];
  const inside = Object.values(node).flatMap(part => placesIn(part, Array.isArray(node) ? parent : node));
  const place = placeOf(node, parent);
  return place ? [place, ...inside] : inside;
}

function placeOf(node, parent) {
  const become = replacement => Object.assign(node, replacement);
  if (node.type === 'UnaryExpression' && node.operator === 'void' && node.argument.value === 0) return {word: undefined, chars: 'void 0'.length, replace: become};
  const isWord = node.type === 'Literal' && (typeof node.value === 'string' || node.raw === 'null');
  if (isWord && !isFixed(node, parent)) return {word: node.value, chars: JSON.stringify(node.value).length, replace: become};
  const isRead = node.type === 'MemberExpression' && !node.computed && !node.optional && node.property.type === 'Identifier';
  if (!isRead || HOT.has(node.property.name)) return null;
  return {word: node.property.name, chars: node.property.name.length - 1, replace: property => become({computed: true, property})};
}

/** Keys and directives are no expressions; what `typeof` is compared with is faster as it is. */
function isFixed(node, parent) {
  return 'directive' in parent || (parent.key === node && !parent.computed) || parent.left?.operator === 'typeof' || parent.right?.operator === 'typeof';
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
