// Two agents' results flow in, their paired differences flow out with confidence intervals: tasks that both have, each
// drawn again and again with its pair (bootstrap), by a seed, so that the same two runs give the same numbers.
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { mean, quantileSorted } from 'simple-statistics';
import type { Outcome } from './report/readRun.js';
import { comparable } from './report/outcomes.js';
import { executionOf, existenceOf } from './report/tables.js';
import { fidelityOf, type TaskResult } from './taskResult.js';

export interface Difference {
  readonly measure: 'fidelity' | 'existence' | 'execution' | 'testF1';
  /** Tasks for which both sides have the measure. */
  readonly pairs: number;
  readonly first: number | null;
  readonly second: number | null;
  /** Second minus first. */
  readonly difference: number | null;
  /** 95% interval of the difference. */
  readonly interval: readonly [low: number, high: number] | null;
  /** Pairs in which the second is higher, lower, the same. */
  readonly higher: number;
  readonly lower: number;
  readonly same: number;
}

export interface Comparison {
  readonly schema: 1;
  readonly seed: number;
  readonly resamples: number;
  /** Tasks that only one side has. */
  readonly unpaired: number;
  readonly differences: readonly Difference[];
}

const measures: readonly (readonly [Difference['measure'], (result: TaskResult) => number | null])[] = [
  ['fidelity', fidelityOf],
  ['existence', existenceOf],
  ['execution', executionOf],
  ['testF1', ({ score }) => score?.testF1 ?? null],
];

/** Compares two lists of outcomes task by task. */
export function compareRuns(
  first: readonly Outcome[],
  second: readonly Outcome[],
  seed: number,
  resamples: number,
): Comparison {
  const keyOf = ({ task }: Outcome) => `${task.repository}\0${task.nodeId}`;
  const others = new Map(comparable(second).map((outcome) => [keyOf(outcome), outcome.result]));
  const mine = comparable(first);
  const pairs = mine.flatMap((outcome) => {
    const other = others.get(keyOf(outcome));
    return other === undefined ? [] : [[outcome.result, other] as const];
  });
  const differences = measures.map(([measure, valueOf]): Difference => {
    const both = pairs.flatMap(([a, b]) => {
      const [x, y] = [valueOf(a), valueOf(b)];
      return x === null || y === null ? [] : [[x, y] as const];
    });
    const deltas = both.map(([x, y]) => y - x);
    const some = both.length > 0;
    return {
      measure,
      pairs: both.length,
      first: some ? mean(both.map(([x]) => x)) : null,
      second: some ? mean(both.map(([, y]) => y)) : null,
      difference: some ? mean(deltas) : null,
      interval: some ? bootstrap(deltas, seed, resamples) : null,
      higher: deltas.filter((delta) => delta > 0).length,
      lower: deltas.filter((delta) => delta < 0).length,
      same: deltas.filter((delta) => delta === 0).length,
    };
  });
  const unpaired = mine.length + others.size - 2 * pairs.length;
  return { schema: 1, seed, resamples, unpaired, differences };
}

/** 95% percentile interval of the mean. */
function bootstrap(values: readonly number[], seed: number, resamples: number): readonly [number, number] {
  const generator = xoroshiro128plus(seed);
  const means = Array.from({ length: resamples }, () => {
    let sum = 0;
    for (const _ of values) sum += values[uniformInt(generator, 0, values.length - 1)] ?? 0;
    return sum / values.length;
  }).toSorted((a, b) => a - b);
  return [quantileSorted(means, 0.025), quantileSorted(means, 0.975)];
}
