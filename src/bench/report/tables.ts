// A run flows in, the paper's tables flow out (arXiv 2510.26790, sections 3 and 4, appendix A): main, hard subset,
// ablation, error attribution, fidelity by trace length and by files touched, test F1, repositories, and every task.
import { mean, sampleCorrelation, standardDeviation } from 'simple-statistics';
import { groupBy } from '../../base/groupBy.js';
import type { Agent } from '../agents.js';
import { fidelityOf, type TaskResult } from '../taskResult.js';
import { attributionTable, errorTable, failureOf } from './attribution.js';
import { agentColumn, comparable, labelOf, ofAgent } from './outcomes.js';
import type { Outcome, Run } from './readRun.js';
import type { Cell, Column, Table } from './table.js';

interface Measures {
  readonly tasks: number;
  readonly fidelity: number | null;
  readonly existence: number | null;
  readonly execution: number | null;
  readonly testF1: number | null;
}

function average(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : mean(known);
}

/** Share of statements that stand in the codebase; null where there is no gist. */
export function existenceOf({ score }: TaskResult): number | null {
  return score === null || score.existence.total === 0 ? null : score.existence.hit / score.existence.total;
}

/** Share of executable lines that ran; null where the gist did not run. */
export function executionOf({ score }: TaskResult): number | null {
  return score?.execution == null || score.execution.total === 0
    ? null
    : score.execution.hit / score.execution.total;
}

function measure(outcomes: readonly Outcome[]): Measures {
  const results = comparable(outcomes).map(({ result }) => result);
  return {
    tasks: results.length,
    fidelity: average(results.map(fidelityOf)),
    existence: average(results.map(existenceOf)),
    execution: average(results.map(executionOf)),
    testF1: average(results.map(({ score }) => score?.testF1 ?? null)),
  };
}

const measureColumns: readonly Column[] = [
  { key: 'tasks', title: 'Tasks', kind: 'count' },
  { key: 'fidelity', title: 'Fidelity', kind: 'rate' },
  { key: 'existence', title: 'Line existence', kind: 'rate' },
  { key: 'execution', title: 'Line execution', kind: 'rate' },
  { key: 'testF1', title: 'Test F1', kind: 'rate' },
];

function toolsOf({ execution }: Agent): string {
  if (typeof execution === 'string') return execution === 'off' ? 'no' : execution;
  return execution === undefined ? '–' : execution ? 'yes' : 'no';
}

function mainTable(
  run: Run,
  id: string,
  title: string,
  note: string,
  wanted: (one: Outcome) => boolean,
): Table {
  const rows = run.manifest.agents.map((agent) => {
    const outcomes = ofAgent(run, agent).filter(wanted);
    const results = outcomes.map(({ result }) => result);
    return {
      agent: labelOf(agent),
      tools: toolsOf(agent),
      ...measure(outcomes),
      lines: average(results.map(({ gist }) => gist?.lines ?? null)),
      seconds: average(results.map(({ seconds }) => seconds.agent)),
      tokens: average(
        results.map(({ usage }) =>
          usage.inputTokens === null ? null : usage.inputTokens + (usage.outputTokens ?? 0),
        ),
      ),
      cost: average(results.map(({ usage }) => usage.cost)),
      left: results.length - comparable(outcomes).length,
    };
  });
  return {
    id,
    title,
    note,
    columns: [
      agentColumn,
      { key: 'tools', title: 'Execution tools', kind: 'text' },
      ...measureColumns,
      { key: 'lines', title: 'Lines', kind: 'number' },
      { key: 'seconds', title: 'Seconds', kind: 'number' },
      ...(rows.some(({ tokens }) => tokens !== null)
        ? [{ key: 'tokens', title: 'Tokens', kind: 'number' } as const]
        : []),
      ...(rows.some(({ cost }) => cost !== null)
        ? [{ key: 'cost', title: 'Cost $', kind: 'number' } as const]
        : []),
      ...(rows.some(({ left }) => left > 0)
        ? [{ key: 'left', title: 'Original failed', kind: 'count' } as const]
        : []),
    ],
    rows,
  };
}

