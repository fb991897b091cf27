// A verified gist flows in, the smallest one found that still holds flows out. Hierarchical delta debugging on Python's
// syntax: what no longer runs goes at once, then statements in the order in which they first ran, then blocks around
// kept code, then parts of lines. The pass knows only whether a text holds and which lines it runs.
import type { Gist } from '../model/gist.js';
import type { PythonParser } from '../python/parse.js';
import { moduleStatements, walkStatements, type Statement } from '../python/statements.js';
import { parseSource, type SourceFile } from '../python/syntax.js';
import { applyEdits, gistOf, rowsOf, textOf, type Edit, type Row } from './document.js';
import { partEdits, partLists, textRows, type PartList } from './listEdits.js';
import { boundNames, boundOften, mentionsOf } from './mentions.js';
import { createSearch, shrink, type Search } from './search.js';
import { idleRowEdits, removalEdits, rowStarts, unwrapEdits } from './statementEdits.js';

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

export interface Reduced {
  readonly gist: Gist;
  readonly tried: number;
  /** Nothing more can go: neither a limit nor a cancel ended the search. */
  readonly complete: boolean;
}

interface State {
  rows: readonly Row[];
  readonly search: Search;
  readonly input: ReduceInput;
}

interface Tree {
  readonly file: SourceFile;
  readonly starts: readonly number[];
  readonly statements: readonly Statement[];
}

const mostRounds = 6;

