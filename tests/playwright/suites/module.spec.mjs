import {expect, test} from '@playwright/test';

test('a test that is a module', async ({page}) => {
  await page.goto('/?say=from a module');
  expect(1, 'one is two').toBe(2);
});
