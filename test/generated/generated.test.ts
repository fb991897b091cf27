// Generated programs against the original as oracle: each is gistified, its gist verifies, and plain pytest far from the
// codebase gives the same outcomes and prints the same. GISTIFY_GENERATED says how many; GISTIFY_SEED takes one alone.
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import readline from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { gistify } from '../../src/engine/gistify.js';
import type { Installation } from '../../src/engine/sources.js';
import type { Report } from '../../src/model/report.js';
import { layInstallation } from '../installation.js';
import { plainTask } from '../plainTask.js';
import { minimalPython } from '../pythonEnv.js';
import { generate, type Generated } from './generate.js';

interface Plain {
  readonly code: number;
  readonly tests: readonly (readonly [name: string, when: string, outcome: string, message: string])[];
  readonly stdout: string;
}

const single = process.env['GISTIFY_SEED'];
const count = Number(process.env['GISTIFY_GENERATED'] ?? 60);
const seeds = single === undefined ? Array.from({ length: count }, (_, seed) => seed) : [Number(single)];

let folder = '';
let python = '';
let installation: Installation;
let plain: ChildProcessByStdio<Writable, Readable, null>;
let answers: AsyncIterator<string>;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'gistify-generated-')));
  python = await minimalPython();
  installation = await layInstallation(path.join(folder, 'installation'));
  const env = { PATH: process.env['PATH'], PYTHONDONTWRITEBYTECODE: '1', PYTHONHASHSEED: '0' };
  plain = spawn(python, [path.join(import.meta.dirname, 'runPlain.py')], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  answers = readline.createInterface({ input: plain.stdout })[Symbol.asyncIterator]();
});

afterAll(async () => {
  plain.kill();
  if (single === undefined) await rm(folder, { recursive: true, force: true });
});

/** One plain run; they are asked for one after the other. */
async function runPlain(place: string, ...args: readonly string[]): Promise<Plain> {
  plain.stdin.write(`${JSON.stringify([place, args])}\n`);
  const { value } = (await answers.next()) as { value: string };
  return JSON.parse(value) as Plain;
}

async function write({ files }: Generated, repo: string): Promise<void> {
  for (const [name, text] of files) {
    await mkdir(path.dirname(path.join(repo, name)), { recursive: true });
    await writeFile(path.join(repo, name), text);
  }
}

function makeReport(repo: string, node: string): Promise<Report> {
  return gistify({
    task: plainTask({ repo, nodeId: node, python }),
    host: { signal: new AbortController().signal, progress: () => undefined, log: () => undefined },
    installation,
    env: { PATH: process.env['PATH'] ?? '' },
    cwd: folder,
    fileName: 'gist.py',
  });
}

it.each(seeds)('program %i', async (seed) => {
  const generated = generate(seed);
  const repo = path.join(folder, String(seed), 'repo');
  const away = path.join(folder, String(seed), 'away');
  await write(generated, repo);
  await mkdir(away);
  const original = await runPlain(repo, generated.node);
  // Some programs cannot even be loaded: then that is what must be said.
  if (original.tests.length === 0 || original.tests.some(([, when]) => when === 'collect')) {
    await expect(makeReport(repo, generated.node)).rejects.toMatchObject({ code: 'collection-error' });
    return;
  }

  const report = await makeReport(repo, generated.node);
  const text = single === undefined ? report.gist.text : `${repo}\n${report.gist.text}`;
  expect({ problems: report.score.problems, verified: report.verified }, text).toEqual({
    problems: [],
    verified: true,
  });
  await writeFile(path.join(away, 'gist.py'), report.gist.text);
  expect(await runPlain(away, 'gist.py'), text).toEqual(original);
  if (single === undefined) await rm(path.join(folder, String(seed)), { recursive: true });
});
