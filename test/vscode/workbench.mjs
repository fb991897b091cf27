// The workbench as a person uses it: clicks on lenses, the gist beside the test, the pointer over a line, its link, the status, Cancel.
import { axeProblems, marginContrast, takePicture, themes } from './appearance.mjs';

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
    await takePicture(page, 'gist.png');
    const file = ((await link.textContent()) ?? '').replace(/^.*\/|:\d+$/g, '');
    await link.click(patience);
    await page.locator('.editor-group-container.active .tab.active', { hasText: file }).waitFor(patience);
  });

  for (const { name, css, picture } of themes.slice(1)) {
    await check(`overlays are readable in ${name}`, async () => {
      await showGist(page);
      await host.setSettings({ 'workbench.colorTheme': name });
      await page.locator(`.monaco-workbench${css}`).first().waitFor(patience);
      await page.waitForFunction(marginShows('← '), undefined, patience);
      const contrast = await marginContrast(page);
      if (!(contrast >= 4.5)) throw new Error(`the margin has a contrast of ${contrast.toFixed(2)} only`);
      await takePicture(page, picture);
    });
  }

  await check(
    'the report opens from the lens, is clean by axe-core in every theme, and leads to the codebase',
    async () => {
      await showGist(page);
      await goToLine(page, 207);
      await page.locator('.codelens-decoration a:has-text("Report")').first().click(patience);
      const frame = await reportFrame(page);
      for (const { name, css } of [...themes].reverse()) {
        await host.setSettings({ 'workbench.colorTheme': name });
        await page.locator(`.monaco-workbench${css}`).first().waitFor(patience);
        await frame.evaluate('document.querySelectorAll("details").forEach((one) => (one.open = true))');
        const problems = await axeProblems(frame);
        if (problems.length > 0) throw new Error(`${name}: ${problems.join('\n')}`);
        await frame.evaluate('document.querySelectorAll("details").forEach((one) => (one.open = false))');
        await takePicture(page, name === 'Default Dark Modern' ? 'report.png' : `report-${css.slice(1)}.png`);
      }
      await frame.locator('a[data-file="shop/money.py"]').first().focus();
      await page.keyboard.press('Enter');
      await page.locator('.tab.active', { hasText: 'money.py' }).first().waitFor(patience);
    },
  );

  await check('the report as a file of its own is clean by axe-core', async () => {
    const standalone = await host.openReport(gistTab.replace(/\.py$/, ''));
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      await standalone.emulateMedia({ colorScheme });
      const problems = await axeProblems(standalone);
      if (problems.length > 0) throw new Error(`${colorScheme}: ${problems.join('\n')}`);
    }
    await standalone.close();
  });

  await check('the view of gists shows scores and age', async () => {
    await command(page, 'Testing: Focus on Gists View');
    await page
      .locator('.monaco-list-row', { hasText: /test_total_of_a_cart.*executed.*existing/ })
      .first()
      .waitFor(patience);
    await takePicture(page, 'view.png');
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

/** @param {Page} page */
async function showGist(page) {
  await page.locator(`.tab:has-text("${gistTab}")`).first().click(patience);
}

/**
 * The page of the report lies in a frame of a frame.
 * @param {Page} page
 * @returns {Promise<import('playwright-core').Frame>}
 */
async function reportFrame(page) {
  const deadline = Date.now() + patience.timeout;
  for (;;) {
    for (const frame of page.frames()) {
      const found = await frame.evaluate('document.querySelector("h2#scores") !== null').catch(() => false);
      if (found === true) return frame;
    }
    if (Date.now() > deadline) throw new Error('the report is not shown');
    await page.waitForTimeout(100);
  }
}

/**
 * A command of the palette, by its name.
 * @param {Page} page
 * @param {string} name
 */
async function command(page, name) {
  const input = page.locator('.quick-input-widget input');
  const row = page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first();
  for (let tries = 0; tries < 10; tries += 1) {
    await page.keyboard.press('F1');
    const done = await input
      .fill(`>${name}`, { timeout: 2000 })
      .then(() => row.click({ timeout: 5000 }))
      .then(() => true)
      .catch(() => false);
    if (done) return;
    await page.keyboard.press('Escape');
  }
  throw new Error(`the palette does not offer ${name}`);
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
