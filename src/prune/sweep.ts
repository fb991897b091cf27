// What no longer runs and what nothing mentions any more goes at once, with all that only it mentioned. The run that is
// looked at for it also tells in which order rows first ran.
import { walkStatements, type Statement } from '../python/statements.js';
import { textOf } from './document.js';
import { boundNames, mentionsOf, type Mentions } from './mentions.js';
import { shrinkStatements, treeOf, type State, type Tree } from './reduction.js';

/** One run, and what it shows to be unneeded is tried to be removed, mostly in one go. */
export async function sweep(state: State): Promise<void> {
  if (state.input.stopped()) return;
  const run = await state.input.linesRun(textOf(state.rows));
  if (run !== null)
    state.rank = new Map(run.map((line, index) => [state.rows[line - 1]?.id ?? -1, index] as const));
  const tree = treeOf(state);
  const executed = run === null ? null : new Set(run);
  const resists = (one: Statement) => state.resisting.has(state.rows[one.firstRow]?.id ?? -1);
  const dead = new Set<Statement>();
  const visit = (one: Statement): void => {
    if (isDead(one, executed) && !resists(one)) dead.add(one);
    else for (const suite of one.suites) suite.statements.forEach(visit);
  };
  tree.statements.forEach(visit);
  const items = unmentioned(tree, dead, state.input.entry, resists).toSorted(
    (a, b) => a.firstRow - b.firstRow,
  );
  const ids = new Map(items.map((one) => [one, state.rows[one.firstRow]?.id ?? -1] as const));
  const removed = await shrinkStatements(state, items, 0.97);
  for (const [one, id] of ids) if (!removed.has(one)) state.resisting.add(id);
}

/** No line of it ran; definitions always run, their bodies do not. */
function isDead(one: Statement, executed: ReadonlySet<number> | null): boolean {
  if (executed === null || one.kind === 'pass') return false;
  for (let row = one.firstRow; row <= one.lastRow; row += 1) if (executed.has(row + 1)) return false;
  return true;
}

/** `going`, and all statements whose names only they and each other mention. */
function unmentioned(
  tree: Tree,
  going: ReadonlySet<Statement>,
  entry: string,
  resists: (one: Statement) => boolean,
): readonly Statement[] {
  const total = countsOf(mentionsOf(tree.file, tree.file.root));
  const gone = new Set<Statement>();
  const inside = new Set<Statement>();
  const take = (one: Statement, own: ReadonlyMap<string, number>) => {
    gone.add(one);
    for (const [name, count] of own) total.set(name, (total.get(name) ?? 0) - count);
  };
  const binding: { one: Statement; names: readonly string[]; own: ReadonlyMap<string, number> }[] = [];
  const visit = (one: Statement): void => {
    if (going.has(one)) {
      take(one, countsOf(mentionsOf(tree.file, one.node)));
      return;
    }
    const names = boundNames(tree.file, one);
    const special = one.kind === 'function' && (/^__\w+__$/.test(one.name) || one.name === entry);
    if (names.length > 0 && !special && !resists(one))
      binding.push({ one, names, own: countsOf(mentionsOf(tree.file, one.node)) });
    for (const suite of one.suites) suite.statements.forEach(visit);
  };
  tree.statements.forEach(visit);
  for (let again = true; again;) {
    again = false;
    for (const { one, names, own } of binding) {
      if (
        gone.has(one) ||
        inside.has(one) ||
        names.some((name) => (total.get(name) ?? 0) > (own.get(name) ?? 0))
      )
        continue;
      // What stands inside goes with it and must not be counted twice.
      walkStatements(
        one.suites.flatMap(({ statements }) => statements),
        (inner) => {
          inside.add(inner);
          if (!gone.delete(inner)) return;
          for (const [name, count] of countsOf(mentionsOf(tree.file, inner.node)))
            total.set(name, (total.get(name) ?? 0) + count);
        },
      );
      take(one, own);
      again = true;
    }
  }
  return [...gone];
}

function countsOf({ names, words }: Mentions): Map<string, number> {
  const counts = new Map(names);
  for (const [word, count] of words) counts.set(word, (counts.get(word) ?? 0) + count);
  return counts;
}
