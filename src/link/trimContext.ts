// What trimming one statement needs to know, and the small steps that all kinds of statements share.
import { boundNames, identifiers } from '../python/names.js';
import { collectReferences, type Scopes } from '../python/references.js';
import { walkStatements, type Position, type Statement, type Suite } from '../python/statements.js';
import { type PyNode, type SourceFile } from '../python/syntax.js';
import { isHarmless, isPure } from './purity.js';
import { newCollector, type Collector } from './trimmed.js';

export interface TrimOptions {
  /** Whether the statement at a position of this file ran. */
  ran(position: Position): boolean;
  readonly lazyAnnotations: boolean;
  readonly keepDocstrings: boolean;
  /** Which branches that were never taken may go with the condition that guards them. */
  readonly dropBranches: 'all' | 'pure' | 'none';
  /** Whether a method that was never called must exist all the same. */
  keepUncalled(owner: Statement, member: Statement, path: string): boolean;
  /** Keep whole text: no trimming at all below the top level. */
  readonly whole: boolean;
  /** Definitions whose text stays verbatim, by qualified name: the test itself. */
  isVerbatim(path: string): boolean;
}

export interface Context {
  readonly file: SourceFile;
  readonly options: TrimOptions;
  readonly scopes: Scopes;
  readonly inFunction: boolean;
  /** Statements that must stay though they did not run. */
  readonly forced: Set<Statement>;
  /** Suites that never ran, with the `yield` of theirs that makes the function a generator all the same. */
  readonly closers: Map<Suite, string>;
  readonly out: Collector;
  /** Qualified name of the enclosing definitions. */
  readonly path: string;
  readonly classNames?: ReadonlySet<string>;
  /** Trims a suite's statements; whether anything came out. Handed along, as statements nest. */
  readonly trimBlock: (context: Context, statements: readonly Statement[], to: string) => boolean;
}

export function indentOf(file: SourceFile, statement: Statement): string {
  return (file.lines[statement.node.row] ?? '').slice(0, statement.node.column);
}

export function headerLastRow(suite: Suite): number {
  return suite.inline ? (suite.statements.at(-1)?.lastRow ?? suite.row) : suite.colon.row;
}

export function take(context: Context, node: PyNode): void {
  const { file, out, scopes, options } = context;
  collectReferences(
    file,
    node,
    scopes,
    {
      ...options,
      ...(context.classNames === undefined || context.inFunction ? {} : { classNames: context.classNames }),
    },
    {
      reference: (reference) => out.references.push(reference),
      attribute: (name, called) => {
        out.members.add(name);
        if (!called) out.attributes.add(name);
      },
      string: (content) => out.strings.add(content),
    },
  );
  identifiers(file, node, (name) => out.read.add(name));
  if (holdsYield(node)) out.yields = true;
}

export function holdsYield(node: PyNode): boolean {
  if (node.type === 'yield') return true;
  if (node.type === 'lambda' || node.type === 'function_definition' || node.type === 'class_definition')
    return false;
  return node.children.some(holdsYield);
}

export function addRows(
  context: Context,
  first: number,
  last: number,
  from: string,
  to: string,
  replace: { old: string; by: string; why: string } | null = null,
): void {
  context.out.pieces.push({ type: 'rows', first, last, from, to, replace });
}

/** Comment rows right above a statement belong to it. */
export function addComments(context: Context, statement: Statement, from: string, to: string): void {
  const { lines } = context.file;
  let row = statement.firstRow;
  while (row > 0 && statement.firstRow - row < 12 && (lines[row - 1] ?? '').startsWith(`${from}#`)) row -= 1;
  if (row < statement.firstRow && !(lines[row] ?? '').startsWith('#!'))
    addRows(context, row, statement.firstRow - 1, from, to);
}

export function ran(context: Context, statement: Statement): boolean {
  return context.forced.has(statement) || context.options.ran(statement.position);
}

/** Whether anything of a suite is worth keeping: it ran, and trimming leaves something of it. */
export function suiteRan(context: Context, suite: Suite): boolean {
  if (!suiteEntered(context, suite)) return false;
  if (context.options.dropBranches !== 'all' || suite.inline || context.options.whole) return true;
  const out = newCollector();
  return context.trimBlock({ ...context, out }, suite.statements, '');
}

/** Whether control reached a suite at all. */
export function suiteEntered(context: Context, suite: Suite): boolean {
  return suite.statements.some(
    (statement) =>
      ran(context, statement) ||
      (statement.kind !== 'function' &&
        statement.kind !== 'class' &&
        statement.suites.some((inner) => suiteEntered(context, inner))),
  );
}

export function bind(context: Context, statement: Statement): void {
  for (const name of boundNames(context.file, statement)) context.out.bound.add(name);
}

/** Keeps a statement with all of its text. */
export function keepWhole(context: Context, statement: Statement, to: string, refer = true): void {
  const from = indentOf(context.file, statement);
  addRows(context, statement.firstRow, statement.lastRow, from, to);
  walkStatements([statement], (inner) => {
    if (inner === statement || !context.inFunction) bind(context, inner);
  });
  if (refer) take(context, statement.node);
}

/** Turns the header that was added last into one without a suite: what it guards never ran. */
export function closeHeader(context: Context, suite: Suite): void {
  const header = context.out.pieces.pop();
  if (header?.type !== 'rows') return;
  const closesWith = context.closers.get(suite);
  if (closesWith !== undefined) context.out.yields = true;
  context.out.pieces.push({
    ...header,
    closesAt: suite.colon.column,
    ...(closesWith === undefined ? {} : { closesWith }),
  });
}

export function nestedIndent(context: Context, outer: Statement, suite: Suite): string {
  const [first] = suite.statements;
  if (first === undefined) return '    ';
  const inner = indentOf(context.file, first);
  const base = indentOf(context.file, outer);
  return inner.startsWith(base) ? inner.slice(base.length) : '    ';
}

/** Whether an expression that led nowhere may go. */
export function droppable(context: Context, header: readonly PyNode[]): boolean {
  const { file, options } = context;
  if (options.dropBranches === 'none') return false;
  return header.every((node) =>
    options.dropBranches === 'all' ? isHarmless(file, node) : isPure(file, node),
  );
}
