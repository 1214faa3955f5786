// Against the demo shop: `python examples/shop/server.py --faults null-field`, then `npx playwright test`.
import {expect, test} from 'gasoline-playwright';

test('the catalogue loads without errors', async ({page, gasoline}) => {
  await page.goto('/');
  await expect(page.getByRole('heading', {level: 1})).toBeVisible();

  const {stats} = await gasoline.getSnapshot();
  expect(stats.error_count).toBe(0);
  expect(stats.network_failures).toBe(0);
});

test('a product shows its price', async ({page}) => {
  await page.goto('/products/101');
  await expect(page.getByTestId('price')).toHaveText(/\d/, {timeout: 2000});
});
