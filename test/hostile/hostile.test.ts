// Each folder of `samples/` is a codebase that is broken or means harm: it ends in a named error that says what to do, or
// in a right result, and leaves no process, no temporary file and no change in the codebase behind.
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GistifyError } from '../../src/base/gistifyError.js';
import { gistify } from '../../src/engine/gistify.js';
import type { Installation } from '../../src/engine/sources.js';
import { layInstallation } from '../installation.js';
import { plainTask } from '../plainTask.js';
import { minimalPython } from '../pythonEnv.js';

interface Sample {
  readonly name: string;
  readonly about: string;
  readonly node: string;
  /** Outcome of the test, reproduced by a gist that verifies. */
  readonly outcome?: string;
  /** Code of the error that the run ends with, and words that it must say. */
  readonly error?: string;
  readonly words?: readonly string[];
  /** Seconds that one run may take. */
  readonly timeout?: number;
}

const samples = readdirSync(path.join(import.meta.dirname, 'samples')).map((name) => {
  const file = path.join(import.meta.dirname, 'samples', name, 'expect.json');
  return { name, ...(JSON.parse(readFileSync(file, 'utf8')) as Omit<Sample, 'name'>) };
});

let folder = '';
let python = '';
let installation: Installation;
const temporary = process.env['TMPDIR'];

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'gistify-hostile-')));
  python = await minimalPython();
  installation = await layInstallation(path.join(folder, 'installation'));
});

afterAll(async () => {
  if (temporary === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = temporary;
  await rm(folder, { recursive: true, force: true });
});

/** Everything in a folder: kind, mode, and what it holds or leads to. */
function stateOf(root: string): ReadonlyMap<string, string> {
  const state = new Map<string, string>();
  const walk = (place: string): void => {
    const stat = lstatSync(place);
    const kind = stat.isSymbolicLink()
      ? readlinkSync(place)
      : stat.isFile()
        ? `${stat.size} ${stat.mtimeMs}`
        : '';
    state.set(path.relative(root, place), `${stat.mode} ${kind}`);
    if (stat.isDirectory()) for (const name of readdirSync(place)) walk(path.join(place, name));
  };
  walk(root);
  return state;
}

/** Command lines of processes that were started below a folder's name, by their environment. */
function processesOf(mark: string): readonly string[] {
  if (!existsSync('/proc')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      try {
        return readFileSync(`/proc/${name}/environ`, 'latin1').includes(mark)
          ? [readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' ')]
          : [];
      } catch {
        return [];
      }
    });
}

async function run({ node, timeout }: Sample, repo: string): Promise<unknown> {
  try {
    const report = await gistify({
      task: plainTask({ repo, nodeId: node, python }, { timeout: timeout ?? 60 }),
      host: { signal: new AbortController().signal, progress: () => undefined, log: () => undefined },
      installation,
      env: { PATH: process.env['PATH'] ?? '', TMPDIR: process.env['TMPDIR'] ?? '' },
      cwd: folder,
      fileName: 'concise.py',
    });
    const outcomes = report.original.tests.map(
      ({ phases }) => phases.findLast(({ outcome }) => outcome !== 'passed')?.outcome ?? 'passed',
    );
    return { problems: report.score.problems, outcomes: [...new Set(outcomes)] };
  } catch (error) {
    if (!(error instanceof GistifyError)) throw error;
    return error;
  }
}

async function check(sample: Sample): Promise<void> {
  const repo = path.join(folder, sample.name, 'repo');
  const temp = path.join(folder, sample.name, 'tmp');
  await mkdir(temp, { recursive: true });
  await cp(path.join(import.meta.dirname, 'samples', sample.name), repo, { recursive: true });
  await rm(path.join(repo, 'expect.json'));
  if (existsSync(path.join(repo, 'make.py'))) {
    expect(spawnSync(python, ['make.py'], { cwd: repo, encoding: 'utf8' }).stderr).toBe('');
    await rm(path.join(repo, 'make.py'));
  }
  const before = stateOf(repo);
  process.env['TMPDIR'] = temp;
  const result = await run(sample, repo);

  if (sample.error === undefined) expect(result).toEqual({ problems: [], outcomes: [sample.outcome] });
  else {
    expect(result).toMatchObject({ code: sample.error });
    const { message, hint, details } = result as GistifyError;
    expect(hint).not.toBe('');
    for (const words of sample.words ?? []) expect(`${message}\n${hint}\n${details}`).toContain(words);
  }
  expect(stateOf(repo)).toEqual(before);
  expect(await readdir(temp)).toEqual([]);
  expect(processesOf(temp)).toEqual([]);
  if (existsSync(path.join(repo, 'closed'))) await chmod(path.join(repo, 'closed'), 0o700);
  await rm(path.join(folder, sample.name), { recursive: true, force: true });
}

describe('hostile', () => {
  it.each(samples)('$name: $about', check, 330_000);
});
