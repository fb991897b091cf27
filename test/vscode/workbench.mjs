// The workbench as a person uses it: clicks on lenses, the gist beside the test, the pointer over a line, its link, the status, Cancel.
// With GISTIFY_SCREENSHOT=1 the picture of the README is taken on the way.
import path from 'node:path';
import process from 'node:process';
import { root } from '../../scripts/setup.mjs';

/** @typedef {import('playwright-core').Page} Page */

const gistTab = 'test_checkout__test_total_of_a_cart.py';
const patience = { timeout: 60_000 };

/**
 * @param {import('./serverHost.mjs').ServerHost} host
 * @returns {Promise<{ readonly title: string, readonly error: string | null, readonly seconds: number }[]>}
 */
export async function workbenchTests(host) {
  /** @type {{ title: string, error: string | null, seconds: number }[]} */
  const results = [];
  const page = await host.openPage('tests/test_checkout.py');
  /** @param {string} title @param {() => Promise<void>} body */
  const check = async (title, body) => {
    const before = Date.now();
    const error = await body().then(
      () => null,
      (/** @type {unknown} */ fault) =>
        fault instanceof Error ? (fault.stack ?? fault.message) : String(fault),
    );
    results.push({ title, error, seconds: (Date.now() - before) / 1000 });
  };

  await check('a click on a lens opens the gist beside the test', async () => {
    await lens(page).first().click(patience);
    await page.locator('.tab.active', { hasText: gistTab }).waitFor(patience);
  });

  await check('the margin of the gist names origins', async () => {
    await page.waitForFunction(marginShows('← shop/'), undefined, patience);
  });

  await check('the language status shows the scores', async () => {
    const status = page.locator('[id="status.languageStatus"]');
    await status.hover(patience);
    const item = page.locator('.hover-language-status', { hasText: 'Verified' });
    await item.first().waitFor(patience);
    await item.first().locator('.codicon-pin').click(patience);
    await page.locator('.statusbar-item', { hasText: 'Verified' }).first().waitFor(patience);
    await page.keyboard.press('Escape');
  });

  await check('a hover names the origin, and its link opens it', async () => {
    await page.keyboard.press('Control+b');
    await page.locator(`.tab:has-text("${gistTab}")`).click(patience);
    await goToLine(page, 58);
    const gist = page.locator('.editor-group-container.active');
    await gist
      .locator('.view-line span span', { hasText: /^(def|return|for)$/ })
      .nth(6)
      .hover(patience);
    const link = page.locator('.monaco-hover a', { hasText: /(shop|tests)\/.*:\d+/ }).first();
    await link.waitFor(patience);
    if (process.env['GISTIFY_SCREENSHOT'] === '1') {
      await page.screenshot({ path: path.join(root, 'media', 'gist.png') });
    }
    const file = ((await link.textContent()) ?? '').replace(/^.*\/|:\d+$/g, '');
    await link.click(patience);
    await page.locator('.editor-group-container.active .tab.active', { hasText: file }).waitFor(patience);
  });

  await check('Cancel in the progress message ends the run', async () => {
    await openFile(page, 'test_slow.py');
    await page.locator('.editor-group-container.active').locator(lensOf).first().click(patience);
    // The driver that lets tests in keeps messages from popping up: they wait behind the bell.
    await page.locator('[id="status.notifications"]').click(patience);
    const message = page.locator('.notifications-center .notification-list-item', {
      hasText: 'Gistify test_slow',
    });
    await message.waitFor(patience);
    await message.locator('.monaco-button', { hasText: 'Cancel' }).click(patience);
    await message.waitFor({ state: 'detached', ...patience });
  });

  await page.close();
  return results;
}

const lensOf = '.codelens-decoration a:has-text("Gistify this test")';

/** @param {Page} page */
function lens(page) {
  return page.locator(lensOf);
}

/**
 * An expression for the page: decorations put their text into the style, not into the document.
 * @param {string} text
 */
function marginShows(text) {
  const shows = `getComputedStyle(span, '::after').content.includes(${JSON.stringify(text)})`;
  return `[...document.querySelectorAll('.view-line span')].some((span) => ${shows})`;
}

/**
 * As with `goToLine`: the list closes again where the editor takes the focus late.
 * @param {Page} page
 * @param {string} name
 */
async function openFile(page, name) {
  const tab = page.locator('.tab.active', { hasText: name }).first();
  for (let tries = 0; tries < 10 && !(await tab.isVisible()); tries += 1) {
    await page.keyboard.press('Control+p');
    await page
      .locator('.quick-input-widget input')
      .fill(name, { timeout: 2000 })
      .then(() =>
        page
          .locator('.quick-input-list .monaco-list-row', { hasText: name })
          .first()
          .click({ timeout: 5000 }),
      )
      .then(() => tab.waitFor({ timeout: 5000 }))
      .catch(() => page.keyboard.press('Escape'));
  }
  await tab.waitFor(patience);
}

/**
 * The input closes again where the editor takes the focus late: then it is opened anew, as a person would.
 * @param {Page} page
 * @param {number} line
 */
async function goToLine(page, line) {
  const input = page.locator('.quick-input-widget input');
  const at = page.locator('.statusbar-item', { hasText: `Ln ${line}, Col` });
  for (let tries = 0; tries < 10 && !(await at.isVisible()); tries += 1) {
    await page.locator('.editor-group-container.active .view-lines').click(patience);
    await page.keyboard.press('Control+g');
    await input
      .fill(`:${line}`, { timeout: 2000 })
      .then(() => page.keyboard.press('Enter'))
      .then(() => at.waitFor({ timeout: 2000 }))
      .catch(() => page.keyboard.press('Escape'));
  }
  await at.waitFor(patience);
}
