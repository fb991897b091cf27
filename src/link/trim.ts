// One statement of a module flows in, only what ran of it flows out. Syntax stays valid, scopes stay what they
// were (locals, generators, declarations), and every row is an original one.
import { boundNames, functionScope, identifiers, opaqueLocals } from '../python/names.js';
import { classNames, collectHeaderReferences } from '../python/references.js';
import { walkStatements, type Statement, type Suite } from '../python/statements.js';
import { type SourceFile } from '../python/syntax.js';
import { trimIf, trimLoop, trimMatch, trimSuite, trimTry } from './trimCompound.js';
import {
  type Context,
  type TrimOptions,
  addComments,
  addRows,
  bind,
  closeHeader,
  headerLastRow,
  holdsYield,
  indentOf,
  keepWhole,
  nestedIndent,
  ran,
  suiteEntered,
  take,
} from './trimContext.js';
import { merge, newCollector, type Collector } from './trimmed.js';

/** Trims a suite's statements; whether anything came out. */
function trimBlock(context: Context, statements: readonly Statement[], to: string): boolean {
  const { out } = context;
  const before = out.pieces.length;
  for (let i = 0; i < statements.length;) {
    const first = statements[i];
    if (first === undefined) break;
    let last = first;
    let next = i + 1;
    for (
      let other = statements[next];
      other !== undefined && other.firstRow <= last.lastRow;
      other = statements[next]
    ) {
      last = other;
      next += 1;
    }
    if (next - i > 1) {
      // Statements that share a row are kept or dropped together.
      const group = statements.slice(i, next);
      if (group.some((statement) => ran(context, statement))) {
        addRows(
          context,
          first.firstRow,
          Math.max(...group.map((statement) => statement.lastRow)),
          indentOf(context.file, first),
          to,
        );
        for (const statement of group) {
          bind(context, statement);
          take(context, statement.node);
        }
      }
    } else trimStatement(context, first, to);
    i = next;
  }
  const added = out.pieces.slice(before);
  const [only] = added;
  if (added.every((piece) => piece.type === 'import') && only?.type === 'import') only.sole = true;
  return added.length > 0;
}

/** Whether the body of a function was ever entered. */
export function wasCalled(options: Pick<TrimOptions, 'ran'>, statement: Statement): boolean {
  const body = statement.suites[0]?.statements ?? [];
  const real = body.filter((inner) => inner.kind !== 'docstring');
  if (real.length === 0) return true;
  return real.some((inner) => options.ran(inner.position));
}

function trimFunction(context: Context, statement: Statement, to: string): void {
  const { file, options, out } = context;
  const [body] = statement.suites;
  if (body === undefined) return;
  const from = indentOf(file, statement);
  bind(context, statement);
  collectHeaderReferences(file, statement, context.scopes, options, {
    reference: (reference) => out.references.push(reference),
    attribute: (name, called) => {
      out.members.add(name);
      if (!called) out.attributes.add(name);
    },
    string: (content) => out.strings.add(content),
  });
  for (const node of statement.decorators) identifiers(file, node, (name) => out.read.add(name));
  for (const node of body.header) identifiers(file, node, (name) => out.read.add(name));
  if (options.whole || body.inline) {
    addRows(context, statement.firstRow, statement.lastRow, from, to);
    if (options.whole || wasCalled(options, statement)) {
      const scope = functionScope(file, statement);
      for (const inner of body.statements)
        take({ ...context, scopes: [...context.scopes, opaqueLocals(scope)] }, inner.node);
    }
    return;
  }
  addRows(context, statement.firstRow, headerLastRow(body), from, to);
  const innerTo = to + nestedIndent(context, statement, body);
  if (!wasCalled(options, statement)) {
    const [docstring] = body.statements;
    if (docstring?.kind === 'docstring' && options.keepDocstrings)
      addRows(context, docstring.firstRow, docstring.lastRow, indentOf(file, docstring), innerTo);
    else closeHeader(context, body);
    return;
  }
  const trimmed = trimBody(context, statement, body, innerTo);
  if (options.isVerbatim(context.path === '' ? statement.name : `${context.path}.${statement.name}`)) {
    // The test's own text is never cut; what it refers to is still only what ran.
    trimmed.pieces.splice(0, trimmed.pieces.length);
    const first = headerLastRow(body) + 1;
    trimmed.pieces.push({ type: 'rows', first, last: statement.lastRow, from, to, replace: null });
    for (const inner of importsIn(body.statements))
      if (options.ran(inner.position)) trimmed.verbatimImports.push(inner);
  }
  if (trimmed.pieces.length === 0) closeHeader(context, body);
  merge(out, trimmed);
}

