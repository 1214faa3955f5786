// Every way in which a test ends, and pages that make capture difficult.
import {expect, test, type Page} from '@playwright/test';

const say = (page: Page, text: string) => page.evaluate(text => console.error(text), text);
const STRICT = {
  contentType: 'text/html',
  headers: {'content-security-policy': "default-src 'none'; script-src 'self'"},
  body: '<!doctype html><title>strict</title><h1>Strict</h1>',
};

test('crashes', async ({page}) => {
  await page.goto('/');
  await say(page, 'before the crash');
  await page.close();
  process.exit(3);
});

test('times out', async ({page}) => {
  test.setTimeout(3000);
  await page.goto('/');
  await say(page, 'before the timeout');
  await page.getByText('This never comes').click();
});

test('loses its page', async ({page}) => {
  await page.goto('/');
  await page.goto('chrome://crash').catch(() => {});
  await expect(page.locator('.card')).toHaveCount(12, {timeout: 500});
});

test('waits for an answer', async ({page}) => {
  await page.route('**/api/never', () => {}); // nobody answers
  await page.goto('/');
  await page.evaluate(() => void fetch('/api/never', {method: 'POST'}).then(() => document.body.append('Paid')));
  await expect(page.getByText('Paid')).toBeVisible({timeout: 1500});
});

test.skip('is skipped', () => {});

test.describe('again', () => {
  test.describe.configure({retries: 1});
  test('passes on retry', async ({page}, info) => {
    await say(page, `said in attempt ${info.retry + 1}`);
    expect(info.retry).toBe(1);
  });
});

test('needs no browser', () => {
  expect(1, 'no browser was asked').toBe(2);
});

test('public origin and strict policy', async ({page}) => {
  await page.route('https://shop.example/**', route => route.fulfill(STRICT));
  await page.goto('https://shop.example/');
  await say(page, 'said in public');
  expect(await page.title()).toBe('lenient');
});

test.describe('without the policy', () => {
  test.use({bypassCSP: true});
  test('policy bypassed', async ({page}) => {
    await page.route('**/strict', route => route.fulfill(STRICT));
    await page.goto('/strict');
    await page.addScriptTag({content: "console.error('said inline')"});
    throw new Error('on purpose');
  });
});

const odd = {quotes: `"it's" <b>|\`x\`\\`, newline: 'two\nlines', emoji: '🛒 café 名', long: 'x'.repeat(2000)};
for (const [name, title] of Object.entries(odd)) {
  test(title, async ({page}) => {
    await say(page, `said in ${name}`);
    throw new Error('on purpose');
  });
}
