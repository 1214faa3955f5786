// Every byte of what runs in a page is paid by every page: a smaller library, short names, and two minifiers in turn.

import {parse} from 'acorn';
import {readFile} from 'node:fs/promises';
import {minify} from 'terser';

// dom-accessibility-api carries stand-ins for what every browser we meet has, and options of which we use none:
// without them it is a third smaller. A pattern that no longer fits stops the build.
// Lists of roles as patterns, which are shorter.
const ROLE_LISTS = [/(?<=hasAnyConcreteRoles\(\w+, )\[(.*?)\]/g, (_, roles) => `/^(${roles.replace(/", "/g, '|').replaceAll('"', '')})$/`];

const LIBRARY_CUTS = {
  'is-disabled.mjs': [[/^[^]*$/, 'export function isDisabled() {}']],
  'polyfills/SetLike.mjs': [[/^[^]*$/, 'export default Set']],
  'polyfills/array.from.mjs': [[/^[^]*$/, 'export default Array.from']],
  'util.mjs': [
    [/node !== null && node\.nodeType === node\.ELEMENT_NODE/, 'node.nodeType === 1'],
    [/getLocalName\(node\)/g, 'node.localName'],
    // Only elements have these.
    [/isElement\(node\) && (?=node\.(localName|ownerSVGElement))/g, ''],
    [/node\.getRootNode \? (node\.getRootNode\(\)) : node\.ownerDocument/, '$1'],
    [/isElement\(node\) && (?=node\.hasAttribute)/, 'node.hasAttribute && '],
    [/roles\.indexOf\(getRole\(node\)\) !== -1/, 'roles.test(getRole(node))'],
    [/\["presentation", "none"\]/, '/^(presentation|none)$/'],
  ],
  'getRole.mjs': [
    [/var _element\$localName;\n  return [^]*?toLowerCase\(\)\n  \);/, 'return element.localName;'],
    // No element has one of these roles without being given it, and only roles that are not given are looked up.
    [/var prohibitedAttributes = {[^]*?\n};\n/, ''],
    [/    var _prohibitedAttributes;\n/, ''],
    [/ && !\(\(_prohibitedAttributes = .*?\)(?=;\n)/, ''],
    // Any of them stands for those that are global: one that is not makes no sense on what has no role.
    [/\["aria-atomic"[^]*?\]\.some\(function \(attributeName\) {\n    return element\.hasAttribute\(attributeName\);/, 'element.getAttributeNames().some(function (name) {\n    return name.startsWith("aria-");'],
    [/presentationRoles\.indexOf\(explicitRole\) !== -1/, 'presentationRoles.test(explicitRole)'],
    [/presentationRoles\.indexOf\(explicitRole \|\| ""\) === -1/, '!presentationRoles.test(explicitRole)'],
  ],
  'accessible-name.mjs': [[/  var options = .*?;\n/, ''], [/\(root, options\)/, '(root)'], ROLE_LISTS],
  'accessible-name-and-description.mjs': [
    ROLE_LISTS,
    [/  var options = [^]*?hidden = .*?;\n/, '  var consultedNodes = new Set();\n  var computedStyles = new Map();\n'],
    [/    if \(pseudoElement !== undefined\) {[^]*?\n    }\n/, ''],
    [/    if \(computedStyles === undefined\) {[^]*?\n    }\n/, ''],
    [/uncachedGetComputedStyle\(el, pseudoElement\)/, 'window.getComputedStyle(el)'],
    [/isElement\(node\) && computedStyleSupportsPseudoElements/g, 'false'],
    [/compute === "name"/g, 'true'],
    [/compute === "description"/g, 'false'],
    [/!hidden && /g, ''],
    // Names are asked of what a user can act on: no group of options, and no list that owns elements elsewhere.
    [/ else if \(isHTMLOptGroupElement\(node\)\) {[^]*?\n    }(?=\n)/, ''],
    [/querySelectorAllSubtree\(listbox, (.*?)\)(?=;)/g, 'listbox.querySelectorAll($1)'],
    [/(?<=function getLabels\(element\) {\n)[^]*?(?=\n}\n)/, '  return ArrayFrom(element.labels || []);'],
    [/labels !== null && labels\.length !== 0/, 'labels.length !== 0'],
    [/ArrayFrom\(labels\)\.map/, 'labels.map'],
    [/var (\w+) = ArrayFrom\(node\.childNodes\);\n\s+for \(var (\w+) = 0; \2 < \1\.length; \2 \+= 1\) {\n\s+var (\w+) = \1\[\2\];/g, 'for (var $3 of node.childNodes) {'],
    [/(?<!\w)isHTML(\w+)Element\((\w+)\)/g, (_, name, node) => `${node}.localName === "${name.replace('TableCaption', 'Caption').toLowerCase()}"`],
    [/isSVGSVGElement\(node\)/, 'node.localName === "svg"'],
    [/"".concat\(separator\).concat\(result\).concat\(separator\)/, 'separator + result + separator'],
    [/current\.TEXT_NODE/, '3'],
    [/listbox\.selectedOptions \|\| .*?(?=;)/, 'listbox.selectedOptions'],
    [/switch \(role\) {\n    case "range":\n([^]*?;)\n    default:[^]*?\n  }\n/, '$1\n'],
  ],
};

// Names that only the library's code and ours say to themselves: none of them is on the wire or known to a browser.
const OWN_NAMES = [
  'isEmbeddedInLabel isReferenced recursion',
  'isOwn wantsSuccesses wantsMessages durationMs startedAt startedEpoch exchange',
  'actionLimit actionsEnabled finish settle sendLast ancestors atMs',
  'webSocketMessages transport memory vitals addLarge amend recent room expect leave aiContext enrich record',
  'anyName wholeName inJson inText inputTypes inputWords',
];

const smallerLibrary = {
  name: 'smaller-library',
  setup(builder) {
    builder.onLoad({filter: /dom-accessibility-api.dist.*\.mjs$/}, async ({path}) => {
      let contents = await readFile(path, 'utf8');
      for (const [pattern, replacement] of LIBRARY_CUTS[path.replaceAll('\\', '/').split('/dist/')[1]] ?? []) {
        if (contents.search(pattern) < 0) throw new Error(`${path} no longer matches ${pattern}: adapt LIBRARY_CUTS to its new version`);
        contents = contents.replace(pattern, replacement);
      }
      return {contents};
    });
  },
};

/** What esbuild is told for anything that goes into a page. */
export const SMALLER = {plugins: [smallerLibrary]};

/** And for what is minified: short names for what is said often. */
export const MINIFIED = {
  minify: true,
  mangleProps: new RegExp(`^(${OWN_NAMES.join(' ').replaceAll(' ', '|')})$`),
  inject: ['packages/capture/src/globals.ts'],
};

/** What esbuild leaves: terser knows more ways to say the same. Nothing of ours is called with `new` but classes. */
export async function minifyMore(text) {
  const options = {ecma: 2022, toplevel: true, compress: {passes: 3, unsafe_arrows: true}, parse: {spidermonkey: true}};
  const {code} = await minify(withArrows(parse(text, {ecmaVersion: 2022})), options);
  return `${code}\n`;
}

/**
 * Functions said shortly. They go first, as declared ones do by themselves: until one is called its body does not
 * matter. Only plain numbers and words go before them, so that terser can put those where they are used.
 */
function withArrows(program) {
  const {body} = program.body.find(({expression}) => expression?.type === 'CallExpression').expression.callee;
  const single = body.body.flatMap(node => (node.type === 'VariableDeclaration' ? node.declarations.map(one => ({...node, declarations: [one]})) : [node]));
  const [plain, others] = split(single, node => 'directive' in node || node.declarations?.[0].init?.type === 'Literal');
  const [functions, rest] = split(others, node => node.type === 'FunctionDeclaration' && !node.generator && !needsOwnThis(node.body));
  const arrows = functions.map(({id, async, params, body}) => ({
    type: 'VariableDeclaration',
    kind: 'let',
    declarations: [{type: 'VariableDeclarator', id, init: {type: 'ArrowFunctionExpression', async, params, body}}],
  }));
  body.body = [...plain, ...arrows, ...rest];
  return program;
}

function split(nodes, isChosen) {
  return [nodes.filter(isChosen), nodes.filter(node => !isChosen(node))];
}

function needsOwnThis(node) {
  if (typeof node !== 'object' || node === null) return false;
  if (node.type === 'ThisExpression' || (node.type === 'Identifier' && node.name === 'arguments')) return true;
  return !/^Function|^ClassBody/.test(node.type) && Object.values(node).some(needsOwnThis);
}
