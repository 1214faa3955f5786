// Bundles the capture, readable and minified, the extension and the Playwright package: the same bytes from the same sources.

import {mkdir, readFile, readdir, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

import {bundle, readVersion} from './bundle.mjs';
import {readAtOnce} from './eager.mjs';
import {FOLDERS, extensionFiles} from './extension.mjs';
import {DIST, playwrightFiles} from './playwright.mjs';
import {inlineMore} from './smaller.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const check = process.argv.includes('--check');

const version = await readVersion(root);
const banner = `/* gasoline-ci ${version} Apache-2.0 */`;

// What most pages never run: it is read when it is needed.
const RARE = /\/(components|enrichment|errorEntry|errors|eventsource|dialogs|pageApi|playwright|sources|state|xhr)\.ts$/;
const isRare = source => RARE.test(source);

const outputs = new Map();
// What drivers put into pages comes from this machine: it need not be short, and every test waits for it to start.
for (const [name, minify] of [['gasoline-ci.js', ''], ['gasoline-ci.min.js', 'short'], ['gasoline-ci.driver.js', 'quick']]) {
  const isQuick = minify === 'quick';
  const bundled = await bundle(root, 'packages/capture/src/script.ts', {version, minify, more: isQuick ? {sourcemap: 'inline', sourcesContent: false} : {}});
  const text = `${banner}\n${isQuick ? `${readAtOnce(await inlineMore(bundled), isRare)}\n` : bundled}`;
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
