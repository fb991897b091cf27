// Datasets flow in, one with fewer tasks flows out: N a repository by a seed, or the hardest by both axes of the paper
// (trace length and files touched). The same seed gives the same tasks, in whatever order they came.
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { GistifyError } from '../base/gistifyError.js';
import type { Dataset, DatasetTask } from './dataset.js';

type Axis = 'calls' | 'files';

/** One dataset of several; a repository that stands in more than one must be the same in each. */
export function joinDatasets(datasets: readonly Dataset[], name: string): Dataset {
  const repositories = new Map<string, Dataset['repositories'][number]>();
  const tasks = new Map<string, DatasetTask>();
  for (const dataset of datasets) {
    for (const repository of dataset.repositories) {
      const known = repositories.get(repository.name);
      if (known !== undefined && JSON.stringify(known) !== JSON.stringify(repository))
        throw new GistifyError(
          'usage',
          `the datasets do not agree on what ${repository.name} is`,
          'Give one of the two repositories another name.',
        );
      repositories.set(repository.name, repository);
    }
    for (const task of dataset.tasks) tasks.set(`${task.repository}\0${task.nodeId}`, task);
  }
  return {
    schema: 1,
    name,
    seed: null,
    repositories: [...repositories.values()],
    tasks: [...tasks.values()],
    dropped: datasets.flatMap(({ dropped }) => dropped),
  };
}

/** `count` tasks of each repository, drawn by the seed; all where a repository has no more. */
export function samplePerRepository(dataset: Dataset, count: number, seed: number): Dataset {
  const generator = xoroshiro128plus(seed);
  const tasks = dataset.repositories.flatMap(({ name }) => {
    const pool = ordered(dataset.tasks.filter(({ repository }) => repository === name));
    // Fisher and Yates, as far as is needed.
    for (let at = 0; at < Math.min(count, pool.length); at += 1) {
      const other = uniformInt(generator, at, pool.length - 1);
      const [here, there] = [pool[at], pool[other]];
      if (here !== undefined && there !== undefined) [pool[at], pool[other]] = [there, here];
    }
    return ordered(pool.slice(0, count));
  });
  return { ...dataset, seed, tasks };
}

/** Marks the `count` tasks with the longest traces and the `count` that touch the most files. */
export function markHard(dataset: Dataset, count: number): Dataset {
  const unmeasured = dataset.tasks.find(({ calls, files }) => calls === undefined || files === undefined);
  if (unmeasured !== undefined)
    throw new GistifyError(
      'usage',
      `${unmeasured.nodeId} of ${unmeasured.repository} is not measured`,
      'Measure the dataset first: gistify bench collect --dataset FILE.',
    );
  const hardest = (axis: Axis) =>
    new Set(
      ordered(dataset.tasks)
        .toSorted((a, b) => (b[axis] ?? 0) - (a[axis] ?? 0))
        .slice(0, count)
        .map(keyOf),
    );
  const axes = { calls: hardest('calls'), files: hardest('files') };
  const tasks = dataset.tasks.map(({ hard: _, ...task }) => {
    const hard = (['calls', 'files'] as const).filter((axis) => axes[axis].has(keyOf(task)));
    return hard.length > 0 ? { ...task, hard } : task;
  });
  return { ...dataset, tasks };
}

/** Only the tasks that are marked as hard. */
export function onlyHard(dataset: Dataset): Dataset {
  return { ...dataset, tasks: dataset.tasks.filter(({ hard }) => hard !== undefined && hard.length > 0) };
}

function keyOf({ repository, nodeId }: DatasetTask): string {
  return `${repository}\0${nodeId}`;
}

function ordered(tasks: readonly DatasetTask[]): DatasetTask[] {
  return tasks.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
