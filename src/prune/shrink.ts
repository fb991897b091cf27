// Items that may go flow in, those that can all go together flow out. Group testing, from the last item to the first:
// how many are tried at once follows from how often items went so far; a group that cannot go is halved.
import type { Row } from './document.js';
import type { Search } from './search.js';

/** Items `from` to `to`. */
interface Block {
  readonly from: number;
  readonly to: number;
}

interface State {
  readonly removed: ReadonlySet<number>;
  /** Items from here on are decided, or lie in a block that waits. */
  readonly end: number;
  /** Halves of blocks that could not go whole; the last is next. */
  readonly waiting: readonly Block[];
  /** How likely one more item can go. */
  readonly chance: number;
}

export interface ShrinkInput<T> {
  readonly search: Search;
  readonly items: readonly T[];
  /** The rows without some items; null where that cannot be. */
  readonly without: (removed: ReadonlySet<T>) => readonly Row[] | null;
  /** How likely one of the items can go, before anything is known. */
  readonly chance: number;
  readonly workers: number;
  /** Each larger set that can go. */
  readonly reached?: (removed: ReadonlySet<T>) => void;
}

/** How much one item's fate says about the next one's. */
const weight = 0.15;
const largest = 256;

/** Removes as many items as can go. */
export async function shrink<T>(input: ShrinkInput<T>): Promise<ReadonlySet<T>> {
  const { search, items, without, workers } = input;
  const picked = (indices: ReadonlySet<number>): ReadonlySet<T> =>
    new Set(items.filter((_, index) => indices.has(index)));
  const tryOf = (state: State, block: Block) => () => without(picked(withBlock(state.removed, block)));
  if (items.length > 1 && input.chance >= 0.5) {
    const all = new Set(items);
    if (await search.holds(() => without(all))) {
      input.reached?.(all);
      return all;
    }
  }
  let state: State = { removed: new Set(), end: items.length, waiting: [], chance: input.chance };
  for (let block = next(state); block !== null && !search.stopped(); block = next(state)) {
    const verdict = search.holds(tryOf(state, block));
    let guessed = state;
    let guess: Block | null = block;
    for (let count = 1; count < workers && guess !== null; count += 1) {
      guessed = decide(guessed, guess, guessed.chance ** (guess.to - guess.from) >= 0.5);
      guess = next(guessed);
      if (guess !== null && !search.ahead(tryOf(guessed, guess))) break;
    }
    const goes = await verdict;
    state = decide(state, block, goes);
    if (goes) input.reached?.(picked(state.removed));
  }
  return picked(state.removed);
}

/** What is tried next; null where all is decided. */
function next({ end, waiting, chance }: State): Block | null {
  const last = waiting.at(-1);
  if (last !== undefined) return last;
  if (end === 0) return null;
  // The size that takes the most items a try, on average.
  const size = Math.round(-1 / Math.log(Math.min(0.999, Math.max(0.01, chance))));
  return { from: Math.max(0, end - Math.min(largest, Math.max(1, size))), to: end };
}

function decide(state: State, block: Block, goes: boolean): State {
  const { from, to } = block;
  const own = state.waiting.at(-1) === block;
  const waiting = own ? state.waiting.slice(0, -1) : state.waiting;
  const end = own ? state.end : from;
  if (goes)
    return {
      removed: withBlock(state.removed, block),
      end,
      waiting,
      chance: 1 - (1 - state.chance) * (1 - weight) ** (to - from),
    };
  if (to - from === 1) return { ...state, end, waiting, chance: state.chance * (1 - weight) };
  // The half tried first is the later one. Where it goes, the other is the block that failed: known, and halved unrun.
  const middle = Math.floor((from + to) / 2);
  return { ...state, end, waiting: [...waiting, { from, to: middle }, { from: middle, to }] };
}

function withBlock(removed: ReadonlySet<number>, { from, to }: Block): ReadonlySet<number> {
  const more = new Set(removed);
  for (let index = from; index < to; index += 1) more.add(index);
  return more;
}
