// Planned tasks flow in, finished ones flow into the store: those that are there already are left alone, each of the
// others runs in a process of its own that goes when this one goes, however it goes.
import { fork } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { GistifyError } from '../base/gistifyError.js';
import type { PlannedTask } from './planRun.js';
import type { ResultStore } from './resultStore.js';
import type { TaskOrder } from './runTask.js';
import { noUsage, parseResult, type TaskResult } from './taskResult.js';

export interface BenchRun {
  readonly store: ResultStore;
  readonly tasks: readonly PlannedTask[];
  readonly orderOf: (planned: PlannedTask, out: string) => TaskOrder;
  readonly jobs: number;
  /** The command line's own file: it does one task as `bench task ORDER`. */
  readonly program: string;
  readonly signal: AbortSignal;
  readonly onProgress: (state: BenchProgress) => void;
}

export interface BenchProgress {
  /** Finished tasks, those of earlier runs included. */
  readonly finished: number;
  readonly total: number;
  /** Null until the first task is over. */
  readonly secondsLeft: number | null;
  readonly last: TaskResult | null;
}

/** Paths of the tasks that a store holds. */
export async function finishedTasks(store: ResultStore): Promise<ReadonlySet<string>> {
  const keys = await store.list('tasks');
  return new Set(
    keys.flatMap((key) => (key.endsWith('/result.json') ? [key.slice(0, -'/result.json'.length)] : [])),
  );
}

/**
 * Runs what is missing. Every finished task is in the store before the next takes its place. Returns the tasks that are
 * still to be done since a model's service failed: that says nothing of the agent.
 */
export async function runBench(run: BenchRun): Promise<readonly TaskResult[]> {
  const there = await finishedTasks(run.store);
  const missing = run.tasks.filter(({ path }) => !there.has(path));
  let finished = run.tasks.length - missing.length;
  const begun = performance.now();
  const limit = pLimit(run.jobs);
  const unanswered: TaskResult[] = [];
  run.onProgress({ finished, total: run.tasks.length, secondsLeft: null, last: null });
  await Promise.all(
    missing.map((planned) =>
      limit(async () => {
        run.signal.throwIfAborted();
        const last = await runOne(run, planned);
        if (last.stopped === 'model-fault') unanswered.push(last);
        else finished += 1;
        const done = finished + unanswered.length - (run.tasks.length - missing.length);
        const each = (performance.now() - begun) / 1000 / done;
        const secondsLeft = each * (missing.length - done);
        run.onProgress({ finished, total: run.tasks.length, secondsLeft, last });
      }),
    ),
  );
  return unanswered;
}

async function runOne(run: BenchRun, planned: PlannedTask): Promise<TaskResult> {
  const staged = await run.store.stage();
  try {
    const order = run.orderOf(planned, staged);
    const end = await runProcess(run, order);
    run.signal.throwIfAborted();
    // What crashed is a result too: it is counted, and read where it was written.
    if (end.result === null) {
      const crashed = crashedResult(order, end.words);
      await writeFile(join(staged, 'result.json'), `${JSON.stringify(crashed, null, 1)}\n`);
      await run.store.commit(staged, planned.path);
      return crashed;
    }
    if (end.result.stopped === 'model-fault') {
      await rm(staged, { recursive: true, force: true });
      return end.result;
    }
    await run.store.commit(staged, planned.path);
    return end.result;
  } catch (error) {
    await rm(staged, { recursive: true, force: true });
    throw error;
  }
}

interface ProcessEnd {
  readonly result: TaskResult | null;
  readonly words: string;
}

function runProcess(run: BenchRun, order: TaskOrder): Promise<ProcessEnd> {
  return new Promise((resolve, reject) => {
    // The channel closes when this process dies: the child sees it and ends with all that it started.
    const child = fork(run.program, ['bench', 'task'], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    let words = '';
    let result: TaskResult | null = null;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      words = (words + text).slice(-20_000);
    });
    child.on('message', (message) => {
      if (typeof message === 'string') result = parseResult(message, 'the result of a task');
    });
    const stop = () => child.kill('SIGTERM');
    run.signal.addEventListener('abort', stop, { once: true });
    child.on('error', (error) => {
      reject(new GistifyError('internal', `a task could not be started: ${error.message}`));
    });
    child.on('close', (status) => {
      run.signal.removeEventListener('abort', stop);
      resolve({ result, words: `ended with status ${status ?? 'unknown'}: ${words.trim()}` });
    });
    child.send(JSON.stringify(order));
  });
}

function crashedResult(order: TaskOrder, words: string): TaskResult {
  return {
    schema: 1,
    agent: order.agent.name,
    repository: order.repository,
    nodeId: order.nodeId,
    status: 'crashed',
    words,
    score: null,
    stopped: null,
    gist: null,
    usage: noUsage,
    seconds: { agent: 0, score: 0 },
    versions: { gistify: '', code: order.code, python: order.pythonVersion, codebase: order.codebase },
    files: [],
  };
}