function importsIn(statements: readonly Statement[]): readonly Statement[] {
  const found: Statement[] = [];
  walkStatements(statements, (inner) => {
    if (inner.kind === 'import' || inner.kind === 'from') found.push(inner);
  });
  return found;
}

/** A called function's body: what ran, and what keeps its names local and it a generator. */
function trimBody(context: Context, statement: Statement, body: Suite, to: string): Collector {
  const { file } = context;
  const scope = functionScope(file, statement);
  const forced = new Set<Statement>();
  const closers = new Map<Suite, string>();
  for (let round = 0; ; round += 1) {
    const collector = newCollector();
    for (const name of scope.parameters) collector.bound.add(name);
    const inner: Context = {
      ...context,
      scopes: [...context.scopes, opaqueLocals(scope)],
      inFunction: true,
      forced,
      closers,
      out: collector,
      path: context.path === '' ? statement.name : `${context.path}.${statement.name}`,
    };
    trimBlock(inner, body.statements, to);
    const before = forced.size;
    if (round < 20) {
      const lost = new Set(
        [...scope.locals].filter((name) => collector.read.has(name) && !collector.bound.has(name)),
      );
      if (lost.size > 0) forceBinding(file, body.statements, lost, forced);
      if (scope.isGenerator && !collector.yields && !closeWithYield(inner, body.statements))
        forceYield(body.statements, forced);
    }
    if (forced.size === before) return collector;
  }
}

function forceBinding(
  file: SourceFile,
  statements: readonly Statement[],
  lost: Set<string>,
  forced: Set<Statement>,
): boolean {
  let found = false;
  for (const statement of statements) {
    if (lost.size === 0) break;
    let here = false;
    for (const name of boundNames(file, statement)) {
      if (lost.delete(name)) here = true;
    }
    if (statement.kind !== 'function' && statement.kind !== 'class') {
      for (const suite of statement.suites)
        if (forceBinding(file, suite.statements, lost, forced)) here = true;
    }
    if (here) {
      forced.add(statement);
      found = true;
    }
  }
  return found;
}

/** The first suite of conditions that never held and has a `yield` in it; its header is made to hold that alone. */
function closeWithYield(context: Context, statements: readonly Statement[]): boolean {
  for (const statement of statements) {
    const isOpen = /^(if|for|while)$/.test(statement.kind) && ran(context, statement);
    for (const suite of isOpen ? statement.suites : []) {
      if (suite.inline || suite.role === 'else') continue;
      const evaluated =
        suite.role === 'body' || (suite.position !== null && context.options.ran(suite.position));
      if (suiteEntered(context, suite)) {
        if (!closeWithYield(context, suite.statements)) continue;
      } else {
        const own = evaluated ? yieldIn(suite.statements) : undefined;
        if (own === undefined) continue;
        context.closers.set(suite, context.file.text.slice(own.node.start, own.node.end));
      }
      context.forced.add(statement);
      return true;
    }
  }
  return false;
}

function yieldIn(statements: readonly Statement[]): Statement | undefined {
  for (const statement of statements) {
    if (statement.kind === 'function' || statement.kind === 'class') continue;
    const isPlain = statement.suites.length === 0 && statement.firstRow === statement.lastRow;
    if (isPlain && holdsYield(statement.node)) return statement;
    for (const suite of statement.suites) {
      const inner = yieldIn(suite.statements);
      if (inner !== undefined) return inner;
    }
  }
  return undefined;
}

function forceYield(statements: readonly Statement[], forced: Set<Statement>): boolean {
  for (const statement of statements) {
    if (statement.kind === 'function' || statement.kind === 'class') continue;
    if (
      statement.suites.length === 0
        ? holdsYield(statement.node)
        : statement.suites.some(
            (suite) => suite.header.some(holdsYield) || forceYield(suite.statements, forced),
          )
    ) {
      forced.add(statement);
      return true;
    }
  }
  return false;
}

