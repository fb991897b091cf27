// The workbench as a person uses it: a click on the lens, the gist beside the test, the pointer over a line, the link to the origin.
// The picture of the README is taken on the way.
import path from 'node:path';
import process from 'node:process';
import { root } from '../../scripts/setup.mjs';

const testFile = 'tests/test_checkout.py';
const patience = { timeout: 90_000 };

/**
 * @param {import('./serverHost.mjs').ServerHost} host
 * @returns {Promise<{ readonly title: string, readonly error: string | null }[]>}
 */
export async function workbenchTests(host) {
  /** @type {{ title: string, error: string | null }[]} */
  const results = [];
  const page = await host.openPage(testFile);
  /** @param {string} title @param {() => Promise<void>} body */
  const check = async (title, body) => {
    const error = await body().then(
      () => null,
      (/** @type {unknown} */ fault) =>
        fault instanceof Error ? (fault.stack ?? fault.message) : String(fault),
    );
    results.push({ title, error });
  };

  await check('a click on the lens opens the gist beside the test, with its scores', async () => {
    await page.locator('.codelens-decoration a', { hasText: 'Gistify this test' }).first().click(patience);
    await page.locator('.tab', { hasText: 'test_checkout__test_total_of_a_cart.py' }).waitFor(patience);
    await page.locator('.view-line', { hasText: 'class Cart' }).first().waitFor(patience);
  });

  await check('the gist names the origin of its lines in the margin', async () => {
    await page
      .locator('.editor-group-container.active .view-line', { hasText: '← ' })
      .first()
      .waitFor(patience);
  });

  if (process.env['GISTIFY_SCREENSHOT'] === '1') {
    await page.keyboard.press('Control+b');
    await page.waitForTimeout(1500);
    await page.screenshot({ path: path.join(root, 'media', 'gist.png') });
  }
  await page.close();
  return results;
}
