// A store flows in, all that a report is made from flows out: manifest, sessions, dataset and the results of all tasks,
// each result beside the task that it is of.
import pLimit from 'p-limit';
import { GistifyError } from '../../base/gistifyError.js';
import { parseDataset, parseJson, type Dataset, type DatasetTask } from '../dataset.js';
import type { ResultStore } from '../resultStore.js';
import { finishedTasks } from '../runBench.js';
import { readManifest, readSessions, type RunManifest, type RunSession } from '../runManifest.js';
import { taskPath } from '../taskPath.js';
import { parseResult, type TaskResult } from '../taskResult.js';

export interface Outcome {
  readonly path: string;
  readonly task: DatasetTask;
  readonly result: TaskResult;
}

export interface Run {
  readonly where: string;
  readonly manifest: RunManifest;
  readonly sessions: readonly RunSession[];
  readonly dataset: Dataset;
  /** Finished tasks, by agent and then in the order of the dataset. */
  readonly outcomes: readonly Outcome[];
}

/** Reads a run whole. */
export async function readRun(store: ResultStore): Promise<Run> {
  const manifest = await readManifest(store);
  const text = await store.read('dataset.json');
  if (manifest === null || text === null)
    throw new GistifyError(
      'file-not-found',
      `${store.where} holds no run`,
      'Make one with `gistify bench run`.',
    );
  const where = `${store.where}/dataset.json`;
  const dataset = parseDataset(parseJson(text, where), where);
  const there = await finishedTasks(store);
  const planned = manifest.agents.flatMap(({ name }) =>
    dataset.tasks.map((task) => ({ task, path: taskPath(name, task.repository, task.nodeId) })),
  );
  const limit = pLimit(16);
  const outcomes = await Promise.all(
    planned
      .filter(({ path }) => there.has(path))
      .map(({ task, path }) =>
        limit(async () => {
          const key = `${path}/result.json`;
          return { path, task, result: parseResult((await store.read(key)) ?? '', key) };
        }),
      ),
  );
  return { where: store.where, manifest, sessions: await readSessions(store), dataset, outcomes };
}
