// Every way in which a test gets a page, and every way in which it ends.
import {mkdtempSync} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import type {Page} from '@playwright/test';
import {chromium, type Browser} from 'playwright';

import {expect, test} from './runner';

const executablePath = process.env.BROWSER;
const say = (page: Page, text: string) => page.evaluate(text => console.error(text), text);

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise(resolve => server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
  }));
}

test('popup', async ({page}) => {
  await page.goto('/?say=opener');
  const opening = page.waitForEvent('popup');
  await page.evaluate(() => void window.open('/?say=popup'));
  const popup = await opening;
  await popup.waitForLoadState();
  await say(popup, 'late popup');
});

test('frame', async ({page}) => {
  await page.goto('/');
  await page.evaluate(
    () =>
      new Promise(loaded => {
        const frame = document.createElement('iframe');
        frame.onload = loaded;
        frame.src = '/?say=frame';
        document.body.append(frame);
      }),
  );
});

test('own context', async ({browser}) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await say(page, 'own context');
  await context.close();
  const alone = await browser.newPage();
  await say(alone, 'own page');
  await alone.close();
});

test('persistent context', async () => {
  const context = await chromium.launchPersistentContext(mkdtempSync(join(tmpdir(), 'profile-')), {executablePath});
  const [first] = context.pages();
  if (first) await say(first, 'first page');
  const second = await context.newPage();
  await second.goto(`${process.env.SITE}/?say=second page`);
  await context.close();
});

test('browser closed at once', async () => {
  const browser = await chromium.launch({executablePath});
  await say(await browser.newPage(), 'last words');
  await browser.close();
});

test('joined over CDP', async () => {
  const port = await freePort();
  const browser = await chromium.launch({executablePath, args: [`--remote-debugging-port=${port}`]});
  let joined: Browser;
  // The port opens some time after the browser is ready for its own driver.
  await expect(async () => (joined = await chromium.connectOverCDP(`http://127.0.0.1:${port}`))).toPass();
  const [context] = joined.contexts();
  if (!context) throw new Error('no context to join');
  const page = await context.newPage();
  await say(page, 'joined');
  await page.close();
  await joined.close();
  await browser.close();
});

test('routed and offline', async ({page, context}) => {
  await page.route('**/*', route => route.fulfill({contentType: 'text/html', body: '<p>routed</p>'}));
  await page.goto('/anything');
  await context.setOffline(true);
  await say(page, 'offline');
});

test.describe('again', () => {
  test.describe.configure({retries: 1});
  test('retries', async ({page}, info) => {
    await say(page, `attempt ${info.retry + 1}`);
    expect(info.retry).toBe(1);
  });
});

test('crashes', async ({page}) => {
  await say(page, 'before the crash');
  await page.close();
  process.exit(3);
});

test('times out', async ({page}) => {
  test.setTimeout(2000);
  await say(page, 'before the timeout');
  await new Promise(() => {});
});

test.skip('skipped', async () => {});

test('fails as expected', async ({page}) => {
  test.fail();
  await say(page, 'expected');
  expect(1).toBe(2);
});

test('passes against expectation', async () => {
  test.fail();
});

test('no browser', async () => {});

test.describe('shared page', () => {
  test.describe.configure({mode: 'serial'});
  let page: Page;
  test.beforeAll(async ({browser}) => {
    page = await browser.newPage();
    await say(page, 'before all');
  });
  test('first', () => say(page, 'in first'));
  test('second', () => say(page, 'in second'));
  test.afterAll(() => page.close());
});

const odd = {quotes: `"it's" <b>\\`, newline: 'two\nlines', emoji: '🛒 café 名', long: 'x'.repeat(2000)};
for (const [name, title] of Object.entries(odd)) {
  test(title, async ({page}) => {
    await say(page, name);
  });
}
