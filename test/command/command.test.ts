// Commands of tiny codebases become gists, which are then run as a user runs them: `python gist.py …`, far from the
// codebase. Status, output and written files must be those of the command itself, run plainly in a copy.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { cp, readFile, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GistifyError } from '../../src/base/gistifyError.js';
import { gistify } from '../../src/engine/gistify.js';
import { scoreFile } from '../../src/engine/scoreFile.js';
import type { Installation } from '../../src/engine/sources.js';
import type { Report } from '../../src/model/report.js';
import { bench, readDatasetFile, resultsIn } from '../bench/benchCli.js';
import { layInstallation } from '../installation.js';
import { plainTask } from '../plainTask.js';
import { minimalPython } from '../pythonEnv.js';

interface Run {
  readonly command: string;
  /** The command's words after its main module. */
  readonly arguments: readonly string[];
  readonly status: number;
  /** Type of the exception that ends it. */
  readonly failure?: string;
  /** Its output depends on `random`, which is seeded only where Gistify runs it. */
  readonly random?: boolean;
  readonly files?: readonly string[];
  readonly has: readonly string[];
  readonly hasNot: readonly string[];
  readonly held?: readonly string[];
}

interface Sample {
  readonly about: string;
  readonly runs: readonly Run[];
  readonly faults: readonly { readonly command: string; readonly code: string; readonly words: string }[];
}

const samples = path.join(import.meta.dirname, 'samples');
const names = readdirSync(samples);
const env = { PATH: process.env['PATH'] ?? '', PYTHONHASHSEED: '0' };
const host = { signal: new AbortController().signal, progress: () => undefined, log: () => undefined };
let work = '';
let python = '';
let installation: Installation;

beforeAll(async () => {
  work = await realpath(mkdtempSync(path.join(os.tmpdir(), 'gistify-commands-')));
  installation = await layInstallation(path.join(work, 'installation'));
  python = await minimalPython();
  for (const name of names)
    await cp(path.join(samples, name), path.join(work, name), {
      recursive: true,
      filter: (file) => !/(__pycache__|expect\.json)$/.test(file),
    });
});

afterAll(() => rm(work, { recursive: true, force: true }));

function readSample(name: string): Sample {
  return JSON.parse(readFileSync(path.join(samples, name, 'expect.json'), 'utf8')) as Sample;
}

function make(name: string, command: string): Promise<Report> {
  const task = plainTask({ repo: path.join(work, name), nodeId: command, python });
  return gistify({ task, host, installation, env, cwd: work, fileName: 'concise.py' });
}

interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

function runPlainly(args: readonly string[], cwd: string): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { cwd, env: { ...env, PYTHONDONTWRITEBYTECODE: '1' } };
    const child = execFile(python, args, options, (_error, stdout, stderr) => {
      resolve({ status: child.exitCode ?? -1, stdout, stderr });
    });
  });
}

/** A traceback tells places, which differ; its last line is the exception. */
function withoutPlaces({ status, stdout, stderr }: Ended): Ended {
  const last = stderr.trimEnd().split('\n').at(-1) ?? '';
  return {
    status,
    stdout,
    stderr: stderr.includes('Traceback (most recent') ? last.replace(/^[\w.]+\./, '') : stderr,
  };
}

async function check(name: string, run: Run): Promise<void> {
  const report = await make(name, run.command);
  expect(report.score.problems, report.gist.text).toEqual([]);
  expect(report.verified).toBe(true);
  expect(report.score).toMatchObject({ fidelity: 1, failure: 'none', testF1: null });
  expect(report.original.exitCode).toBe(run.status);
  expect(report.original.tests[0]?.phases[0]?.failure?.type.split('.').at(-1)).toBe(run.failure);
  expect(Object.keys(report.original.files ?? {})).toEqual(run.files ?? []);
  expect(report.environment).toMatchObject({ hashSeed: '0', randomSeed: 0 });
  const { text } = report.gist;
  expect(
    {
      lacking: run.has.filter((line) => !text.includes(line)),
      unwanted: run.hasNot.filter((part) => text.includes(part)),
    },
    text,
  ).toEqual({ lacking: [], unwanted: [] });
  if (run.held !== undefined) expect(report.layout.held.map(({ module }) => module)).toEqual(run.held);
  if (run.random === true) return;

  const there = mkdtempSync(path.join(work, 'there-'));
  await cp(path.join(work, name), there, { recursive: true });
  const words = run.command.split(' ');
  const main = words[1] === '-m' ? words.slice(1, 3) : words.slice(1, 2);
  const original = await runPlainly([...main, ...run.arguments], there);
  const alone = mkdtempSync(path.join(work, 'alone-'));
  writeFileSync(path.join(alone, 'gist.py'), text);
  const gist = await runPlainly(['gist.py', ...run.arguments], alone);
  expect(original.status).toBe(run.status);
  expect(withoutPlaces(gist), text).toEqual(withoutPlaces(original));
}