function trimClass(context: Context, statement: Statement, to: string): void {
  const { file, options, out } = context;
  const [body] = statement.suites;
  if (body === undefined) return;
  const from = indentOf(file, statement);
  bind(context, statement);
  collectHeaderReferences(file, statement, context.scopes, options, {
    reference: (reference) => out.references.push(reference),
    attribute: (name) => {
      out.members.add(name);
      out.attributes.add(name);
    },
    string: (content) => out.strings.add(content),
  });
  for (const node of [...statement.decorators, ...body.header])
    identifiers(file, node, (name) => out.read.add(name));
  if (options.whole || body.inline) {
    addRows(context, statement.firstRow, statement.lastRow, from, to);
    for (const inner of body.statements) take(context, inner.node);
    return;
  }
  addRows(context, statement.firstRow, headerLastRow(body), from, to);
  const innerTo = to + nestedIndent(context, statement, body);
  const path = context.path === '' ? statement.name : `${context.path}.${statement.name}`;
  const required = new Set<string>();
  for (;;) {
    const collector = newCollector();
    const inner: Context = {
      ...context,
      out: collector,
      forced: new Set(),
      closers: new Map(),
      path,
      classNames: classNames(file, statement),
    };
    const members = body.statements.filter((member) => {
      if (member.kind !== 'function' || wasCalled(options, member)) return true;
      return required.has(member.name) || options.keepUncalled(statement, member, path);
    });
    trimBlock(inner, members, innerTo);
    // What class-level code reads (decorators, `b = a`, `property(get)`) must exist in the class.
    const reads = new Set<string>();
    for (const member of members) {
      if (member.kind === 'function')
        for (const node of member.decorators) identifiers(file, node, (name) => reads.add(name));
      else if (member.kind !== 'class') identifiers(file, member.node, (name) => reads.add(name));
    }
    const before = required.size;
    for (const member of body.statements)
      if (member.kind === 'function' && !members.includes(member) && reads.has(member.name))
        required.add(member.name);
    if (required.size === before) {
      if (collector.pieces.length === 0) closeHeader(context, body);
      merge(out, collector);
      return;
    }
  }
}

function trimStatement(context: Context, statement: Statement, to: string): void {
  const { file, options, out, inFunction } = context;
  const from = indentOf(file, statement);
  if (statement.kind === 'docstring') {
    if (options.keepDocstrings) addRows(context, statement.firstRow, statement.lastRow, from, to);
    return;
  }
  if (statement.kind === 'global' || statement.kind === 'nonlocal') {
    addRows(context, statement.firstRow, statement.lastRow, from, to);
    bind(context, statement);
    take(context, statement.node);
    return;
  }
  if (!ran(context, statement)) return;
  if (
    inFunction &&
    statement.kind === 'function' &&
    statement.decorators.length === 0 &&
    !options.whole &&
    !wasCalled(options, statement) &&
    !context.forced.has(statement)
  ) {
    // A helper that was never called: it comes back where a kept line reads its name.
    return;
  }
  const before = out.pieces.length;
  if (statement.kind !== 'import' && statement.kind !== 'from') addComments(context, statement, from, to);
  const after = out.pieces.length;
  trimRun(context, statement, from, to);
  // Comments go with what they are about.
  if (out.pieces.length === after) out.pieces.splice(before);
}

/** A statement that ran, by its kind. */
function trimRun(context: Context, statement: Statement, from: string, to: string): void {
  const { options, out, inFunction } = context;
  switch (statement.kind) {
    case 'import':
    case 'from':
      out.pieces.push({ type: 'import', statement, from, to, sole: false, inFunction });
      bind(context, statement);
      return;
    case 'future':
      return;
    case 'function':
      trimFunction(context, statement, to);
      return;
    case 'class':
      trimClass(context, statement, to);
      return;
    default:
  }
  if (statement.suites.length === 0 || (options.whole && inFunction)) {
    keepWhole(context, statement, to);
    return;
  }
  switch (statement.kind) {
    case 'if':
      trimIf(context, statement, to);
      return;
    case 'for':
    case 'while':
      trimLoop(context, statement, to);
      return;
    case 'try':
      trimTry(context, statement, to);
      return;
    case 'match':
      trimMatch(context, statement, to);
      return;
    case 'with':
      bind(context, statement);
      for (const suite of statement.suites) trimSuite(context, statement, suite, to);
      return;
    default:
      keepWhole(context, statement, to);
  }
}

/** Trims one top-level statement of a module. `to` is the indentation it is wanted at. */
export function trimTopLevel(
  file: SourceFile,
  statement: Statement,
  to: string,
  options: TrimOptions,
): Collector {
  const out = newCollector();
  trimStatement(
    {
      file,
      options,
      scopes: [],
      inFunction: false,
      forced: new Set(),
      closers: new Map(),
      out,
      path: '',
      trimBlock,
    },
    statement,
    to,
  );
  return out;
}

/** Whether a class is defined at or below a statement. */
export function holdsClass(statement: Statement): boolean {
  let found = false;
  walkStatements([statement], (inner) => {
    if (inner.kind === 'class') found = true;
  });
  return found;
}
