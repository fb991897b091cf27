// `gistify bench run`: a dataset and agents in, finished tasks in a folder or an S3-compatible store out.
import { join } from 'node:path';
import { isCommand } from '../../base/command.js';
import { GistifyError } from '../../base/gistifyError.js';
import { agentsOf } from '../../bench/agents.js';
import { datasetHash, readDataset, type Dataset } from '../../bench/dataset.js';
import { interpreterFacts, pinnedVariables, runVariables } from '../../bench/environment.js';
import { checkModelAgent } from '../../bench/modelRun.js';
import { parseShard, planRun, type PlannedTask } from '../../bench/planRun.js';
import { openStore } from '../../bench/openStore.js';
import type { ResultStore } from '../../bench/resultStore.js';
import { runBench, type BenchProgress } from '../../bench/runBench.js';
import {
  hashCodebase,
  hashProgram,
  joinManifests,
  readManifest,
  type RunManifest,
  type RunSession,
} from '../../bench/runManifest.js';
import { onlyHard } from '../../bench/sample.js';
import { readCodebase, readCommit } from '../../engine/sources.js';
import { givenEnvironment, secondsOption } from '../commonOptions.js';
import { installation } from '../installation.js';
import { parseOptions } from '../parseOptions.js';
import { jobsOption, placeOptions, preparer, type Prepared } from './benchOptions.js';

export async function benchRunCommand(args: readonly string[], signal: AbortSignal): Promise<number> {
  const { values, positionals } = parseOptions(args, {
    ...placeOptions,
    agent: { type: 'string', multiple: true, short: 'a' },
    shard: { type: 'string' },
    hard: { type: 'boolean' },
    timeout: { type: 'string' },
    out: { type: 'string', short: 'o' },
  });
  const [file, ...extra] = positionals;
  if (file === undefined || extra.length > 0)
    throw new GistifyError(
      'usage',
      'run needs one dataset file',
      'For example: gistify bench run dataset.json --agent builtin --out results',
    );
  const whole = await readDataset(file);
  const agents = await agentsOf(values.agent ?? ['builtin'], process.cwd());
  const env = givenEnvironment();
  for (const agent of agents) if (agent.kind === 'model') await checkModelAgent(agent, env);
  const command = whole.tasks.find(({ nodeId }) => isCommand(nodeId));
  const asked = agents.find(({ kind }) => kind === 'model');
  if (command !== undefined && asked !== undefined)
    throw new GistifyError(
      'usage',
      `${asked.name} is a language model, and ${command.nodeId} is no test`,
      'Language models are asked for gists of tests only: take the commands out of the dataset.',
    );
  const shard = parseShard(values.shard);
  const timeout = secondsOption(values.timeout, 120);
  const tasks = planRun(values.hard === true ? onlyHard(whole) : whole, agents, shard);
  const store = await openStore(values.out ?? 'results');
  await enter(store, whole, {
    schema: 1,
    dataset: { name: whole.name, sha256: datasetHash(whole), tasks: whole.tasks.length },
    agents: agents.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    timeout,
    pinned: pinnedVariables,
  });
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const ready = await prepareAll(whole, tasks, preparer(values, file, signal, say), signal);
  const { root, version } = installation();
  const code = await hashProgram(root);
  const started = new Date().toISOString();
  const session: RunSession = {
    schema: 1,
    started,
    shard: `${shard.index}/${shard.count}`,
    gistify: version,
    code,
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
    repositories: Object.fromEntries(
      [...ready].map(([name, { codebase, facts }]) => [name, { codebase, ...facts }]),
    ),
  };
  const name = `${started.replaceAll(/[:.]/g, '-')}-${shard.index}-of-${shard.count}-${process.pid}`;
  await store.write(`sessions/${name}.json`, `${JSON.stringify(session, null, 1)}\n`);
  const unanswered = await runBench({
    store,
    tasks,
    orderOf: ({ agent, task }, out) => {
      const repository = whole.repositories.find((one) => one.name === task.repository);
      const prepared = ready.get(task.repository);
      if (repository === undefined || prepared === undefined)
        throw new GistifyError('internal', `${task.repository} was not prepared`);
      return {
        agent,
        repository: task.repository,
        nodeId: task.nodeId,
        folder: prepared.folder,
        python: prepared.python,
        pythonVersion: prepared.facts.python,
        codebase: prepared.codebase,
        pytestArgs: repository.pytestArgs,
        variables: { ...runVariables(repository, prepared.folder, env) },
        timeout,
        code,
        out,
      };
    },
    jobs: jobsOption(values.jobs),
    program: join(root, 'cli.js'),
    signal,
    onProgress: values.quiet === true ? () => undefined : showProgress,
  });
  const [first] = unanswered;
  if (first !== undefined)
    throw new GistifyError(
      'model-failed',
      `${unanswered.length} of ${tasks.length} tasks are still to be done, since the model's service failed`,
      'The same command goes on with them.',
      first.words,
    );
  say(`${tasks.length} tasks are finished: ${store.where}`);
  return 0;
}

/** The store's manifest, made or added to; the dataset stands beside it for reports. */
async function enter(store: ResultStore, dataset: Dataset, mine: RunManifest): Promise<void> {
  const known = await readManifest(store);
  const all = known === null ? mine : joinManifests(known, mine, store.where);
  if (JSON.stringify(known) !== JSON.stringify(all))
    await store.write('run.json', `${JSON.stringify(all, null, 1)}\n`);
  const text = `${JSON.stringify(dataset, null, 1)}\n`;
  if (known === null || (await store.read('dataset.json')) !== text) await store.write('dataset.json', text);
}

interface Ready extends Prepared {
  readonly codebase: string;
  readonly facts: { readonly python: string; readonly packages: Record<string, string> };
}

async function prepareAll(
  dataset: Dataset,
  tasks: readonly PlannedTask[],
  prepare: (repository: Dataset['repositories'][number]) => Promise<Prepared>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Ready>> {
  const ready = new Map<string, Ready>();
  for (const repository of dataset.repositories) {
    if (!tasks.some(({ task }) => task.repository === repository.name)) continue;
    const prepared = await prepare(repository);
    const facts = await interpreterFacts(prepared.python, signal);
    const commit = await readCommit(prepared.folder);
    const codebase = commit ?? hashCodebase(await readCodebase(prepared.folder));
    ready.set(repository.name, {
      ...prepared,
      codebase,
      facts: { ...facts, packages: { ...facts.packages } },
    });
  }
  return ready;
}

function showProgress({ finished, total, secondsLeft, last }: BenchProgress): void {
  const left = secondsLeft === null ? '' : `, ${showSeconds(secondsLeft)} left`;
  const what =
    last === null
      ? ''
      : ` ${last.agent} ${last.repository} ${last.nodeId}: ${last.score === null ? (last.stopped ?? last.status) : `fidelity ${last.score.fidelity}`}`;
  process.stderr.write(`[${finished}/${total}${left}]${what}\n`);
}

function showSeconds(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  return seconds < 6000 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
