// The engine is killed at random moments of a run, in a container and on this machine; after the next start nothing of it
// is left: no process, container, volume or file, and the codebase is as it was. GISTIFY_KILLS says how often.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testPython } from '../pythonEnv.js';
import { environment, testEngine, testImage } from './testEngine.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { engine, reason } = await testEngine();
const kills = Number(process.env['GISTIFY_KILLS'] ?? 6);
const signals = ['SIGKILL', 'SIGKILL', 'SIGTERM', 'SIGINT'] as const;
/** In the environment of every process of these runs, in containers too. */
const mark = `killtest${process.pid}`;
let work = '';

beforeAll(async () => {
  work = await mkdtemp(path.join(os.tmpdir(), 'gistify-test-'));
  await cp(path.join(root, 'sample'), path.join(work, 'repo'), { recursive: true });
  await mkdir(path.join(work, 'tmp'));
});

afterAll(async () => {
  await rm(work, { recursive: true, force: true });
});

interface Run {
  readonly ended: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

function start(where: readonly string[]): Run {
  const args = ['run', 'tests/test_checkout.py::test_voucher', '--repo', path.join(work, 'repo'), ...where];
  const child = spawn(
    process.execPath,
    [path.join(root, 'dist/cli.js'), ...args, '--out', path.join(work, 'gist.py'), '--env', `MARK=${mark}`],
    {
      env: { ...environment(), MARK: mark, TMPDIR: path.join(work, 'tmp') },
      stdio: 'ignore',
    },
  );
  return {
    ended: new Promise((resolve) => child.once('exit', resolve)),
    kill: (signal) => child.kill(signal),
  };
}

async function filesOf(folder: string): Promise<string> {
  const sum = createHash('sha256');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const file of entries.map((entry) => path.join(entry.parentPath, entry.name)).sort())
    sum.update(file).update(await readFile(file).catch(() => ''));
  return sum.digest('hex');
}

async function processes(): Promise<number> {
  let count = 0;
  for (const pid of process.platform === 'linux' ? await readdir('/proc') : []) {
    const text = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
    if (text.includes(`MARK=${mark}`)) count += 1;
  }
  return count;
}

interface Left {
  readonly processes: number;
  readonly held: number;
  readonly volumes: number;
  readonly files: readonly string[];
  readonly codebase: string;
}

async function left(): Promise<Left> {
  const volumes = await engine?.docker.listVolumes();
  const all = await engine?.docker.listContainers({ all: true, filters: { label: ['dev.gistify.sandbox'] } });
  return {
    processes: await processes(),
    // Those of other runs at the same time have a living holder.
    held: (all ?? []).filter(({ Names }) => {
      const holder = /busy-[0-9a-f]+-(\d+)-/.exec(Names[0] ?? '')?.[1];
      return holder !== undefined && !existsSync(`/proc/${holder}`);
    }).length,
    volumes: (volumes?.Volumes ?? []).length,
    files: await readdir(path.join(work, 'tmp')),
    codebase: await filesOf(path.join(work, 'repo')),
  };
}

async function settled(): Promise<Left> {
  // The engine removes containers in its own time.
  for (let round = 0; round < 40; round += 1) {
    const now = await left();
    if (now.processes === 0 && now.held === 0) return now;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return left();
}

async function check(where: readonly string[]): Promise<void> {
  const began = performance.now();
  expect(await start(where).ended).toBe(0);
  const whole = performance.now() - began;
  // Only now: the first start sweeps what others may have left.
  const before = await left();
  for (let count = 0; count < kills; count += 1) {
    const run = start(where);
    const timer = setTimeout(() => {
      run.kill(signals[count % signals.length] ?? 'SIGKILL');
    }, Math.random() * whole);
    await run.ended;
    clearTimeout(timer);
  }
  // The next start sweeps.
  expect(await start(where).ended).toBe(0);
  expect(await settled()).toEqual(before);
}

const patience = 60_000 + kills * 20_000;

describe('an engine that is killed', () => {
  it(
    `leaves nothing on this machine (${kills} times)`,
    async () => {
      await check(['--sandbox', 'local', '--python', await testPython()]);
    },
    patience,
  );

  it.skipIf(engine === null)(
    `leaves nothing in containers (${kills} times)${reason === '' ? '' : ` (skipped: ${reason})`}`,
    async () => {
      await check(['--sandbox', `docker:${testImage}`]);
    },
    patience,
  );
});
