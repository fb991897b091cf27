// Each folder of `samples/` is a tiny codebase; what the helper tells of one of its tests is compared with
// `expected.txt`, the same for every interpreter. `vitest -u` writes the expectations anew.
import { cp, mkdtemp, readFile, readdir, realpath, rm, stat } from 'node:fs/promises';
import { readFileSync, readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basePython, ensureVenv } from '../../scripts/pythonEnv.mjs';
import type { RunOutcome } from '../../src/model/outcome.js';
import type { Trace, TracedFile } from '../../src/model/trace.js';
import { createLocalSandbox } from '../../src/sandbox/localSandbox.js';
import { traceOriginal, type Runner } from '../../src/trace/runPytest.js';
import { furtherPythons } from '../pythonEnv.js';

interface Case {
  readonly about: string;
  readonly node: string;
  /** What the write guard says, where the test must not run in place. */
  readonly writes?: string;
  /** Calls are not counted over processes. */
  readonly uncounted?: boolean;
}

const folder = path.join(import.meta.dirname, 'samples');
const samples = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => {
    const facts = JSON.parse(readFileSync(path.join(folder, name, 'case.json'), 'utf8')) as Case;
    return { ...facts, name };
  });

const base = await basePython();
const minimal = fileURLToPath(new URL('../requirements-minimal.txt', import.meta.url));
const pythons = [
  { version: base.version, python: await ensureVenv(minimal, base), reason: '' },
  ...(await furtherPythons()),
];
const sandbox = createLocalSandbox();
let work = '';

beforeAll(async () => {
  work = await realpath(await mkdtemp(path.join(os.tmpdir(), 'gistify-trace-')));
});

afterAll(async () => {
  await sandbox.dispose();
  await rm(work, { recursive: true, force: true });
});

function runnerOf(python: string): Runner {
  return {
    sandbox,
    python,
    helper: fileURLToPath(new URL('../../src/trace/helper', import.meta.url)),
    env: { PATH: process.env['PATH'] ?? '' },
    timeout: 60,
    signal: new AbortController().signal,
    log: () => undefined,
    cache: path.join(work, 'kept'),
  };
}

async function filesOf(root: string): Promise<readonly (readonly [string, string])[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const names = entries.map((entry) => path.join(entry.parentPath, entry.name)).sort();
  return Promise.all(
    names.map(async (name) => [name, await readFile(name, 'latin1').catch(() => 'folder')] as const),
  );
}

async function check(
  { name, node, writes, uncounted }: Case & { readonly name: string },
  python: string,
  again: boolean,
): Promise<void> {
  const root = await mkdtemp(path.join(work, `${name}-`));
  await cp(path.join(folder, name), root, { recursive: true });
  const before = await filesOf(root);
  const request = { root, cwd: root, nodeId: node, pytestArgs: [], pythonPath: [], excluded: [] };
  const traced = await traceOriginal(runnerOf(python), { ...request, inPlace: true });
  expect(await filesOf(root)).toEqual(before);
  if (writes !== undefined) {
    expect(traced).toMatchObject({ kind: 'writes' });
    expect(traced.kind === 'writes' && traced.what).toContain(writes);
    return;
  }
  if (traced.kind !== 'trace') throw new Error(`the test ${traced.what}`);
  const text = await describeTrace(root, traced.trace, uncounted !== true);
  await expect(text.replaceAll(root, 'ROOT')).toMatchFileSnapshot(path.join(folder, name, 'expected.txt'));
  if (!again) return;
  const kept = await statesOf(path.join(work, 'kept'));
  const second = await traceOriginal(runnerOf(python), { ...request, inPlace: true });
  if (second.kind !== 'trace') throw new Error(`the test ${second.what}`);
  expect(await describeTrace(root, second.trace, uncounted !== true)).toBe(text);
  expect(await statesOf(path.join(work, 'kept')), 'all code is kept from the first run').toEqual(kept);
}

/** Path and time of each kept file: a file that is written anew has another time. */
async function statesOf(kept: string): Promise<readonly string[]> {
  const entries = await readdir(kept, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  expect(files).not.toEqual([]);
  return Promise.all(files.sort().map(async (file) => `${file} ${String((await stat(file)).mtimeMs)}`));
}

/** A trace as text: what a reader of the sample can follow by eye. */
async function describeTrace(root: string, trace: Trace, counted: boolean): Promise<string> {
  const first = trace.order.map(([instance]) => trace.instances[instance]?.name ?? '?');
  const files = [...trace.files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const shown = await Promise.all(files.map((file) => describeFile(root, file, counted)));
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ['modules by first statement', [...new Set(first)]],
    ['data files', trace.dataFiles],
    ['listed folders', trace.listedFolders],
    ['entered', trace.entered],
    ['relative reads', trace.relativeReads],
    ['variables read', trace.variables],
    ['written', trace.written],
    ['blind', trace.blind],
  ];
  return [
    ...shown.flat(),
    ...lists.flatMap(([title, items]) => (items.length === 0 ? [] : [`${title}: ${items.join(', ')}`])),
    ...describeOutcome(trace.outcome),
    '',
  ].join('\n');
}

/** `I`: ran as modules were imported; `T`: ran in the test. */
async function describeFile(root: string, file: TracedFile, counted: boolean): Promise<readonly string[]> {
  const lines = (await readFile(path.join(root, file.path), 'utf8')).split('\n');
  const calls = new Map(file.calls);
  const rows = file.statements.map(([line, column, importing, testing], index) => {
    const called = calls.get(index);
    const text = lines[line - 1]?.slice(column) ?? '';
    const count = called === undefined || !counted ? '' : `  (called ${called})`;
    return `  ${importing ? 'I' : '-'}${testing ? 'T' : '-'} ${`${line}:${column}`.padEnd(6)}${text}${count}`;
  });
  return [file.path, ...rows, ''];
}

function describeOutcome(outcome: RunOutcome): readonly string[] {
  return outcome.tests.flatMap(({ name, phases }) => [
    '',
    name,
    ...phases.flatMap((phase) => [
      `  ${phase.when} ${phase.outcome}${phase.reason === '' ? '' : `: ${phase.reason}`}`,
      ...(phase.failure === null
        ? []
        : [
            `    ${phase.failure.type}: ${JSON.stringify(phase.failure.message)}`,
            `    at ${phase.failure.line}`,
          ]),
      ...(['stdout', 'stderr', 'log'] as const).flatMap((stream) =>
        phase[stream] === '' ? [] : [`    ${stream} ${JSON.stringify(phase[stream])}`],
      ),
    ]),
  ]);
}

for (const { version, python, reason } of pythons) {
  if (python === null) {
    it.skip(`trace under Python ${version}: ${reason.split('\n')[0] ?? ''}`, () => undefined);
    process.stdout.write(`traces under Python ${version} are skipped: ${reason.split('\n')[0] ?? ''}\n`);
    continue;
  }
  describe(`trace under Python ${version}`, () => {
    it.each(samples)('$name: $about', (sample) => check(sample, python, version === base.version));
  });
}