function ablationTable(run: Run): Table | null {
  const varied = run.manifest.agents.filter(({ base }) => base !== undefined);
  if (varied.length === 0) return null;
  const rows: Record<string, Cell>[] = [];
  for (const [base, variations] of groupBy(varied, (agent) => agent.base)) {
    const found = run.manifest.agents.find(({ name }) => name === base);
    if (found === undefined) continue;
    const plain = measure(ofAgent(run, found));
    rows.push({ agent: labelOf(found), ...plain, difference: null });
    for (const agent of variations) {
      const own = measure(ofAgent(run, agent));
      const difference =
        own.fidelity === null || plain.fidelity === null ? null : own.fidelity - plain.fidelity;
      rows.push({ agent: `+ ${labelOf(agent)}`, ...own, difference });
    }
  }
  return {
    id: 'ablation',
    title: 'Ablation',
    note: 'Each variation stands below the agent that it varies; the difference is in fidelity.',
    columns: [agentColumn, ...measureColumns, { key: 'difference', title: 'Difference', kind: 'rate' }],
    rows,
  };
}

const mostBins = 5;

/** Ranges with about as many tasks each; tasks of one value are never parted. */
function ranges(
  values: readonly number[],
  most = mostBins,
): readonly (readonly [from: number, to: number])[] {
  const sorted = values.toSorted((a, b) => a - b);
  const out: [number, number][] = [];
  let from = 0;
  for (let bin = 1; bin <= most && from < sorted.length; bin += 1) {
    let to = Math.max(from + 1, Math.round((sorted.length * bin) / most));
    while (to < sorted.length && sorted[to] === sorted[to - 1]) to += 1;
    out.push([sorted[from] ?? 0, sorted[to - 1] ?? 0]);
    from = to;
  }
  return out;
}

function binnedTable(run: Run, axis: 'calls' | 'files', title: string, note: string): Table | null {
  const values = run.dataset.tasks.flatMap((task) => (task[axis] === undefined ? [] : [task[axis]]));
  if (values.length === 0) return null;
  const bins = ranges(values);
  const rows = run.manifest.agents.flatMap((agent) => {
    const outcomes = comparable(ofAgent(run, agent));
    return bins.map(([from, to]) => {
      const inside = outcomes.filter(
        ({ task }) => task[axis] !== undefined && task[axis] >= from && task[axis] <= to,
      );
      return { agent: labelOf(agent), from, to, ...measure(inside) };
    });
  });
  return {
    id: axis,
    title,
    note,
    columns: [
      agentColumn,
      { key: 'from', title: 'From', kind: 'count' },
      { key: 'to', title: 'To', kind: 'count' },
      ...measureColumns,
    ],
    rows,
  };
}

/** Pearson's correlation; null where one side does not vary. */
function correlation(pairs: readonly (readonly [number, number])[]): number | null {
  const [xs, ys] = [pairs.map(([x]) => x), pairs.map(([, y]) => y)];
  if (pairs.length < 3 || standardDeviation(xs) === 0 || standardDeviation(ys) === 0) return null;
  return sampleCorrelation(xs, ys);
}

function testF1Table(run: Run): Table {
  const pairsOf = (outcomes: readonly Outcome[]) =>
    comparable(outcomes).flatMap(({ result }) => {
      const f1 = result.score?.testF1 ?? null;
      return f1 === null ? [] : [[f1, fidelityOf(result)] as const];
    });
  const row = (agent: string, outcomes: readonly Outcome[]) => {
    const pairs = pairsOf(outcomes);
    const where = (fidelity: number) => average(pairs.filter(([, y]) => y === fidelity).map(([x]) => x));
    return {
      agent,
      tasks: pairs.length,
      faithful: where(1),
      unfaithful: where(0),
      correlation: correlation(pairs),
    };
  };
  const rows = run.manifest.agents.map((agent) => row(labelOf(agent), ofAgent(run, agent)));
  return {
    id: 'testF1',
    title: 'Test F1 and fidelity',
    note: 'Agreement of the gist’s own test with the original, and its correlation with fidelity.',
    columns: [
      agentColumn,
      { key: 'tasks', title: 'Tasks', kind: 'count' },
      { key: 'faithful', title: 'Test F1 where faithful', kind: 'rate' },
      { key: 'unfaithful', title: 'Test F1 where not', kind: 'rate' },
      { key: 'correlation', title: 'Correlation', kind: 'number' },
    ],
    rows: rows.length > 1 ? [...rows, row('all', run.outcomes)] : rows,
  };
}

