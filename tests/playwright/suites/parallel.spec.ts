// Four tests that say and ask for something of their own; every other one fails.
import {expect, test} from './runner';

for (let n = 1; n <= 4; n++) {
  test(`talks ${n}`, async ({page}) => {
    await page.goto(`/?say=early ${n}&fetch=${n}`);
    await expect(page.getByText('done')).toBeVisible();
    await page.evaluate(n => console.error(`late ${n}`), n);
    expect(n % 2, 'an even number').toBe(0);
  });
}
