// Candidates flow in, verdicts flow out: a text that was tried is known, and what lacks a row that must stay is never
// run. No more candidates than there are workers run at a time.
import { textOf, type Row } from './document.js';

/** Rows of a candidate, made when they are asked for; null where there is no such text. */
export type Candidate = () => readonly Row[] | null;

export interface Search {
  holds(candidate: Candidate): Promise<boolean>;
  /** Begins a candidate that will likely be asked for, where a worker is free; false where none is. */
  ahead(candidate: Candidate): boolean;
  /** Index of the first candidate that holds, -1 where none does. */
  firstHolding(candidates: readonly Candidate[]): Promise<number>;
  /** Candidates that were run. */
  readonly tried: () => number;
  readonly stopped: () => boolean;
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
  let busy = 0;
  const holds = (candidate: Candidate): Promise<boolean> => {
    if (stopped()) return Promise.resolve(false);
    const rows = candidate();
    if (rows === null || !keepsAll(rows, pinned)) return Promise.resolve(false);
    const text = textOf(rows);
    const before = known.get(text);
    if (before !== undefined) return before;
    tried += 1;
    busy += 1;
    const verdict = verify(text).finally(() => {
      busy -= 1;
    });
    // Nobody may come to ask for what was begun ahead.
    verdict.catch(() => undefined);
    known.set(text, verdict);
    return verdict;
  };
  const ahead = (candidate: Candidate): boolean => {
    if (busy >= workers) return false;
    void holds(candidate);
    return true;
  };
  return {
    tried: () => tried,
    stopped,
    holds,
    ahead,
    async firstHolding(candidates) {
      for (const [index, candidate] of candidates.entries()) {
        const verdict = holds(candidate);
        for (const next of candidates.slice(index + 1, index + workers)) if (!ahead(next)) break;
        if (await verdict) return index;
      }
      return -1;
    },
  };
}

function keepsAll(rows: readonly Row[], pinned: ReadonlyMap<number, string>): boolean {
  let found = 0;
  for (const { id, text } of rows) if (pinned.get(id) === text.trim()) found += 1;
  return found >= pinned.size;
}
