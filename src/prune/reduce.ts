// A verified gist flows in, the smallest one found that still holds flows out. Hierarchical delta debugging on Python's
// syntax: what no longer runs goes at once, then statements in the order in which they first ran, then blocks around
// kept code, then parts of lines. The pass knows only whether a text holds and which lines it runs.
import { walkStatements, type Statement } from '../python/statements.js';
import { applyEdits, gistOf, rowsOf, textOf, type Edit } from './document.js';
import { boundNames, boundOften, mentionsOf } from './mentions.js';
import { instances, parts } from './parts.js';
import {
  commit,
  shrinkStatements,
  take,
  treeOf,
  type ReduceInput,
  type State,
  type Tree,
} from './reduction.js';
import { createSearch } from './search.js';
import { idleRowEdits, unwrapEdits } from './statementEdits.js';
import { sweep } from './sweep.js';
import type { Gist } from '../model/gist.js';

export interface Reduced {
  readonly gist: Gist;
  readonly tried: number;
  /** Nothing more can go: neither a limit nor a cancel ended the search. */
  readonly complete: boolean;
}

const mostRounds = 8;

/** Reduces until nothing more can go, or until it is stopped: then what was reached holds all the same. */
export async function reduce(input: ReduceInput): Promise<Reduced> {
  const rows = rowsOf(input.gist);
  const pinned = new Map(
    rows.filter(({ id }) => input.pinned.has(id + 1)).map(({ id, text }) => [id, text.trim()]),
  );
  const search = createSearch({ ...input, pinned });
  const state: State = { rows, search, input, rank: new Map(), resisting: new Set() };
  await commit(state, (tree) => idleRowEdits(tree.file, tree.starts));
  await sweep(state);
  await instances(state);
  for (let round = 0; round < mostRounds && !input.stopped(); round += 1) {
    const before = textOf(state.rows);
    state.resisting.clear();
    await functionBodies(state);
    await outerStatements(state);
    await unwrap(state);
    if (textOf(state.rows) !== before) continue;
    await parts(state);
    if (textOf(state.rows) === before) break;
    await sweep(state);
  }
  return { gist: gistOf(state.rows), tried: search.tried(), complete: !input.stopped() };
}

/**
 * Whether a set of statements surely cannot go: what stays of their scope still reads a name that only they bind, or a
 * failure would come from the want of a value.
 */
function neededIn(
  tree: Tree,
  scope: readonly Statement[],
  failing: boolean,
): (removed: ReadonlySet<Statement>) => boolean {
  const often = boundOften(tree.file, scope);
  const lone = onlyReturns(scope, failing);
  const totals = new Map<string, number>();
  for (const one of scope)
    for (const [name, count] of mentionsOf(tree.file, one.node).names)
      totals.set(name, (totals.get(name) ?? 0) + count);
  const facts = new Map<Statement, { bound: readonly string[]; names: ReadonlyMap<string, number> }>();
  const factsOf = (one: Statement) => {
    const known = facts.get(one);
    if (known !== undefined) return known;
    const found = {
      bound: boundNames(tree.file, one).filter((name) => !often.has(name)),
      names: mentionsOf(tree.file, one.node).names,
    };
    facts.set(one, found);
    return found;
  };
  return (removed) => {
    const gone = new Map<string, number>();
    for (const one of removed) {
      if (lone.has(one)) return true;
      for (const [name, count] of factsOf(one).names) gone.set(name, (gone.get(name) ?? 0) + count);
    }
    for (const one of removed)
      for (const name of factsOf(one).bound) if ((totals.get(name) ?? 0) > (gone.get(name) ?? 0)) return true;
    return false;
  };
}

/** The one statement of a function that gives a value, where a failure must not come from its want. */
function onlyReturns(body: readonly Statement[], failing: boolean): ReadonlySet<Statement> {
  const found: Statement[] = [];
  const visit = (one: Statement): void => {
    if (one.kind === 'return' && one.node.children.length > 0) found.push(one);
    if (one.kind !== 'function' && one.kind !== 'class')
      for (const suite of one.suites) suite.statements.forEach(visit);
  };
  if (failing) body.forEach(visit);
  return new Set(found.length === 1 ? found : []);
}

/** The bodies of functions, callers before those they call: what goes early takes much with it. */
async function functionBodies(state: State): Promise<void> {
  const done = new Set<number>();
  while (!state.input.stopped()) {
    const next = nextFunction(state, done);
    if (next === null) return;
    done.add(state.rows[next.core.row]?.id ?? -1);
    if (await shrinkBody(state, next)) await sweep(state);
  }
}

