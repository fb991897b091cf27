// Tests of the sample codebase are gistified on this machine and in a container: the gists, their scores and the origin
// of every line are the same, whatever the container calls the files.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testPython } from '../pythonEnv.js';
import type { Report } from '../../src/model/report.js';
import { testEngine, testImage } from './testEngine.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { engine, reason } = await testEngine();
const why = reason === '' ? '' : ` (skipped: ${reason})`;
let work = '';

beforeAll(async () => {
  work = await mkdtemp(path.join(os.tmpdir(), 'gistify-test-'));
});

afterAll(async () => {
  await rm(work, { recursive: true, force: true });
});

async function run(nodeId: string, where: readonly string[]): Promise<Report> {
  const file = path.join(work, `${String(process.hrtime.bigint())}.json`);
  const args = ['run', nodeId, '--repo', path.join(root, 'sample'), '--out', path.join(work, 'concise.py')];
  await promisify(execFile)(process.execPath, [
    path.join(root, 'dist/cli.js'),
    ...args,
    '--report',
    file,
    ...where,
  ]);
  return JSON.parse(await readFile(file, 'utf8')) as Report;
}

const nodes = [
  'tests/test_checkout.py::test_voucher',
  'tests/test_money.py::test_parse_and_show',
  'tests/test_receipt.py::TestText::test_receipt',
  'tests/test_bug_report.py::test_split_loses_no_cent',
];

describe.skipIf(engine === null)(`gists in a container${why}`, () => {
  it.each(nodes)('%s', async (node) => {
    const python = await testPython();
    const here = await run(node, ['--sandbox', 'local', '--python', python]);
    const there = await run(node, ['--sandbox', `docker:${testImage}`]);
    expect(there.verified).toBe(true);
    expect(there.gist.text).toBe(here.gist.text);
    expect(there.lines).toEqual(here.lines);
    expect(there.score).toEqual(here.score);
    expect(there.environment.sandbox).toContain('container');
  });
});
