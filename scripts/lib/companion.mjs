// The part of the extension's capture that pages get later, as a function of what both parts have in common.

import {readFile} from 'node:fs/promises';
import {join} from 'node:path';

import {bundle} from './bundle.mjs';

const GLOBALS = 'globals';

/** The companion of a page's script, which was bundled from `modules` with `names`. */
export async function bundleCompanion(root, version, {names, modules}) {
  const sources = await readShared(root);
  const globals = Object.fromEntries(sources.get(GLOBALS).map(name => [name, `SHARED.${name}`]));
  const own = new Set();
  const text = await bundle(root, 'packages/extension/src/companion.ts', {
    version,
    minify: 'quick',
    names,
    modules: own,
    more: {inject: [], define: globals, plugins: [sharing(sources)]},
  });
  const twice = [...own].filter(path => modules.has(path));
  if (twice.length > 0) throw new Error(`In the page's script and in its companion: ${twice}. Name what they share in packages/extension/src/shared.ts.`);
  // What was there before the page's first script takes this; no function of the page's is asked.
  return `window.__gasoline=function(SHARED){${text.trim()}}\n`;
}

/** What shared.ts names, by module. */
async function readShared(root) {
  const text = await readFile(join(root, 'packages/extension/src/shared.ts'), 'utf8');
  const imports = [...text.matchAll(/^import \{(.+)\} from '.*\/(\w+)';/gm)];
  return new Map(imports.map(([, names, module]) => [module, names.split(',').map(name => name.trim())]));
}

/** Takes the shared modules from the script that is there. */
function sharing(sources) {
  return {
    name: 'sharing',
    setup({onResolve, onLoad}) {
      onResolve({filter: /\/\w+$/}, ({path, kind}) => {
        const module = path.slice(path.lastIndexOf('/') + 1);
        if (kind === 'import-statement' && sources.has(module)) return {path: module, namespace: 'shared'};
      });
      onLoad({filter: /.*/, namespace: 'shared'}, ({path}) => ({contents: `export const {${sources.get(path)}} = SHARED;`}));
    },
  };
}
