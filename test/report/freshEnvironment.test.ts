// Real gists of packages that ship their tests, exported and run in an empty folder by an environment that has only what
// the file lists: as a module of pytest, and as a program.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { basePython, ensureVenv } from '../../scripts/pythonEnv.mjs';
import { exportGist } from '../../src/engine/exportGist.js';
import { gistify } from '../../src/engine/gistify.js';
import type { Installation } from '../../src/engine/sources.js';
import { layInstallation } from '../installation.js';
import { plainTask } from '../plainTask.js';

/** Tests whose runs are short: what costs time here is Python starting, and each gist takes eight starts. */
const subjects: Readonly<Record<string, readonly string[]>> = {
  toolz: [
    'toolz/tests/test_dicttoolz.py::TestDict::test_merge',
    'toolz/tests/test_dicttoolz.py::TestDict::test_assoc_in',
    'toolz/tests/test_dicttoolz.py::TestDict::test_valmap',
    'toolz/tests/test_dicttoolz.py::test_merge_with_non_dict_mappings',
    'toolz/tests/test_functoolz.py::test_memoize',
    'toolz/tests/test_functoolz.py::test_curry_simple',
    'toolz/tests/test_functoolz.py::test_thread_last',
    'toolz/tests/test_functoolz.py::test_compose',
    'toolz/tests/test_functoolz.py::test_pipe',
    'toolz/tests/test_functoolz.py::test_excepts',
    'toolz/tests/test_itertoolz.py::test_groupby',
    'toolz/tests/test_itertoolz.py::test_join',
    'toolz/tests/test_itertoolz.py::test_sliding_window',
    'toolz/tests/test_recipes.py::test_countby',
    'toolz/tests/test_recipes.py::test_partitionby',
  ],
};

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
let folder = '';
let installation: Installation;
let python = '';

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'gistify-export-')));
  installation = await layInstallation(path.join(folder, 'installation'));
  python = await ensureVenv(path.join(root, 'test/report/requirements.txt'), await basePython());
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function ended(program: string, args: readonly string[], cwd: string): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '' };
  return run(program, [...args], { cwd, env }).then(
    ({ stdout }) => stdout,
    (error: unknown) => (error as { stdout: string }).stdout,
  );
}

/** The package alone, as a codebase of its own. */
async function codebaseOf(name: string): Promise<string> {
  const repo = path.join(folder, name);
  const at = await run(python, ['-c', `import ${name}, os; print(os.path.dirname(${name}.__file__))`]);
  await cp(at.stdout.trim(), path.join(repo, name), {
    recursive: true,
    filter: (source) => path.basename(source) !== '__pycache__',
  });
  return repo;
}

const environments = new Map<string, Promise<string>>();

/** One environment for all files that list the same packages. */
function environmentOf(listed: string): Promise<string> {
  const made = environments.get(listed) ?? makeEnvironment(listed, environments.size);
  environments.set(listed, made);
  return made;
}

async function makeEnvironment(listed: string, number: number): Promise<string> {
  const requirements = path.join(folder, `listed-${number}.txt`);
  await writeFile(requirements, listed);
  return ensureVenv(requirements, await basePython());
}

async function check(repo: string, nodeId: string): Promise<void> {
  const host = { signal: new AbortController().signal, progress: () => undefined, log: () => undefined };
  const env = { PATH: process.env['PATH'] ?? '' };
  const report = await gistify({
    task: plainTask({ repo, nodeId, python }, { timeout: 120 }),
    host,
    installation,
    env,
    cwd: folder,
    fileName: 'repro.py',
  });
  const exported = await exportGist({ report, host, installation, env, secrets: 'mask' });
  // What the file says of itself, read as any tool would read it.
  const block = exported.text.slice(0, exported.text.indexOf('\n# ///\n'));
  const listed = [...block.matchAll(/^# {5}"([\w.-]+==[\w.]+)",$/gm)].map(([, pin = '']) => pin);
  expect(listed.length).toBeGreaterThan(0);
  expect(listed.some((pin) => pin.startsWith('toolz=='))).toBe(false);
  for (const place of [folder, os.homedir()]) {
    expect(exported.text).not.toContain(place);
    expect(exported.body).not.toContain(place);
  }
  const fresh = await environmentOf(`${listed.join('\n')}\n`);
  const empty = await mkdtemp(path.join(folder, 'empty-'));
  await writeFile(path.join(empty, 'repro.py'), exported.text);
  const test = nodeId.split('::').slice(1).join('::');
  for (const args of [['-m', 'pytest', `repro.py::${test}`], ['repro.py']]) {
    const output = await ended(fresh, args, empty);
    expect(output, output).toMatch(/\d+ passed/);
    expect(output).not.toMatch(/failed|error/);
  }
}

for (const [name, tests] of Object.entries(subjects)) {
  let repo: Promise<string> | null = null;
  for (const test of tests)
    it(test, { timeout: 600_000 }, async () => {
      repo ??= codebaseOf(name);
      await check(await repo, test);
    });
}

it('a failing one shows the same failure', { timeout: 600_000 }, async () => {
  const repo = path.join(root, 'sample');
  const host = { signal: new AbortController().signal, progress: () => undefined, log: () => undefined };
  const env = { PATH: process.env['PATH'] ?? '' };
  const nodeId = 'tests/test_bug_report.py::test_split_loses_no_cent';
  const report = await gistify({
    task: plainTask({ repo, nodeId, python }, { reduce: 'minimal', timeout: 120, budget: 60 }),
    host,
    installation,
    env,
    cwd: folder,
    fileName: 'repro.py',
  });
  const exported = await exportGist({ report, host, installation, env, secrets: 'mask' });
  const failing = "assert Money('99.99', 'EUR') == Money('100.00', 'EUR')";
  expect(exported.body).toContain('assert total == Money(100)');
  expect(exported.body).toContain(failing);
  expect(exported.facts.observed).toContain(failing);
  const empty = await mkdtemp(path.join(folder, 'empty-'));
  await writeFile(path.join(empty, 'repro.py'), exported.text);
  expect(await ended(python, ['repro.py'], empty)).toContain(failing);
  expect(await readFile(path.join(empty, 'repro.py'), 'utf8')).toBe(exported.text);
});
