// A verified gist and the lines it runs flow in; what must stay flows out: a passing test's assertions, or the lines
// that a failure comes through and the functions that must go on giving a value.
import type { Gist } from '../model/gist.js';
import type { PythonParser } from '../python/parse.js';
import { moduleStatements, walkStatements, type Statement } from '../python/statements.js';
import { parseSource, textOf, type SourceFile } from '../python/syntax.js';

export interface Pins {
  /** 1-based lines that must stay as they are. */
  readonly lines: ReadonlySet<number>;
  /** Texts of statements, lines stripped and joined, as gistify_condition.py reads them. */
  readonly texts: readonly string[];
}

interface PinInput {
  readonly gist: Gist;
  readonly parser: PythonParser;
  /** 1-based. */
  readonly executed: ReadonlySet<number>;
}

const assertion = /^(?:[\w.]+\.)?(?:assert|fail)\w*\s*\(/i;
const expectation = /^(?:async\s+)?with\b.*\b(?:raises|warns|deprecated_call|assert\w+)\s*\(/;

/** The assertions of the test's own file that ran; where it has none, all that the test itself ran. */
export function assertionPins({ gist, parser, executed }: PinInput, testFile: string, entry: string): Pins {
  const file = parseSource(parser, 'gist.py', gist.text);
  const own = (one: Statement) => {
    const origin = gist.origins[one.firstRow];
    return origin !== undefined && origin.kind !== 'added' && origin.file === testFile;
  };
  const found: Statement[] = [];
  const ran = (one: Statement) => executed.has(one.position.line);
  walkStatements(moduleStatements(file), (one) => {
    if (!own(one) || !ran(one)) return;
    const text = textOf(file, one.node);
    if (one.kind === 'assert' || (one.kind === 'expression' && assertion.test(text))) found.push(one);
    else if (one.kind === 'with' && expectation.test(text))
      walkStatements([one], (inner) => ran(inner) && found.push(inner));
  });
  if (found.length === 0) {
    walkStatements(moduleStatements(file), (one) => {
      if (one.kind !== 'function' || one.name !== entry || !own(one)) return;
      walkStatements(one.suites[0]?.statements ?? [], (inner) => ran(inner) && found.push(inner));
    });
  }
  const unique = [...new Set(found)].filter(
    ({ kind }) => kind !== 'function' && kind !== 'class' && kind !== 'pass',
  );
  return {
    lines: new Set(unique.flatMap((one) => rowsOfHeader(one).map((row) => row + 1))),
    texts: unique.map((one) =>
      rowsOfHeader(one)
        .map((row) => (file.lines[row] ?? '').trim())
        .join('\n'),
    ),
  };
}

/** Rows of a simple statement, or of a compound one's header. */
function rowsOfHeader(one: Statement): readonly number[] {
  const [body] = one.suites;
  const first = body?.statements[0]?.firstRow;
  const last = first !== undefined && first > one.firstRow ? first - 1 : one.lastRow;
  return Array.from({ length: last - one.firstRow + 1 }, (_, index) => one.firstRow + index);
}

/** Lines that a failure comes through, where the text alone tells which they are. */
export function failurePins(gist: Gist, calls: readonly (readonly [string, string])[]): ReadonlySet<number> {
  const lines = gist.text.split('\n').map((line) => line.trim());
  const pinned = new Set<number>();
  for (const [, text] of calls) {
    const first = lines.indexOf(text);
    if (first !== -1 && !lines.includes(text, first + 1)) pinned.add(first + 1);
  }
  return pinned;
}

/** Qualified names of functions that gave a value by `return` or `yield`. */
export function valueFunctions({ gist, parser, executed }: PinInput): readonly string[] {
  const file = parseSource(parser, 'gist.py', gist.text);
  const gives = new Map<string, boolean>();
  const visit = (one: Statement, prefix: string): void => {
    const named = one.kind === 'function' || one.kind === 'class';
    const name = named ? `${prefix}${one.name}` : prefix;
    if (one.kind === 'function')
      gives.set(name, (gives.get(name) ?? true) && givesValue(file, one, executed));
    for (const suite of one.suites)
      for (const inner of suite.statements) visit(inner, named ? `${name}.` : prefix);
  };
  for (const one of moduleStatements(file)) visit(one, '');
  return [...gives].flatMap(([name, value]) => (value ? [name] : []));
}

function givesValue(file: SourceFile, definition: Statement, executed: ReadonlySet<number>): boolean {
  let found = false;
  const visit = (one: Statement): void => {
    if (one.kind === 'function' || one.kind === 'class') return;
    const text = textOf(file, one.node);
    const gives =
      one.kind === 'return'
        ? one.node.children.length > 0
        : one.suites.length === 0 && /\byield\b/.test(text);
    if (gives && executed.has(one.position.line)) found = true;
    for (const suite of one.suites) suite.statements.forEach(visit);
  };
  for (const suite of definition.suites) suite.statements.forEach(visit);
  return found;
}
