// Parts of lines go: arguments, parameters, elements, names, decorators; then rows of long strings. Instances of a
// parametrized test go first of all, as each costs a run of it in every candidate.
import { walkStatements } from '../python/statements.js';
import type { PyNode } from '../python/syntax.js';
import type { Edit } from './document.js';
import { partEdits, partLists, textRows, type PartList } from './listEdits.js';
import { shrinkItems, treeOf, type State, type Tree } from './reduction.js';

/** What removes some parts of lists; null where they cannot all go. */
function editsWithout(tree: Tree, lists: readonly PartList[]) {
  const owner = new Map(lists.flatMap((list) => list.parts.map((part) => [part, list] as const)));
  return (removed: ReadonlySet<PyNode>): readonly Edit[] | null => {
    const edits: Edit[] = [];
    for (const list of new Set([...removed].map((part) => owner.get(part)))) {
      const own = list === undefined ? null : partEdits(tree.file, list, removed);
      if (own === null) return null;
      edits.push(...own);
    }
    return edits;
  };
}

/** Parametrize instances: long lists in the decorators of the test. */
export async function instances(state: State): Promise<void> {
  const tree = treeOf(state);
  const rows: (readonly [number, number])[] = [];
  walkStatements(tree.statements, (one) => {
    if (one.kind === 'function' && one.name === state.input.entry)
      for (const { row, endRow } of one.decorators) rows.push([row, endRow]);
  });
  const lists = partLists(tree.file).filter(
    ({ parts: [first, ...more] }) =>
      first !== undefined &&
      more.length > 1 &&
      first.type !== 'decorator' &&
      rows.some(([from, to]) => from <= first.row && first.endRow <= to),
  );
  const outer = lists.filter(
    (list) => !lists.some((other) => other !== list && other.parts.some((part) => holds(part, list))),
  );
  const items = outer.flatMap((list) => list.parts);
  await shrinkItems(state, items, 0.9, editsWithout(tree, outer));
}

function holds(part: PyNode, { parts: [first] }: PartList): boolean {
  return first !== undefined && part.start <= first.start && first.end <= part.end;
}

/** Whole lists, then single parts of those that stay, then rows of strings. */
export async function parts(state: State): Promise<void> {
  const before = treeOf(state);
  const whole = partLists(before.file).filter(
    (list) => !isPinned(state, list) && list.inside !== null && list.parts.length > 1,
  );
  const without = editsWithout(before, whole);
  await shrinkItems(state, whole, 0.3, (removed) =>
    without(new Set([...removed].flatMap((list) => list.parts))),
  );
  const tree = treeOf(state);
  const lists = partLists(tree.file).filter((list) => !isPinned(state, list));
  const single = lists.flatMap((list) => list.parts);
  await shrinkItems(state, single, 0.4, editsWithout(tree, lists));
  await stringRows(state);
}

/**
 * A list on a line that must stay as it is, or, where the test fails, in what a function gives: a value that was cut
 * short fails alike, and says nothing any more of how it came to be wrong.
 */
function isPinned(state: State, { parts: all }: PartList): boolean {
  const { rows, input } = state;
  const [first] = all;
  const last = all.at(-1);
  if (first === undefined || last === undefined) return true;
  if (input.failing && valueRows(state).has(first.row)) return true;
  return rows.slice(first.row, last.endRow + 1).every(({ id }) => input.pinned.has(id + 1));
}

/** Rows of statements that give a function's value. */
function valueRows(state: State): ReadonlySet<number> {
  const rows = new Set<number>();
  walkStatements(treeOf(state).statements, ({ kind, firstRow, lastRow }) => {
    if (kind === 'return') for (let row = firstRow; row <= lastRow; row += 1) rows.add(row);
  });
  return rows;
}

async function stringRows(state: State): Promise<void> {
  const { file, starts } = treeOf(state);
  const rows = textRows(file).flat();
  await shrinkItems(state, rows, 0.9, (removed) =>
    [...removed].map((row) => ({ start: starts[row] ?? 0, end: starts[row + 1] ?? 0, text: '', why: '' })),
  );
}
