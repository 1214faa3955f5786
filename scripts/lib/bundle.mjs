// One script out of its modules: readable, or as short as a page deserves.

import {parse} from 'acorn';
import {build} from 'esbuild';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';

import {MINIFIED, minifyMore} from './smaller.mjs';

export async function readVersion(root) {
  return /__version__ = "(.+)"/.exec(await readFile(join(root, 'src/gasoline/__init__.py'), 'utf8'))?.[1];
}

/**
 * The script that begins with a module, for a page or a worker: to be read, or quick to start, or as short as can be,
 * which engines are slower to start. Scripts that talk to each other are given the same short names.
 */
export async function bundle(root, entry, {version, minify = '', format = 'iife', names = {}, modules = new Set(), more = {}}) {
  const result = await build({
    entryPoints: [join(root, entry)],
    bundle: true,
    write: false,
    metafile: true,
    format,
    target: 'es2022',
    // One letter beyond ASCII would make each letter of a script take two bytes on its way into a page and in it.
    charset: minify ? 'ascii' : 'utf8',
    legalComments: 'none',
    absWorkingDir: root,
    ...(minify ? {...MINIFIED, minifyIdentifiers: minify === 'quick', mangleCache: names} : {}),
    // Engines begin to run a function sooner than an arrow, which takes fewer bytes.
    ...(minify === 'quick' ? {supported: {arrow: false}} : {}),
    ...more,
    define: {VERSION: JSON.stringify(version), ...more.define},
  });
  Object.assign(names, result.mangleCache);
  for (const path of Object.keys(result.metafile.inputs)) modules.add(path);
  const [{text}] = result.outputFiles;
  // Where esbuild makes a function of such an arrow, it loses its `this`.
  if (minify === 'quick' && hasFunctionField(parse(text, {ecmaVersion: 2022, sourceType: 'module'}))) throw new Error(`${entry}: a field of a class is a function. Write it as a method.`);
  return minify === 'short' ? minifyMore(text) : text;
}

function hasFunctionField(node) {
  if (typeof node !== 'object' || node === null) return false;
  if (node.type === 'PropertyDefinition' && node.value?.type === 'FunctionExpression') return true;
  return Object.values(node).some(hasFunctionField);
}
