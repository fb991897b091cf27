// The workbench as a person uses it: clicks on lenses, the gist beside the test, the pointer over a line, its link, the status, Cancel.
// With GISTIFY_SCREENSHOT=1 the picture of the README is taken on the way, and in dist/pictures one of each theme.
import axe from 'axe-core';
import assert from 'node:assert/strict';
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

  const toGist = () => page.locator('.tab', { hasText: gistTab }).first().click(patience);
  for (const { name, body } of themes) {
    await check(`the report in VS Code is clean by axe-core: ${name}`, async () => {
      await chooseTheme(page, name);
      await page.locator(`.monaco-workbench.${body.workbench}`).waitFor(patience);
      await toGist();
      await runCommand(page, 'Gistify: Show Report');
      const frame = await reportFrame(page, body.webview);
      await frame.evaluate(axe.source);
      const found = await frame.evaluate(`axe.run(document).then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`);
      assert.deepEqual(found, []);
      await picture(page, `report ${name}`);
      await toGist();
      await page.waitForFunction(marginShows('← shop/'), undefined, patience);
      await picture(page, `gist ${name}`);
    });
  }

  await check('New Issue shows the address before anything is sent', async () => {
    await toGist();
    await runCommand(page, 'Gistify: Export…');
    // The hover of a row may lie over its neighbours: keys, not clicks.
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Issue' }).first().waitFor(patience);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('.tab.active', { hasText: 'ISSUE.md' }).waitFor(patience);
    await picture(page, 'export');
    await page.locator('.codelens-decoration a', { hasText: 'New Issue' }).first().click(patience);
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.waitFor(patience);
    const words = (await dialog.textContent()) ?? '';
    assert.match(words, /https:\/\/github\.com\/gistify-test\/shop\/issues\/new|too long for an address/);
    await dialog.locator('.monaco-button', { hasText: 'Cancel' }).first().click(patience);
  });
  await page.close();

  await check('in a workspace of several folders tests are listed with theirs, and made', async () => {
    const several = await host.openPage('tests/test_checkout.py', 'several');
    await several.locator('.tab.active', { hasText: 'test_checkout.py' }).waitFor(patience);
    await runCommand(several, 'Gistify: Gistify a Test…');
    const list = several.locator('.quick-input-list .monaco-list-row');
    await list.first().waitFor(patience);
    // A long list holds only the rows in view.
    await several.locator('.quick-input-widget input').first().fill('second • tests/test_money', patience);
    const row = list.filter({ hasText: 'test_order' }).filter({ hasText: 'second • tests' });
    await row.first().waitFor(patience);
    await row.first().click(patience);
    await several.locator('.tab.active', { hasText: 'test_money__test_order.py' }).waitFor(patience);
    await several.close();
  });

  await check(
    'in a workspace that is not trusted nothing runs, and the lens and a message say why',
    async () => {
      const untrusted = await host.openPage('tests/test_money.py', 'untrusted');
      const restricted = untrusted.locator('.codelens-decoration a', {
        hasText: 'needs a trusted workspace',
      });
      await restricted.first().click(patience);
      await untrusted.locator('[id="status.notifications"]').click(patience);
      const message = untrusted.locator('.notification-list-item', {
        hasText: 'so it needs a trusted workspace',
      });
      await message.first().waitFor(patience);
      assert.equal(await untrusted.locator('.tab', { hasText: 'test_money__' }).count(), 0);
      await untrusted.close();
    },
  );
  return results;
}

/** Themes by their names, and what they are known by in the page and in webviews. */
const themes = [
  { name: 'Light Modern', body: { workbench: 'vs', webview: 'vscode-light' } },
  { name: 'Light High Contrast', body: { workbench: 'hc-light', webview: 'vscode-high-contrast-light' } },
  { name: 'Dark High Contrast', body: { workbench: 'hc-black', webview: 'vscode-high-contrast' } },
  { name: 'Dark Modern', body: { workbench: 'vs-dark', webview: 'vscode-dark' } },
];

/** With GISTIFY_SCREENSHOT=1, into dist/pictures. @param {Page} page @param {string} name */
async function picture(page, name) {
  if (process.env['GISTIFY_SCREENSHOT'] !== '1') return;
  await page.mouse.move(700, 850);
  await page.screenshot({ path: path.join(root, 'dist', 'pictures', `${name}.png`) });
}

/** @param {Page} page @param {string} name */
async function runCommand(page, name) {
  await choose(page, 'F1', `>${name}`, name);
}

/** @param {Page} page @param {string} name */
async function chooseTheme(page, name) {
  await choose(page, 'F1', '>Preferences: Color Theme', 'Preferences: Color Theme');
  const row = page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first();
  await page.locator('.quick-input-widget input').first().fill(name, patience);
  await row.click(patience);
}

/**
 * Picks a row of a list that a key opens; the list closes again where the editor takes the focus late.
 * @param {Page} page
 * @param {string} key
 * @param {string} filter
 * @param {string} name
 */
async function choose(page, key, filter, name) {
  const input = page.locator('.quick-input-widget input').first();
  const row = page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first();
  for (let tries = 0; ; tries += 1) {
    try {
      await page.keyboard.press(key);
      await input.fill(filter, { timeout: 5000 });
      await row.click({ timeout: 10_000 });
      return;
    } catch (error) {
      if (tries === 4) throw error;
      await page.keyboard.press('Escape');
    }
  }
}

/** The report's own document, two frames deep. @param {Page} page @param {string} theme */
async function reportFrame(page, theme) {
  const isReport = `document.body?.classList.contains(${JSON.stringify(theme)}) && document.querySelector('h2') !== null`;
  const deadline = Date.now() + 60_000;
  for (;;) {
    for (const frame of page.frames()) {
      if (await frame.evaluate(isReport).catch(() => false)) return frame;
    }
    if (Date.now() > deadline)
      throw new Error(
        `no report in ${theme}: ${page
          .frames()
          .map((frame) => frame.url())
          .join(' ')}`,
      );
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
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
