// Candidates flow in, the first that holds flows out: several are verified at a time, a text that was tried is known, and
// what lacks a row that must stay is never run.
import { textOf, type Row } from './document.js';

export interface Search {
  /** Index of the first candidate that holds, -1 where none does. Candidates behind it may be tried for nothing. */
  firstHolding(candidates: readonly (() => readonly Row[] | null)[]): Promise<number>;
  /** Candidates that were run. */
  readonly tried: () => number;
}

export interface SearchInput {
  readonly verify: (text: string) => Promise<boolean>;
  readonly workers: number;
  /** Rows that must stay as they are. */
  readonly pinned: ReadonlyMap<number, string>;
  /** Ends the search: what has not been tried then does not hold. */
  readonly stopped: () => boolean;
}

export function createSearch({ verify, workers, pinned, stopped }: SearchInput): Search {
  const known = new Map<string, Promise<boolean>>();
  let tried = 0;
  const holds = (rows: readonly Row[] | null): Promise<boolean> => {
    if (rows === null || stopped() || !keepsAll(rows, pinned)) return Promise.resolve(false);
    const text = textOf(rows);
    const before = known.get(text);
    if (before !== undefined) return before;
    tried += 1;
    const verdict = verify(text);
    known.set(text, verdict);
    return verdict;
  };
  return {
    tried: () => tried,
    async firstHolding(candidates) {
      let next = 0;
      let first = candidates.length;
      const work = async (): Promise<void> => {
        while (next < first) {
          const index = next;
          next += 1;
          const candidate = candidates[index];
          if (candidate !== undefined && (await holds(candidate()))) first = Math.min(first, index);
        }
      };
      await Promise.all(Array.from({ length: workers }, work));
      return first === candidates.length ? -1 : first;
    },
  };
}

function keepsAll(rows: readonly Row[], pinned: ReadonlyMap<number, string>): boolean {
  let found = 0;
  for (const { id, text } of rows) if (pinned.get(id) === text.trim()) found += 1;
  return found >= pinned.size;
}

/**
 * Removes as many items as can go, from the last to the first. A success tries twice as many at once, so that what
 * goes in runs costs little, and what stays costs one candidate each.
 */
export async function shrink<T>(
  search: Search,
  items: readonly T[],
  without: (removed: ReadonlySet<T>) => readonly Row[] | null,
  workers: number,
): Promise<ReadonlySet<T>> {
  let removed: ReadonlySet<T> = new Set();
  const more = (from: number, to: number) => new Set([...removed, ...items.slice(Math.max(0, from), to)]);
  if (items.length > 1 && (await search.firstHolding([() => without(new Set(items))])) === 0)
    return new Set(items);
  let end = items.length;
  let step = 1;
  while (end > 0) {
    if (step > 1) {
      const sets = [more(end - step, end), more(end - 1, end)] as const;
      const found = await search.firstHolding(sets.map((set) => () => without(set)));
      const took = found === 0 ? step : 1;
      if (found !== -1) removed = sets[found] ?? removed;
      end -= took;
      step = found === 0 ? step * 2 : found === 1 ? 2 : 1;
    } else {
      const sets = Array.from({ length: Math.min(workers, end) }, (_, index) =>
        more(end - index - 1, end - index),
      );
      const found = await search.firstHolding(sets.map((set) => () => without(set)));
      if (found === -1) end -= sets.length;
      else {
        removed = sets[found] ?? removed;
        end -= found + 1;
        step = 2;
      }
    }
  }
  return removed;
}
