// Bundles the capture, readable and minified, the extension and the Playwright package: the same bytes from the same sources.

import {build} from 'esbuild';
import {mkdir, readFile, readdir, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

import {FOLDERS, extensionFiles} from './extension.mjs';
import {DIST, playwrightFiles} from './playwright.mjs';
import {MINIFIED, minifyMore} from './smaller.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const check = process.argv.includes('--check');

const version = /__version__ = "(.+)"/.exec(await readFile(join(root, 'src/gasoline/__init__.py'), 'utf8'))?.[1];
const banner = `/* gasoline-ci ${version} Apache-2.0 */`;

async function bundle(entry, minify) {
  const result = await build({
    entryPoints: [join(root, entry)],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    define: {VERSION: JSON.stringify(version)},
    absWorkingDir: root,
    ...(minify ? MINIFIED : {}),
  });
  const [{text}] = result.outputFiles;
  return `${banner}\n${minify ? await minifyMore(text) : text}`;
}

const outputs = new Map();
for (const [name, minify] of [['gasoline-ci.js', false], ['gasoline-ci.min.js', true]]) {
  const text = await bundle('packages/capture/src/script.ts', minify);
  outputs.set(`packages/gasoline-ci/${name}`, text);
  outputs.set(`src/gasoline/assets/${name}`, text);
}

for (const [path, content] of await extensionFiles(root, version)) outputs.set(path, content);
for (const [path, content] of await playwrightFiles(root)) outputs.set(path, content);

let stale = 0;
for (const [path, content] of outputs) {
  const target = join(root, path);
  const fresh = Buffer.from(content);
  if (!check) {
    await mkdir(dirname(target), {recursive: true});
    await writeFile(target, fresh);
    console.log(`${path}: ${fresh.length} bytes`);
  } else if (!fresh.equals(await readFile(target).catch(() => Buffer.of()))) {
    console.error(`${path} differs from a fresh build; run scripts/build and commit it`);
    stale++;
  }
}
for (const path of await leftovers()) {
  if (check) {
    console.error(`${path} is no longer built; run scripts/build and commit that`);
    stale++;
  } else await rm(join(root, path));
}
process.exit(stale > 0 ? 1 : 0);

async function leftovers() {
  const found = await Promise.all(
    [...FOLDERS, DIST].map(async folder => {
      const entries = await readdir(join(root, folder), {recursive: true, withFileTypes: true}).catch(() => []);
      return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1));
    }),
  );
  return found.flat().filter(path => !outputs.has(path));
}
