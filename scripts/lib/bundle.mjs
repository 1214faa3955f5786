// One script out of its modules: readable, or as short as a page deserves.

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
    // Engines begin to run a function sooner than an arrow, which takes fewer bytes. An arrow that is a field of a class
    // would lose its `this`: such fields are methods.
    ...(minify === 'quick' ? {supported: {arrow: false}} : {}),
    ...more,
    define: {VERSION: JSON.stringify(version), ...more.define},
  });
  Object.assign(names, result.mangleCache);
  for (const path of Object.keys(result.metafile.inputs)) modules.add(path);
  const [{text}] = result.outputFiles;
  return minify === 'short' ? minifyMore(text) : text;
}
