// One script out of its modules: readable, or as short and quick to start as a page deserves.

import {build} from 'esbuild';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';

import {withEager} from './eager.mjs';
import {MINIFIED, minifyMore} from './smaller.mjs';

export async function readVersion(root) {
  return /__version__ = "(.+)"/.exec(await readFile(join(root, 'src/gasoline/__init__.py'), 'utf8'))?.[1];
}

/** The script that begins with a module, for a page or a worker. */
export async function bundle(root, entry, {version, minify, format = 'iife', eager = true}) {
  const result = await build({
    entryPoints: [join(root, entry)],
    bundle: true,
    write: false,
    format,
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    define: {VERSION: JSON.stringify(version)},
    absWorkingDir: root,
    ...(minify ? MINIFIED : {}),
  });
  const [{text}] = result.outputFiles;
  if (!minify) return text;
  const short = await minifyMore(text);
  return eager ? withEager(short) : short;
}