function repositoryTable(run: Run): Table {
  const rows = run.manifest.agents.flatMap((agent) =>
    run.dataset.repositories.flatMap(({ name }) => {
      const outcomes = ofAgent(run, agent).filter(({ task }) => task.repository === name);
      return outcomes.length === 0 ? [] : [{ agent: labelOf(agent), repository: name, ...measure(outcomes) }];
    }),
  );
  const repository: Column = { key: 'repository', title: 'Repository', kind: 'text' };
  return {
    id: 'repositories',
    title: 'By repository',
    note: '',
    columns: [agentColumn, repository, ...measureColumns],
    rows,
  };
}

function taskTable(run: Run): Table {
  return {
    id: 'tasks',
    title: 'Every task',
    note: 'The folder holds the gist, its score, what the agent did, and result.json.',
    columns: [
      agentColumn,
      { key: 'repository', title: 'Repository', kind: 'text' },
      { key: 'nodeId', title: 'Test', kind: 'text' },
      { key: 'status', title: 'Status', kind: 'text' },
      { key: 'fidelity', title: 'Fidelity', kind: 'count' },
      { key: 'existence', title: 'Line existence', kind: 'rate' },
      { key: 'execution', title: 'Line execution', kind: 'rate' },
      { key: 'testF1', title: 'Test F1', kind: 'rate' },
      { key: 'failure', title: 'Failure', kind: 'text' },
      { key: 'calls', title: 'Calls', kind: 'count' },
      { key: 'files', title: 'Files', kind: 'count' },
      { key: 'lines', title: 'Lines', kind: 'count' },
      { key: 'seconds', title: 'Seconds', kind: 'number' },
      { key: 'folder', title: 'Folder', kind: 'text' },
    ],
    rows: run.outcomes.map(({ path, task, result }) => ({
      agent: result.agent,
      repository: task.repository,
      nodeId: task.nodeId,
      status: result.status,
      fidelity: result.status === 'original-failed' ? null : fidelityOf(result),
      existence: existenceOf(result),
      execution: executionOf(result),
      testF1: result.score?.testF1 ?? null,
      failure: result.status === 'original-failed' ? null : failureOf(result),
      calls: task.calls ?? null,
      files: task.files ?? null,
      lines: result.gist?.lines ?? null,
      seconds: result.seconds.agent,
      folder: path,
    })),
  };
}

/** All tables of a report; those that the run says nothing about are left out. */
export function makeTables(run: Run): readonly Table[] {
  const isHard = ({ task }: Outcome) => task.hard !== undefined && task.hard.length > 0;
  const averages =
    'Averages over tasks: existence where there is a gist, execution where it ran, the rest over all tasks whose original runs.';
  const tables = [
    mainTable(run, 'main', 'Main results', averages, () => true),
    run.outcomes.some(isHard)
      ? mainTable(
          run,
          'hard',
          'Hard subset',
          'The tasks with the longest traces and those that touch the most files.',
          isHard,
        )
      : null,
    ablationTable(run),
    repositoryTable(run),
    attributionTable(run),
    errorTable(run),
    binnedTable(
      run,
      'calls',
      'Fidelity by trace length',
      'Trace length: calls of the codebase’s functions while the test runs.',
    ),
    binnedTable(
      run,
      'files',
      'Fidelity by files touched',
      'Files of the codebase of which a statement ran while the test ran.',
    ),
    testF1Table(run),
    taskTable(run),
  ];
  return tables.filter((table) => table !== null);
}
