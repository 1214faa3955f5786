// Asks a real page which functions of the capture it runs, for scripts/lib/eager.json. What is not in there works as well,
// only a little later: it is worth a run after larger changes.

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

import {chromium} from '@playwright/test';

import {bundle, readVersion} from './bundle.mjs';
import {PROFILE, functionsIn} from './eager.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const script = await bundle(root, 'packages/capture/src/script.ts', {version: await readVersion(root), minify: true, eager: false});

const shop = spawn(process.env.PYTHON, [join(root, 'examples/shop/server.py'), '--port', '0'], {stdio: ['ignore', 'pipe', 'inherit']});
try {
  const run = await visit(await addressOf(shop));
  const functions = functionsIn(script);
  const shapes = [...new Set(functions.filter(({start}) => run.has(start)).map(({shape}) => shape))].sort();
  await writeFile(PROFILE, `${JSON.stringify(shapes, null, 1)}\n`);
  console.log(`${shapes.length} of ${functions.length} functions run while a page loads; now run scripts/build`);
} finally {
  shop.kill();
}

// Not by going through what it says: ending that would close its output, and the shop ends when it cannot speak.
async function addressOf(server) {
  const [said] = await once(server.stdout, 'data');
  return /http\S+/.exec(String(said))[0];
}

/** Where the functions begin that a page runs until it is loaded: more would keep it from its own scripts. */
async function visit(address) {
  const browser = await chromium.launch({executablePath: process.env.GASOLINE_BROWSER});
  try {
    return await functionsRun(await browser.newContext(), address);
  } finally {
    await browser.close();
  }
}

async function functionsRun(context, address) {
  await context.exposeBinding('__gasolineSend', () => undefined);
  await context.addInitScript({content: script});
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Debugger.enable');
  await session.send('Profiler.enable');
  await session.send('Profiler.startPreciseCoverage', {callCount: true, detailed: false});
  await page.goto(`${address}/products/101`);
  const {result} = await session.send('Profiler.takePreciseCoverage');
  const run = new Set();
  for (const {scriptId, functions} of result) {
    const {scriptSource} = await session.send('Debugger.getScriptSource', {scriptId});
    const offset = scriptSource.indexOf(script);
    if (offset === -1) continue;
    for (const {ranges: [whole]} of functions) if (whole.count > 0) run.add(whole.startOffset - offset);
  }
  return run;
}
