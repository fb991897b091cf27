// The report in a real browser: axe-core finds nothing to say of it in light, dark and forced colours, and no script is needed.
// GISTIFY_SCREENSHOT=1 takes media/report.png anew.
import axe from 'axe-core';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { english } from '../../src/base/translate.js';
import type { Report } from '../../src/model/report.js';
import { reportPage } from '../../src/report/reportPage.js';
import { findChromium } from '../vscode/serverHost.mjs';

const executablePath = findChromium();
const sample = path.join(import.meta.dirname, 'samples/checkout.json');
const picture = path.join(import.meta.dirname, '../../media/report.png');
let browser: Browser;

// Debian: apt-get install chromium.
describe.skipIf(executablePath === null)('the report in a browser (needs Chromium)', () => {
  beforeAll(async () => {
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    browser = await chromium.launch({ executablePath: executablePath ?? '', args });
  });
  afterAll(async () => browser.close());

  const open = async (): Promise<{ page: Page; faults: string[] }> => {
    const report = JSON.parse(await readFile(sample, 'utf8')) as Report;
    const page = await browser.newPage({ viewport: { width: 1100, height: 860 } });
    const faults: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    await page.setContent(reportPage(report, { t: english, language: 'en', nonce: 'n0', script: null }));
    return { page, faults };
  };

  const problems = async (page: Page): Promise<string[]> => {
    await page.evaluate(axe.source);
    const found: unknown = await page.evaluate(`axe.run(document).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ' at ' + nodes.slice(0, 3).map(({ target }) => target.join(' ')).join(', ')))`);
    return found as string[];
  };

  test.each([
    { colorScheme: 'light', forcedColors: 'none' },
    { colorScheme: 'dark', forcedColors: 'none' },
    { colorScheme: 'dark', forcedColors: 'active' },
  ] as const)('is clean by axe-core: %o', async (media) => {
    const { page, faults } = await open();
    await page.emulateMedia(media);
    expect(await problems(page)).toEqual([]);
    if (
      process.env['GISTIFY_SCREENSHOT'] === '1' &&
      media.colorScheme === 'dark' &&
      media.forcedColors === 'none'
    )
      await page.screenshot({ path: picture });
    await page.evaluate('document.querySelectorAll("details").forEach((one) => (one.open = true))');
    expect(await problems(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.close();
  });

  test('is used by keyboard alone: a file opens to its functions, and a function leads into the gist', async () => {
    const { page } = await open();
    const summary = page.locator('summary').first();
    await summary.focus();
    await page.keyboard.press('Enter');
    const link = page.locator('details[open] a[href^="#L"]').first();
    await link.focus();
    await page.keyboard.press('Enter');
    const target = (await link.getAttribute('href')) ?? '';
    await expect.poll(async () => page.locator(`tr${target}`).isVisible()).toBe(true);
    await page.close();
  });
});
