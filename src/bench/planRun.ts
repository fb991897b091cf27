// A dataset and agents flow in, the list of tasks flows out, the same on every machine, so that shards agree on who
// does what without speaking to each other.
import { GistifyError } from '../base/gistifyError.js';
import type { Agent } from './agents.js';
import type { Dataset, DatasetTask } from './dataset.js';
import { taskPath } from './taskPath.js';

export interface PlannedTask {
  readonly path: string;
  readonly agent: Agent;
  readonly task: DatasetTask;
}

export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly count: number;
}

/** All tasks of a run, or those of one shard; every nth, so that shards are of like weight. */
export function planRun(dataset: Dataset, agents: readonly Agent[], shard: Shard): readonly PlannedTask[] {
  return agents
    .flatMap((agent) =>
      dataset.tasks.map((task) => ({
        path: taskPath(agent.name, task.repository, task.nodeId),
        agent,
        task,
      })),
    )
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .filter((_, at) => at % shard.count === shard.index - 1);
}

/** `i/n`; nothing is the whole. */
export function parseShard(text: string | undefined): Shard {
  if (text === undefined) return { index: 1, count: 1 };
  const [, index, count] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (index === undefined || count === undefined || index < 1 || index > count)
    throw new GistifyError(
      'usage',
      `--shard takes i/n with 1 <= i <= n, not ${JSON.stringify(text)}`,
      'For example --shard 2/5.',
    );
  return { index, count };
}
