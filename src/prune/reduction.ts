// A reduction under way: its rows, and what every pass does with them. Rows only ever change to ones that hold.
import type { Gist } from '../model/gist.js';
import type { PythonParser } from '../python/parse.js';
import { moduleStatements, type Statement } from '../python/statements.js';
import { parseSource, type SourceFile } from '../python/syntax.js';
import { applyEdits, gistOf, textOf, type Edit, type Row } from './document.js';
import type { Search } from './search.js';
import { shrink } from './shrink.js';
import { removalEdits, rowStarts } from './statementEdits.js';

export interface ReduceInput {
  readonly gist: Gist;
  readonly parser: PythonParser;
  readonly verify: (text: string) => Promise<boolean>;
  /** Lines that a text runs, 1-based, in the order of their first run; null where that cannot be told. */
  readonly linesRun: (text: string) => Promise<readonly number[] | null>;
  /** 1-based lines of the gist that must stay as they are. */
  readonly pinned: ReadonlySet<number>;
  /** For a failing test: conditions around kept code stay, and functions that returned a value go on returning one. */
  readonly failing: boolean;
  /** Name of the test's function. */
  readonly entry: string;
  /** Candidates at a time. */
  readonly workers: number;
  readonly stopped: () => boolean;
  readonly progress: (linesLeft: number, tried: number) => void;
  /** Each smaller text on the way. */
  readonly reached: (gist: Gist) => void;
}

export interface State {
  rows: readonly Row[];
  readonly search: Search;
  readonly input: ReduceInput;
  /** Row ids by the order of their first run, as of the last run that was looked at. */
  rank: ReadonlyMap<number, number>;
  /** Ids of first rows of statements that a sweep could not remove: not tried again in the same round. */
  readonly resisting: Set<number>;
}

export interface Tree {
  readonly file: SourceFile;
  readonly starts: readonly number[];
  readonly statements: readonly Statement[];
}

const trees = new WeakMap<readonly Row[], Tree>();

export function treeOf({ rows, input }: Pick<State, 'rows' | 'input'>): Tree {
  const known = trees.get(rows);
  if (known !== undefined) return known;
  const file = parseSource(input.parser, 'gist.py', textOf(rows));
  const tree = { file, starts: rowStarts(file), statements: moduleStatements(file) };
  trees.set(rows, tree);
  return tree;
}

export function take(state: State, rows: readonly Row[]): void {
  state.rows = rows;
  state.input.progress(rows.length, state.search.tried());
  state.input.reached(gistOf(rows));
}

/** Tries one set of edits; takes it where it holds. */
export async function commit(state: State, edit: (tree: Tree) => readonly Edit[]): Promise<boolean> {
  const edits = edit(treeOf(state));
  if (edits.length === 0) return false;
  const rows = applyEdits(state.rows, edits);
  if (!(await state.search.holds(() => rows))) return false;
  take(state, rows);
  return true;
}

/** Removes what can go of some items; `edits` gives null where they cannot all go. */
export async function shrinkItems<T>(
  state: State,
  items: readonly T[],
  chance: number,
  edits: (removed: ReadonlySet<T>) => readonly Edit[] | null,
): Promise<ReadonlySet<T>> {
  if (items.length === 0 || state.search.stopped()) return new Set();
  const base = state.rows;
  const without = (removed: ReadonlySet<T>) => {
    const own = edits(removed);
    return own === null ? null : applyEdits(base, own);
  };
  return shrink({
    search: state.search,
    items,
    without,
    chance,
    workers: state.input.workers,
    reached(more) {
      const rows = without(more);
      if (rows !== null) take(state, rows);
    },
  });
}

/** Removes what can go of some statements; `needed` refuses sets that surely cannot go, without a run. */
export async function shrinkStatements(
  state: State,
  items: readonly Statement[],
  chance: number,
  needed: (removed: ReadonlySet<Statement>) => boolean = () => false,
): Promise<ReadonlySet<Statement>> {
  const tree = treeOf(state);
  return shrinkItems(state, items, chance, (removed) =>
    needed(removed) ? null : removalEdits(tree.file, tree.starts, tree.statements, removed),
  );
}
