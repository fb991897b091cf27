// Compound statements flow in, the suites of them that ran flow out; a condition that led nowhere goes with its suite.
import { type Statement, type Suite } from '../python/statements.js';
import {
  type Context,
  addRows,
  bind,
  closeHeader,
  droppable,
  headerLastRow,
  indentOf,
  nestedIndent,
  suiteEntered,
  suiteRan,
  take,
} from './trimContext.js';

/** Trims one suite with its header row(s) kept. */
export function trimSuite(
  context: Context,
  statement: Statement,
  suite: Suite,
  to: string,
  replace: { old: string; by: string; why: string } | null = null,
): void {
  const from = indentOf(context.file, statement);
  const first = suite.role === 'body' ? statement.firstRow : suite.row;
  addRows(context, first, headerLastRow(suite), from, to, replace);
  for (const node of suite.header) take(context, node);
  if (suite.inline) {
    for (const inner of suite.statements) {
      bind(context, inner);
      take(context, inner.node);
    }
    return;
  }
  if (!context.trimBlock(context, suite.statements, to + nestedIndent(context, statement, suite)))
    closeHeader(context, suite);
}

function dissolve(context: Context, suite: Suite, to: string): void {
  context.trimBlock(context, suite.statements, to);
}

export function trimIf(context: Context, statement: Statement, to: string): void {
  const { options } = context;
  const kept: Suite[] = [];
  // From the last to the first: a branch that was taken but left nothing still keeps control from those after it.
  for (const suite of statement.suites.toReversed()) {
    if (suiteRan(context, suite) || (kept.length > 0 && suiteEntered(context, suite))) {
      kept.unshift(suite);
      continue;
    }
    const evaluated = suite.role === 'body' || (suite.position !== null && options.ran(suite.position));
    if (suite.role === 'else' || !evaluated) continue;
    if (context.forced.has(statement) || !droppable(context, suite.header)) kept.unshift(suite);
  }
  const [head] = kept;
  if (head === undefined) return;
  if (head.role === 'else' && !head.inline) {
    dissolve(context, head, to);
    return;
  }
  if (head.role === 'else') kept.unshift(...statement.suites.slice(0, 1));
  for (const [position, suite] of kept.entries()) {
    const becomesIf = position === 0 && suite.role === 'elif';
    trimSuite(
      context,
      statement,
      suite,
      to,
      becomesIf ? { old: 'elif', by: 'if', why: 'the branches before it were never taken' } : null,
    );
  }
  bind(context, statement);
}

export function trimLoop(context: Context, statement: Statement, to: string): void {
  const [body, ...rest] = statement.suites;
  if (body === undefined) return;
  const elseSuite = rest.find((suite) => suiteRan(context, suite));
  // Its target stays bound after the last round.
  const emptied = statement.kind === 'for' && suiteEntered(context, body);
  if (
    !suiteRan(context, body) &&
    !emptied &&
    droppable(context, body.header) &&
    !context.forced.has(statement)
  ) {
    if (elseSuite !== undefined && !elseSuite.inline) dissolve(context, elseSuite, to);
    return;
  }
  bind(context, statement);
  trimSuite(context, statement, body, to);
  if (elseSuite !== undefined) trimSuite(context, statement, elseSuite, to);
}

export function trimTry(context: Context, statement: Statement, to: string): void {
  const [body, ...rest] = statement.suites;
  if (body === undefined) return;
  const handlers = rest.filter((suite) => suite.role === 'except' && suiteEntered(context, suite));
  const finallySuite = rest.find((suite) => suite.role === 'finally');
  const elseSuite = rest.find((suite) => suite.role === 'else' && suiteRan(context, suite));
  const inline = body.inline || elseSuite?.inline === true || context.forced.has(statement);
  if (
    handlers.length === 0 &&
    finallySuite === undefined &&
    !inline &&
    context.options.dropBranches !== 'none'
  ) {
    dissolve(context, body, to);
    if (elseSuite !== undefined) dissolve(context, elseSuite, to);
    return;
  }
  const kept =
    handlers.length === 0 && finallySuite === undefined
      ? rest.filter((suite) => suite.role === 'except')
      : handlers;
  bind(context, statement);
  trimSuite(context, statement, body, to);
  if (kept.length === 0 && elseSuite !== undefined && !elseSuite.inline) {
    // `else` needs an `except`; without handlers its statements follow the body.
    context.trimBlock(context, elseSuite.statements, to + nestedIndent(context, statement, body));
  }
  for (const handler of kept) trimSuite(context, statement, handler, to);
  if (kept.length > 0 && elseSuite !== undefined) trimSuite(context, statement, elseSuite, to);
  if (finallySuite !== undefined) trimSuite(context, statement, finallySuite, to);
}

export function trimMatch(context: Context, statement: Statement, to: string): void {
  const { file, out } = context;
  const cases = statement.suites.filter((suite) => suiteEntered(context, suite));
  const from = indentOf(file, statement);
  const shown = cases.length > 0 ? cases : statement.suites.slice(0, 1);
  const [first] = statement.suites;
  if (first === undefined) return;
  let headerLast = first.row - 1;
  while (headerLast > statement.firstRow && /^\s*(#.*)?$/.test(file.lines[headerLast] ?? '')) headerLast -= 1;
  out.pieces.push({ type: 'rows', first: statement.firstRow, last: headerLast, from, to, replace: null });
  for (const node of statement.node.children) if (node.field === 'subject') take(context, node);
  bind(context, statement);
  for (const suite of shown) {
    const caseIndent = (file.lines[suite.row] ?? '').slice(0, suite.clause.column);
    const caseTo = to + (caseIndent.startsWith(from) ? caseIndent.slice(from.length) : '    ');
    addRows(context, suite.row, headerLastRow(suite), caseIndent, caseTo);
    for (const node of suite.header) take(context, node);
    if (suite.inline) {
      for (const inner of suite.statements) {
        bind(context, inner);
        take(context, inner.node);
      }
      continue;
    }
    const [inner] = suite.statements;
    const innerIndent = inner === undefined ? `${caseIndent}    ` : indentOf(file, inner);
    const innerTo =
      caseTo + (innerIndent.startsWith(caseIndent) ? innerIndent.slice(caseIndent.length) : '    ');
    if (!context.trimBlock(context, suite.statements, innerTo)) closeHeader(context, suite);
  }
}
