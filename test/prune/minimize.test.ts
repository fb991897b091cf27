// The whole of `--reduce minimal` on the bundled sample codebase, with real warm processes: a failure stays the same
// failure, a passing test's assertions all stay, and what is left runs in a fresh process.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { gistify } from '../../src/engine/gistify.js';
import type { Installation } from '../../src/engine/sources.js';
import type { Report } from '../../src/model/report.js';
import { layInstallation } from '../installation.js';
import { plainTask } from '../plainTask.js';
import { minimalPython } from '../pythonEnv.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
let folder = '';
let installation: Installation;
let python = '';

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'gistify-minimal-')));
  installation = await layInstallation(path.join(folder, 'installation'));
  python = await minimalPython();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function minimal(repo: string, nodeId: string, signal = new AbortController().signal): Promise<Report> {
  return gistify({
    task: plainTask({ repo, nodeId, python }, { reduce: 'minimal', budget: 90 }),
    host: { signal, progress: () => undefined, log: () => undefined },
    installation,
    env: { PATH: process.env['PATH'] ?? '' },
    cwd: folder,
    fileName: 'concise.py',
  });
}

async function pytest(text: string, test: string): Promise<string> {
  const place = await mkdtemp(path.join(folder, 'run-'));
  await writeFile(path.join(place, 'concise.py'), text);
  const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', `concise.py::${test}`];
  return promisify(execFile)(python, args, { cwd: place }).then(
    ({ stdout }) => stdout,
    (error: unknown) => (error as { stdout: string }).stdout,
  );
}

function failureOf(report: Report): unknown {
  return report.observed.tests
    .flatMap(({ phases }) => phases.map(({ failure }) => failure))
    .find((one) => one !== null);
}

it('a failure keeps its type, message and raising line', async () => {
  const repo = path.join(root, 'sample');
  const report = await minimal(repo, 'tests/test_bug_report.py::test_split_loses_no_cent');
  expect(report.verified).toBe(true);
  expect(report.reduction?.linesAfter).toBeLessThan(report.reduction?.linesBefore ?? 0);
  expect(failureOf(report)).toEqual(
    report.original.tests
      .flatMap(({ phases }) => phases.map(({ failure }) => failure))
      .find((one) => one !== null),
  );
  expect(await pytest(report.gist.text, 'test_split_loses_no_cent')).toContain('1 failed');
});

it('a passing test keeps its assertions', async () => {
  const repo = path.join(root, 'sample');
  const node = 'tests/test_checkout.py::test_total_of_a_cart';
  const report = await minimal(repo, node);
  expect(report.verified).toBe(true);
  const test = await readFile(path.join(repo, 'tests/test_checkout.py'), 'utf8');
  const body = test.slice(test.indexOf('def test_total_of_a_cart')).split(/\n(?=\S)/)[0] ?? '';
  const asserts = body.split('\n').filter((line) => line.trim().startsWith('assert '));
  expect(asserts.length).toBeGreaterThan(0);
  for (const line of asserts) expect(report.gist.text).toContain(line);
  expect(report.reduction?.linesAfter).toBeLessThan(report.reduction?.linesBefore ?? 0);
  expect(await pytest(report.gist.text, 'test_total_of_a_cart')).toContain('1 passed');
});

it('refuses another failure, endless loops, and imports that only a warm process has', async () => {
  const repo = await mkdtemp(path.join(folder, 'repo-'));
  await writeFile(
    path.join(repo, 'counting.py'),
    `import xml
import xml.dom.minidom

def count(items):
    n = 0
    i = 0
    while i < len(items):
        n += items[i]
        i += 1
    return n

def parse(text):
    return xml.dom.minidom.parseString(text)

def check(total):
    if total > 5:
        raise ValueError("too much")
    return total
`,
  );
  await writeFile(
    path.join(repo, 'test_code.py'),
    `import sys
from counting import count, parse, check

def test_check():
    document = parse("<a/>")
    noise = [document, sys.path]
    total = count([1, 2, 3])
    check(total)
`,
  );
  const report = await minimal(repo, 'test_code.py::test_check');
  expect(report.verified).toBe(true);
  const { text } = report.gist;
  expect(failureOf(report)).toMatchObject({ type: 'ValueError', message: 'too much' });
  // The condition that raises stays, and so does what makes it true.
  expect(text).toContain('if total > 5:');
  expect(text).not.toContain('noise');
  expect(await pytest(text, 'test_check')).toContain('ValueError: too much');
});

it('a cancel keeps the smallest so far, verified', async () => {
  const controller = new AbortController();
  const repo = path.join(root, 'sample');
  const node = 'tests/test_checkout.py::test_total_of_a_cart';
  const report = await gistify({
    task: plainTask({ repo, nodeId: node, python }, { reduce: 'minimal' }),
    host: {
      signal: controller.signal,
      progress({ message }) {
        if (message.includes(' lines left')) controller.abort();
      },
      log: () => undefined,
    },
    installation,
    env: { PATH: process.env['PATH'] ?? '' },
    cwd: folder,
    fileName: 'concise.py',
  });
  expect(report.verified).toBe(true);
  expect(report.reduction?.complete).toBe(false);
  expect(await pytest(report.gist.text, 'test_total_of_a_cart')).toContain('1 passed');
});
