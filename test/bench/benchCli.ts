// What the tests of bench share: the command line in a process of its own, an environment, files that must be there.
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { Dataset } from '../../src/bench/dataset.js';
import type { Table } from '../../src/bench/report/table.js';
import type { TaskResult } from '../../src/bench/taskResult.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
export const samples = path.join(import.meta.dirname, 'samples');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** Starts `gistify bench …`. */
export function startBench(args: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
  const child = spawn(process.execPath, [path.join(root, 'dist', 'cli.js'), 'bench', ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<Ended>((resolve) =>
    child.on('close', (code) => {
      resolve({ code, stdout, stderr });
    }),
  );
  return { child, ended };
}

export async function bench(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return startBench(args, env).ended;
}

export function readDatasetFile(file: string): Dataset {
  return JSON.parse(readFileSync(file, 'utf8')) as Dataset;
}

/** Rows of a table of `report.json`. */
export function reportRows(folder: string, id: string): Table['rows'] {
  const report = JSON.parse(readFileSync(path.join(folder, 'report.json'), 'utf8')) as {
    tables: Record<string, Pick<Table, 'rows'> | undefined>;
  };
  return report.tables[id]?.rows ?? [];
}

/** All results below a folder, by the relative path of their task. */
export function resultsIn(folder: string): ReadonlyMap<string, TaskResult> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^tasks\/.*\/result\.json$/.test(name),
  );
  return new Map(
    files
      .toSorted()
      .map((name) => [
        path.dirname(name),
        JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as TaskResult,
      ]),
  );
}

/** Waits until something is so, or fails after a while. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  seconds = 90,
): Promise<void> {
  const end = Date.now() + 1000 * seconds;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`never so: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
