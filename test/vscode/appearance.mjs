// How a gist and its report look and sound: each theme in turn, contrast measured, the report checked by axe-core.
// With GISTIFY_SCREENSHOT=1 the pictures of the README are taken on the way.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { root } from '../../scripts/setup.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Frame} Frame */

const takesPictures = process.env['GISTIFY_SCREENSHOT'] === '1';

export const themes = [
  { name: 'Default Dark Modern', css: '.vs-dark', picture: 'gist.png' },
  { name: 'Default Light Modern', css: '.vs', picture: 'gist-light.png' },
  { name: 'Default High Contrast', css: '.hc-black', picture: 'gist-contrast.png' },
  { name: 'Default High Contrast Light', css: '.hc-light', picture: 'gist-contrast-light.png' },
];

/** Where pictures go that the README does not show. */
export const pictures = process.env['GISTIFY_PICTURES'] ?? os.tmpdir();

/**
 * @param {Page} page
 * @param {string} name
 */
export async function takePicture(page, name) {
  if (!takesPictures) return;
  const shown = ['gist.png', 'report.png'].includes(name);
  await page.screenshot({ path: path.join(shown ? path.join(root, 'media') : pictures, name) });
}

/**
 * The least contrast of the texts in the margin with the ground of the editor, as WCAG measures it.
 * @param {Page} page
 * @returns {Promise<number>}
 */
export async function marginContrast(page) {
  /** @type {unknown} */
  const ratio = await page.evaluate(`(() => {
    const numbers = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
    const light = ([r = 0, g = 0, b = 0]) => {
      const part = (value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
      return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
    };
    const ground = light(numbers(getComputedStyle(document.querySelector('.monaco-editor .monaco-editor-background')).backgroundColor));
    const texts = [...document.querySelectorAll('.view-line span')]
      .map((span) => getComputedStyle(span, '::after'))
      .filter(({ content }) => content.includes('←'))
      .map(({ color }) => light(numbers(color)));
    return Math.min(...texts.map((text) => (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05)));
  })()`);
  return Number(ratio);
}

/**
 * What axe-core finds in a page or frame, each with the places; none where it is clean.
 * @param {Page | Frame} page
 * @returns {Promise<string[]>}
 */
export async function axeProblems(page) {
  const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(source);
  /** @type {unknown} */
  const found = await page.evaluate(`axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  }).then(({ violations }) => violations.map(({ id, help, nodes }) => id + ': ' + help + ' at ' + nodes.map(({ target }) => target.join(' ')).slice(0, 5).join(', ')))`);
  return /** @type {string[]} */ (found);
}
