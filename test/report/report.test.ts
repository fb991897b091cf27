// A report becomes a page: complete, escaped, under a strict policy; from the command line as a file of its own.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { english } from '../../src/base/translate.js';
import type { Report } from '../../src/model/report.js';
import { reportPage } from '../../src/report/reportPage.js';
import { treemap } from '../../src/report/treemap.js';

const cli = path.join(import.meta.dirname, '../../dist/cli.js');
const sample = path.join(import.meta.dirname, '../server/samples/hover/report.json');

async function sampleReport(changes: Partial<Report> = {}): Promise<Report> {
  return { ...(JSON.parse(await readFile(sample, 'utf8')) as Report), ...changes };
}

const options = { t: english, language: 'en', nonce: 'n0', script: null };

describe('the page', () => {
  test('has no script, no style but its own, and no address of the network', async () => {
    const page = reportPage(await sampleReport(), options);
    expect(page).toContain(
      `content="default-src 'none'; style-src 'nonce-n0'; base-uri 'none'; form-action 'none'"`,
    );
    expect(page).not.toMatch(/<script|style="|https?:|@import|url\(/);
  });

  test('tells functions, how often they were called, and who called them', async () => {
    const report = await sampleReport();
    const calls = {
      functions: [
        { name: 'Cart.total', line: 3, calls: 3 },
        { name: 'test_total', line: 9, calls: 1 },
      ],
      edges: [
        [1, 0],
        [-1, 1],
      ] as const,
    };
    const page = reportPage({ ...report, calls }, options);
    expect(page).toMatch(/<a href="#L3"[^>]*>Cart\.total<\/a\s*>\s*<\/td>\s*<td class="number">3<\/td>/);
    expect(page).toMatch(/<a class="code" href="#f1">test_total<\/a\s*>/);
    expect(page).toContain('pytest or an import');
  });

  test('lets no text of the codebase become markup', async () => {
    const report = await sampleReport();
    const text = report.gist.text.replace(/^.*$/m, '<img src=x onerror="alert(1)">');
    const held = [{ module: '<b>pkg</b>', reason: '"quoted" & <i>' }];
    const page = reportPage(
      { ...report, gist: { text, file: null }, layout: { kind: 'mixed', held } },
      options,
    );
    expect(page).not.toMatch(/<img|<b>|<i>/);
    expect(page).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;');
    expect(page).toContain('&quot;quoted&quot; &amp; &lt;i&gt;');
  });
});

test('areas of a treemap are as the sizes, within the whole, and do not overlap', () => {
  const sizes = [60, 30, 20, 20, 10, 5, 1];
  const boxes = treemap(sizes, { x: 0, y: 0, width: 200, height: 100 });
  const total = sizes.reduce((sum, size) => sum + size, 0);
  boxes.forEach((box, index) => {
    expect((box.width * box.height) / 20_000).toBeCloseTo((sizes[index] ?? 0) / total);
    expect(box.x).toBeGreaterThanOrEqual(-1e-9);
    expect(box.y + box.height).toBeLessThanOrEqual(100 + 1e-9);
    for (const other of boxes.slice(index + 1)) {
      const apart =
        box.x + box.width <= other.x + 1e-9 ||
        other.x + other.width <= box.x + 1e-9 ||
        box.y + box.height <= other.y + 1e-9 ||
        other.y + other.height <= box.y + 1e-9;
      expect(apart).toBe(true);
    }
  });
});

describe('gistify report', () => {
  const run = promisify(execFile);

  test('writes the same bytes each time, beside the report or where it is told', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'gistify-report-'));
    try {
      const report = path.join(folder, 'report.json');
      await writeFile(report, await readFile(sample));
      const { stdout } = await run(process.execPath, [cli, 'report', report]);
      expect(stdout).toBe(`${path.join(folder, 'report.html')}\n`);
      const page = await readFile(path.join(folder, 'report.html'), 'utf8');
      const { stdout: again } = await run(process.execPath, [cli, 'report', report, '--out', '-']);
      expect(again).toBe(page);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test.each([
    [['report'], 'which report\\? a file is missing'],
    [['report', 'no-such.json'], 'there is no file no-such\\.json'],
    [['report', path.join(import.meta.dirname, '../../tsconfig.json')], 'is no report of schema 1'],
  ])('%s is wrong use', async (args, message) => {
    const ended = await run(process.execPath, [cli, ...args]).catch((error: unknown) => error);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringMatching(new RegExp(message)) as unknown });
  });
});
