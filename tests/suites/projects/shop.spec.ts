// What the owner of the shop would test, one test for each fault. SOUND=1 leaves the faults out.
import {expect, test, type Page} from '@playwright/test';

const BRIEF = {timeout: 1500};

async function open(page: Page, path: string, fault: string) {
  const address = new URL(path, 'http://shop');
  if (!process.env.SOUND) address.searchParams.set('fault', fault);
  await page.goto(address.pathname + address.search);
}

async function signIn(page: Page) {
  await page.getByLabel('E-mail').fill('sam@harbourlane.example');
  await page.getByLabel('Password').fill('lighthouse');
  await page.getByRole('button', {name: 'Sign in'}).click();
}

async function order(page: Page, fault: string) {
  await open(page, '/products/101', fault);
  await page.getByTestId('add-to-cart').click();
  await expect(page.getByText('is in your cart')).toBeVisible();
  await page.goto('/checkout');
  if (new URL(page.url()).pathname === '/login') await signIn(page);
  await expect(page.getByTestId('checkout-total')).toHaveText('€23.40');
  await page.getByLabel('I accept the terms of sale').check();
  await page.getByTestId('place-order').click();
  await expect(page.getByTestId('order-number')).toHaveText(/HL-/, BRIEF);
}

test('null-field: a product shows its price', async ({page}) => {
  await open(page, '/products/101', 'null-field');
  await expect(page.getByTestId('price')).toHaveText('€18.50', BRIEF);
});

test('missing-field: a product says when it ships', async ({page}) => {
  await open(page, '/products/101', 'missing-field');
  await expect(page.locator('.delivery')).toBeVisible();
  await expect(page.locator('.delivery')).toHaveText(/ships in \d days/, {timeout: 1});
});

test('changed-type: the catalogue lists twelve products', async ({page}) => {
  await open(page, '/', 'changed-type');
  await expect(page.locator('.card')).toHaveCount(12, BRIEF);
});

test('server-error: a visitor places an order', async ({page}) => {
  await order(page, 'server-error');
});

test('flaky: a visitor orders twice', async ({page}) => {
  await order(page, 'flaky');
  await order(page, 'flaky');
});

test('login-broken: a customer signs in', async ({page}) => {
  await open(page, '/login', 'login-broken');
  await signIn(page);
  await expect(page).toHaveURL('/account', BRIEF);
});

test('slow-call: a search is answered within a second', async ({page}) => {
  await open(page, '/', 'slow-call');
  await expect(page.locator('.card')).toHaveCount(12);
  await page.getByLabel('Search products').fill('mug');
  await page.keyboard.press('Enter');
  const asked = Date.now();
  await expect(page.getByText('1 product for “mug”')).toBeVisible();
  expect(Date.now() - asked).toBeLessThan(1000);
});

test('open-personal-data: customers stay private', async ({page}) => {
  const answering = page.waitForResponse('**/api/customers');
  await open(page, '/', 'open-personal-data');
  const answer = await answering;
  expect(Object.keys((await answer.json()).customers[0])).toEqual(['id', 'name', 'city']);
});

test('secret-in-url: no address carries a secret', async ({page}) => {
  const addresses: string[] = [];
  page.on('request', request => addresses.push(request.url()));
  await open(page, '/account', 'secret-in-url');
  await signIn(page);
  await expect(page.locator('#fact-email')).toHaveText('sam@harbourlane.example');
  expect(addresses.filter(address => /key=|token=/.test(address))).toEqual([]);
});

test('dead-button: a product goes into the cart', async ({page}) => {
  await open(page, '/products/101', 'dead-button');
  await page.getByTestId('add-to-cart').click();
  await expect(page.getByText('Stoneware mug is in your cart')).toBeVisible(BRIEF);
});

test('wrong-total: three cost three times as much', async ({page}) => {
  await open(page, '/products/101', 'wrong-total');
  await page.getByLabel('Quantity').selectOption('3');
  await page.getByTestId('add-to-cart').click();
  await expect(page.getByText('is in your cart')).toBeVisible();
  await page.goto('/cart');
  await expect(page.getByTestId('cart-subtotal')).toHaveText(/€/);
  await expect(page.getByTestId('cart-subtotal')).toHaveText('€55.50', {timeout: 1});
});

test('unhandled-rejection: a product has company', async ({page}) => {
  await open(page, '/products/101', 'unhandled-rejection');
  await expect(page.getByTestId('price')).toBeVisible();
  await expect(page.getByRole('heading', {name: 'Goes well with it'})).toBeVisible(BRIEF);
});

test('blocked-script: visits are counted', async ({page}) => {
  await open(page, '/', 'blocked-script');
  expect(await page.evaluate('window.visits?.length')).toBe(1);
});

test('missing-resource: the announcement can be put away', async ({page}) => {
  await open(page, '/', 'missing-resource');
  await page.getByRole('button', {name: 'Close announcement'}).click();
  await expect(page.getByText('Free returns')).toBeHidden(BRIEF);
});

test('refused-websocket: stock is live', async ({page}) => {
  await open(page, '/', 'refused-websocket');
  await expect(page.locator('#ticker')).toHaveText(/left$/, BRIEF);
});

test('chatty-websocket: the feed is calm', async ({page}) => {
  let messages = 0;
  page.on('websocket', socket => socket.on('framereceived', () => messages++));
  await open(page, '/', 'chatty-websocket');
  await expect(page.locator('#ticker')).toHaveText(/left$/);
  await page.waitForTimeout(500); // what is measured is a rate
  expect(messages).toBeLessThan(20);
});

test('long-task: loading leaves the page responsive', async ({page}) => {
  await page.addInitScript(`window.longest = 0;
    new PerformanceObserver(list => {
      for (const task of list.getEntries()) longest = Math.max(longest, task.duration);
    }).observe({type: 'longtask', buffered: true});`);
  await open(page, '/', 'long-task');
  await expect(page.locator('.card')).toHaveCount(12);
  await page.waitForTimeout(100); // long tasks are told a little later
  expect(await page.evaluate('longest')).toBeLessThan(300);
});

test('slow-page: the start page is light', async ({page}) => {
  await open(page, '/', 'slow-page');
  await expect(page.locator('.card')).toHaveCount(12);
  await page.waitForLoadState('networkidle');
  const bytes = await page.evaluate(() =>
    performance.getEntriesByType('resource').reduce((sum, one) => sum + one.toJSON().transferSize, 0),
  );
  expect(bytes).toBeLessThan(1_000_000);
});

test('console-noise: the console is clean', async ({page}) => {
  const complaints: string[] = [];
  page.on('console', said => said.type() === 'error' && complaints.push(said.text()));
  await open(page, '/', 'console-noise');
  await expect(page.locator('.card')).toHaveCount(12);
  expect(complaints).toEqual([]);
});