function nextFunction(state: State, done: ReadonlySet<number>): Statement | null {
  let best: Statement | null = null;
  let bestRank = Infinity;
  walkStatements(treeOf(state).statements, (one) => {
    if (one.kind !== 'function' || done.has(state.rows[one.core.row]?.id ?? -1)) return;
    let own = Infinity;
    const [body] = one.suites;
    for (const inner of body?.statements ?? [])
      own = Math.min(own, state.rank.get(state.rows[inner.firstRow]?.id ?? -1) ?? Infinity);
    if (one.name === state.input.entry) own = -1;
    if (best === null || own < bestRank) [best, bestRank] = [one, own];
  });
  return best;
}

/** Statements of one body, then of the blocks that stay, level by level. */
async function shrinkBody(state: State, definition: Statement): Promise<boolean> {
  const id = state.rows[definition.core.row]?.id;
  let changed = false;
  for (let depth = 0; depth < 12; depth += 1) {
    const tree = treeOf(state);
    const own = findById(state, tree, id);
    const body = own?.suites[0]?.statements ?? [];
    const level = body.length === 0 ? [] : levelOf(body, depth);
    if (level.length === 0) break;
    const items = level.filter((one) => one.kind !== 'pass' || level.length > 1);
    const removed = await shrinkStatements(state, items, 0.6, neededIn(tree, body, state.input.failing));
    if (removed.size > 0) changed = true;
  }
  return changed;
}

function findById(state: State, tree: Tree, id: number | undefined): Statement | null {
  let found: Statement | null = null;
  walkStatements(tree.statements, (one) => {
    if (one.kind === 'function' && state.rows[one.core.row]?.id === id) found = one;
  });
  return found;
}

/** Statements at a depth below a body; nested definitions have bodies of their own. */
function levelOf(body: readonly Statement[], depth: number): readonly Statement[] {
  if (depth === 0) return body;
  return body.flatMap((one) =>
    one.kind === 'function' || one.kind === 'class'
      ? []
      : one.suites.flatMap((suite) => levelOf(suite.statements, depth - 1)),
  );
}

/** Statements of modules and classes, level by level. */
async function outerStatements(state: State): Promise<void> {
  for (let depth = 0; depth < 8 && !state.input.stopped(); depth += 1) {
    const tree = treeOf(state);
    const level = outerLevel(tree.statements, depth);
    if (level.length === 0) return;
    const items = level.filter(({ kind }) => kind !== 'pass');
    const needed = neededIn(tree, tree.statements, state.input.failing);
    const removed = await shrinkStatements(state, items, 0.4, needed);
    if (removed.size > 0) await sweep(state);
  }
}

function outerLevel(statements: readonly Statement[], depth: number): readonly Statement[] {
  if (depth === 0) return statements;
  return statements.flatMap((one) =>
    one.kind === 'function' ? [] : one.suites.flatMap((suite) => outerLevel(suite.statements, depth - 1)),
  );
}

/** Code in place of the block around it. */
async function unwrap(state: State): Promise<void> {
  const kept = new Set<string>();
  while (!state.input.stopped()) {
    const tree = treeOf(state);
    const ways: { key: string; edits: readonly Edit[] }[] = [];
    walkWithDepth(tree.statements, false, (one, inFunction) => {
      if (!['if', 'with', 'try', 'for', 'while'].includes(one.kind)) return;
      if (state.input.failing && inFunction && ['if', 'for', 'while'].includes(one.kind)) return;
      for (const suite of one.suites) {
        if (suite.role !== 'body' && suite.role !== 'else') continue;
        const key = `${state.rows[one.firstRow]?.id ?? -1} ${suite.role}`;
        const edits = kept.has(key) ? null : unwrapEdits(tree.file, tree.starts, one, suite);
        if (edits !== null) ways.push({ key, edits });
      }
    });
    if (ways.length === 0) return;
    const base = state.rows;
    const found = await state.search.firstHolding(
      ways.map(
        ({ edits }) =>
          () =>
            applyEdits(base, edits),
      ),
    );
    ways.slice(0, found === -1 ? ways.length : found).forEach(({ key }) => kept.add(key));
    const way = ways[found];
    if (way === undefined) return;
    take(state, applyEdits(base, way.edits));
  }
}

function walkWithDepth(
  statements: readonly Statement[],
  inFunction: boolean,
  visit: (one: Statement, inFunction: boolean) => void,
): void {
  for (const one of statements) {
    visit(one, inFunction);
    const inside = inFunction || one.kind === 'function';
    for (const suite of one.suites) walkWithDepth(suite.statements, inside, visit);
  }
}