describe.each(names)('%s', (name) => {
  const sample = readSample(name);
  it.each(sample.runs.map((run) => [run.command, run] as const))('%s', (_command, run) => check(name, run));

  it.each(sample.faults.map((fault) => [fault.command, fault] as const))('%s', async (_command, fault) => {
    const error: unknown = await make(name, fault.command).catch((thrown: unknown) => thrown);
    if (!(error instanceof GistifyError)) throw new Error(`no GistifyError: ${String(error)}`);
    expect(error.code).toBe(fault.code);
    expect(error.message).toContain(fault.words);
  });
});

it('leaves the codebase as it was', async () => {
  for (const name of names)
    for (const file of readdirSync(path.join(work, name), { recursive: true, encoding: 'utf8' })) {
      expect(file).not.toContain('a file.txt');
      if (file.endsWith('.py'))
        expect(await readFile(path.join(work, name, file), 'utf8')).toBe(
          await readFile(path.join(samples, name, file), 'utf8'),
        );
    }
});

it('is a task of a dataset', async () => {
  const command = 'python -m greet --help';
  const dataset = {
    ...{ schema: 1, name: 'commands', tasks: [{ repository: 'greet', nodeId: command }] },
    repositories: [{ name: 'greet', source: { folder: 'greet' } }],
  };
  const [file, kept, out] = ['commands.json', 'kept.json', 'results'].map((one) => path.join(work, one));
  writeFileSync(file ?? '', JSON.stringify(dataset));
  const collected = await bench(['collect', '--dataset', file ?? '', '--python', python, '-o', kept ?? '']);
  expect(collected.code, collected.stderr).toBe(0);
  expect(readDatasetFile(kept ?? '').tasks).toEqual(dataset.tasks);
  const run = ['run', kept ?? '', '--python', python, '-o', out ?? ''];
  const ended = await bench(run);
  expect(ended.code, ended.stderr).toBe(0);
  const [result] = resultsIn(out ?? '').values();
  expect(result).toMatchObject({
    ...{ nodeId: command, status: 'scored', score: { fidelity: 1, failure: 'none', testF1: null } },
  });
  const asked = await bench([...run, '-a', 'mini:ollama/any']);
  expect(asked.code).toBe(2);
  expect(asked.stderr).toContain(`mini-any is a language model, and ${command} is no test`);
});

it('scores the gists of others by status, output and written files', async () => {
  const command = "python -m greet Bob --out 'a file.txt'";
  const scored = async (text: string) => {
    const { repo, pytestArgs, timeout } = plainTask({
      repo: path.join(work, 'greet'),
      nodeId: command,
      python,
    });
    return scoreFile({
      ...{ repo, pytestArgs, timeout, nodeId: command, python, sandbox: 'local', text },
      ...{ host, installation, env, cwd: work },
    });
  };
  const writing = (words: string) => `with open('a file.txt', 'w') as file:\n    file.write('${words}')\n`;
  const good = await scored(`${writing('Hello, Bob.')}raise SystemExit(3)\n`);
  expect(good.score).toMatchObject({ fidelity: 1, failure: 'none', problems: [] });
  const other = await scored(`${writing('Hello, Rob.')}raise SystemExit(3)\n`);
  expect(other.score.problems).toEqual(['a file.txt is written with another content in the gist']);
  const none = await scored('import sys\nprint("hm")\nsys.exit(2)\n');
  expect(none.score).toMatchObject({ fidelity: 0, failure: 'wrong-outcome' });
  expect(none.score.problems.map((problem) => problem.replace(/^python.*\(call\): /, ''))).toEqual([
    expect.stringMatching(/^stdout is "" in the original and "hm/),
    'the exit status is 3 in the original and 2 in the gist',
    'a file.txt is written in the original only',
  ]);
});