/** Reduces until nothing more can go, or until it is stopped: then what was reached holds all the same. */
export async function reduce(input: ReduceInput): Promise<Reduced> {
  const rows = rowsOf(input.gist);
  const pinned = new Map(
    rows.filter(({ id }) => input.pinned.has(id + 1)).map(({ id, text }) => [id, text.trim()]),
  );
  const search = createSearch({ ...input, pinned });
  const state: State = { rows, search, input };
  await commit(state, (tree) => idleRowEdits(tree.file, tree.starts));
  await sweep(state);
  for (let round = 0; round < mostRounds && !input.stopped(); round += 1) {
    const before = textOf(state.rows);
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

function treeOf({ rows, input }: Pick<State, 'rows' | 'input'>): Tree {
  const file = parseSource(input.parser, 'gist.py', textOf(rows));
  return { file, starts: rowStarts(file), statements: moduleStatements(file) };
}

function take(state: State, rows: readonly Row[]): void {
  state.rows = rows;
  state.input.progress(rows.length, state.search.tried());
  state.input.reached(gistOf(rows));
}

/** Tries one set of edits; takes it where it holds. */
async function commit(state: State, edit: (tree: Tree) => readonly Edit[]): Promise<boolean> {
  const edits = edit(treeOf(state));
  if (edits.length === 0) return false;
  const rows = applyEdits(state.rows, edits);
  if ((await state.search.firstHolding([() => rows])) !== 0) return false;
  take(state, rows);
  return true;
}

async function shrinkStatements(state: State, tree: Tree, items: readonly Statement[]): Promise<boolean> {
  const base = state.rows;
  const without = (removed: ReadonlySet<Statement>) =>
    applyEdits(base, removalEdits(tree.file, tree.starts, tree.statements, removed));
  const removed = await shrink(state.search, items, without, state.input.workers);
  if (removed.size === 0) return false;
  take(state, without(removed));
  return true;
}

/** Removes at once what no longer runs and what nothing mentions. */
async function sweep(state: State): Promise<void> {
  for (let again = true; again && !state.input.stopped();) {
    const run = await state.input.linesRun(textOf(state.rows));
    const tree = treeOf(state);
    const executed = run === null ? null : new Set(run);
    const dead: Statement[] = [];
    const visit = (one: Statement): void => {
      if (isDead(one, executed)) dead.push(one);
      else for (const suite of one.suites) suite.statements.forEach(visit);
    };
    tree.statements.forEach(visit);
    const unmentioned = unmentionedStatements(tree, state.input.entry);
    const all = [...new Set([...dead, ...unmentioned])];
    again =
      all.length > 0 &&
      (await shrinkStatements(
        state,
        tree,
        all.toSorted((a, b) => a.firstRow - b.firstRow),
      ));
  }
}

/** No line of it ran; definitions always run, their bodies do not. */
function isDead(one: Statement, executed: ReadonlySet<number> | null): boolean {
  if (executed === null || isPass(one)) return false;
  for (let row = one.firstRow; row <= one.lastRow; row += 1) if (executed.has(row + 1)) return false;
  return true;
}

function isPass(one: Statement): boolean {
  return one.kind === 'pass';
}

function unmentionedStatements(tree: Tree, entry: string): readonly Statement[] {
  const { names, words } = mentionsOf(tree.file, tree.file.root);
  const out: Statement[] = [];
  walkStatements(tree.statements, (one) => {
    const bound = boundNames(tree.file, one);
    if (bound.length === 0 || (one.kind === 'function' && /^__\w+__$/.test(one.name))) return;
    if (one.name === entry) return;
    const own = mentionsOf(tree.file, one.node);
    const mentioned = (name: string) =>
      (names.get(name) ?? 0) +
        (words.get(name) ?? 0) -
        (own.names.get(name) ?? 0) -
        (own.words.get(name) ?? 0) >
      0;
    if (!bound.some(mentioned)) out.push(one);
  });
  return out;
}

/** Statements that may go on their own: others surely are needed as long as what reads their names stands. */
function removable(
  tree: Tree,
  scope: readonly Statement[],
  list: readonly Statement[],
  input: ReduceInput,
): readonly Statement[] {
  const often = boundOften(tree.file, scope);
  const lone = onlyReturns(scope, input.failing);
  const [first] = scope;
  const last = scope.at(-1);
  if (first === undefined || last === undefined) return [];
  const totals = new Map<string, number>();
  for (const one of scope)
    for (const [name, count] of mentionsOf(tree.file, one.node).names)
      totals.set(name, (totals.get(name) ?? 0) + count);
  return list.filter((one) => {
    if ((isPass(one) && list.length === 1) || lone.has(one)) return false;
    const own = mentionsOf(tree.file, one.node).names;
    return !boundNames(tree.file, one).some(
      (name) => !often.has(name) && (totals.get(name) ?? 0) > (own.get(name) ?? 0),
    );
  });
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
    const run = (await state.input.linesRun(textOf(state.rows))) ?? [];
    const rank = new Map(run.map((line, index) => [line, index]));
    let changed = false;
    for (;;) {
      const tree = treeOf(state);
      const next = nextFunction(state, tree, rank, done);
      if (next === null || state.input.stopped()) return;
      done.add(state.rows[next.core.row]?.id ?? -1);
      const before = state.rows.length;
      changed = await shrinkBody(state, next);
      // Much went: see what it took with it before going on. Ranks are of lines that have moved.
      if (changed || before !== state.rows.length) break;
    }
    if (changed) await sweep(state);
  }
}

function nextFunction(
  state: State,
  tree: Tree,
  rank: ReadonlyMap<number, number>,
  done: ReadonlySet<number>,
): Statement | null {
  let best: Statement | null = null;
  let bestRank = Infinity;
  walkStatements(tree.statements, (one) => {
    if (one.kind !== 'function' || done.has(state.rows[one.core.row]?.id ?? -1)) return;
    let own = Infinity;
    const [body] = one.suites;
    for (const inner of body?.statements ?? []) own = Math.min(own, rank.get(inner.firstRow + 1) ?? Infinity);
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
    const items = removable(tree, body, level, state.input);
    if (items.length > 0 && (await shrinkStatements(state, tree, items))) changed = true;
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
    if (await shrinkStatements(state, tree, removable(tree, tree.statements, level, state.input))) {
      await sweep(state);
      depth -= 1;
    }
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

/** Parts of lines: arguments, parameters, elements, names, decorators; then rows of long strings. */
async function parts(state: State): Promise<void> {
  const tree = treeOf(state);
  const base = state.rows;
  const lists = partLists(tree.file).filter((list) => !isPinned(state, list));
  const owner = new Map(lists.flatMap((list) => list.parts.map((part) => [part, list] as const)));
  const without = (removed: ReadonlySet<(typeof lists)[number]['parts'][number]>) => {
    const edits: Edit[] = [];
    for (const list of new Set([...removed].map((part) => owner.get(part)))) {
      const own = list === undefined ? null : partEdits(tree.file, list, removed);
      if (own === null) return null;
      edits.push(...own);
    }
    return applyEdits(base, edits);
  };
  // Whole lists first, then single parts of those that stay.
  const whole = lists.filter(({ inside, parts: all }) => inside !== null && all.length > 1);
  const emptied = await shrink(
    state.search,
    whole,
    (removed) => without(new Set([...removed].flatMap((list) => list.parts))),
    state.input.workers,
  );
  const gone = [...emptied].flatMap((list) => list.parts);
  const left = lists.filter((list) => !emptied.has(list)).flatMap((list) => list.parts);
  const removed = await shrink(
    state.search,
    left,
    (more) => without(new Set([...gone, ...more])),
    state.input.workers,
  );
  if (gone.length + removed.size > 0) {
    const rows = without(new Set([...gone, ...removed]));
    if (rows !== null) take(state, rows);
  }
  await stringRows(state);
}

/** A list on a line that must stay as it is. */
function isPinned({ rows, input }: State, { parts: all }: PartList): boolean {
  const [first] = all;
  const last = all.at(-1);
  if (first === undefined || last === undefined) return true;
  return rows.slice(first.row, last.endRow + 1).every(({ id }) => input.pinned.has(id + 1));
}

async function stringRows(state: State): Promise<void> {
  const tree = treeOf(state);
  const base = state.rows;
  const without = (removed: ReadonlySet<number>) =>
    applyEdits(
      base,
      [...removed].map((row) => ({
        start: tree.starts[row] ?? 0,
        end: tree.starts[row + 1] ?? 0,
        text: '',
        why: '',
      })),
    );
  const removed = await shrink(state.search, textRows(tree.file).flat(), without, state.input.workers);
  if (removed.size > 0) take(state, without(removed));
}
