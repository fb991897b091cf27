// Failures of a run flow in, tables of what went wrong flow out: by our own kinds, and by the four that the paper names
// (arXiv 2510.26790). Each failed task counts once, by the first thing that went wrong.
import { groupBy } from '../../base/groupBy.js';
import type { FailureKind } from '../../model/score.js';
import { fidelityOf, type TaskResult } from '../taskResult.js';
import { agentColumn, comparable, labelOf, ofAgent } from './outcomes.js';
import type { Run } from './readRun.js';
import type { Table } from './table.js';

type Failure = Exclude<FailureKind, 'none'> | 'limit-reached' | 'model-fault' | 'crashed';

const kinds = ['import', 'missing-file', 'missing-test', 'runtime'] as const;
type PaperKind = (typeof kinds)[number];

const titles: Readonly<Record<PaperKind, string>> = {
  import: 'Import error',
  'missing-file': 'File missing',
  'missing-test': 'Test function missing',
  runtime: 'pytest runtime error',
};

const paperKinds: Readonly<Record<Failure, PaperKind>> = {
  'no-file': 'missing-file',
  'limit-reached': 'missing-file',
  'model-fault': 'missing-file',
  crashed: 'missing-file',
  'codebase-import': 'import',
  'import-error': 'import',
  'test-missing': 'missing-test',
  'test-changed': 'missing-test',
  'syntax-error': 'runtime',
  'pytest-error': 'runtime',
  'wrong-outcome': 'runtime',
  'wrong-output': 'runtime',
  timeout: 'runtime',
};

/** Why a gist is not faithful: in the words of the score, or what kept the agent from making one. */
export function failureOf({ status, score, stopped }: TaskResult): Failure | 'none' {
  if (status === 'crashed') return 'crashed';
  return score?.failure ?? stopped ?? 'no-file';
}

interface Failed {
  readonly failure: Failure;
  readonly path: string;
}

function failuresOf(run: Run, agent: Run['manifest']['agents'][number]): readonly Failed[] {
  return comparable(ofAgent(run, agent)).flatMap(({ result, path }) => {
    const failure = failureOf(result);
    return fidelityOf(result) === 1 || failure === 'none' ? [] : [{ failure, path }];
  });
}

/** One row an agent and kind of failure. */
export function errorTable(run: Run): Table {
  const rows = run.manifest.agents.flatMap((agent) => {
    const failed = failuresOf(run, agent);
    return [...groupBy(failed, ({ failure }) => failure)]
      .toSorted(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1))
      .map(([failure, all]) => ({
        agent: labelOf(agent),
        failure,
        count: all.length,
        share: all.length / failed.length,
        example: all[0]?.path ?? null,
        paper: titles[paperKinds[failure]],
      }));
  });
  return {
    id: 'errors',
    title: 'Kinds of failure',
    note: 'Share among the agent’s own failures, each counted once by the first thing that went wrong.',
    columns: [
      agentColumn,
      { key: 'failure', title: 'Failure', kind: 'text' },
      { key: 'count', title: 'Tasks', kind: 'count' },
      { key: 'share', title: 'Share', kind: 'rate' },
      { key: 'example', title: 'For example', kind: 'text' },
      { key: 'paper', title: 'In the paper', kind: 'text' },
    ],
    rows,
  };
}

/** One row an agent, its failures by the paper's four kinds. */
export function attributionTable(run: Run): Table {
  const rows = run.manifest.agents.map((agent) => {
    const failed = failuresOf(run, agent);
    const counts = kinds.map((kind) => [
      kind,
      failed.filter(({ failure }) => paperKinds[failure] === kind).length,
    ]);
    return {
      agent: labelOf(agent),
      ...(Object.fromEntries(counts) as Record<PaperKind, number>),
      failures: failed.length,
    };
  });
  return {
    id: 'attribution',
    title: 'Error attribution',
    note: 'Failed tasks by the kinds that the paper names; the next table has them in detail.',
    columns: [
      agentColumn,
      ...kinds.map((kind) => ({ key: kind, title: titles[kind], kind: 'count' }) as const),
      { key: 'failures', title: 'Failed', kind: 'count' },
    ],
    rows,
  };
}
