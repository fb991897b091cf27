// A Trace flows in, what ran flows out in words: by file the functions with their calls, and the lines that ran.
import type { PythonParser } from '../python/parse.js';
import { statementsOf, type Statement } from '../python/statements.js';
import { parseSource } from '../python/syntax.js';
import type { Trace } from '../model/trace.js';

interface Span {
  readonly name: string;
  /** 1-based line of the `def`, and of the last line. */
  readonly line: number;
  readonly first: number;
  readonly last: number;
}

/** Functions of a file, each behind those that enclose it. */
function functionsOf(parser: PythonParser, path: string, text: string): readonly Span[] {
  const file = parseSource(parser, path, text);
  const out: Span[] = [];
  const visit = (statements: readonly Statement[], owner: string): void => {
    for (const statement of statements) {
      const named = statement.kind === 'function' || statement.kind === 'class';
      const name = !named ? owner : owner === '' ? statement.name : `${owner}.${statement.name}`;
      if (statement.kind === 'function')
        out.push({
          name,
          line: statement.core.row + 1,
          first: statement.firstRow + 1,
          last: statement.lastRow + 1,
        });
      for (const suite of statement.suites) visit(suite.statements, name);
    }
  };
  visit(statementsOf(file, file.root.children, true), '');
  return out;
}

/** `3, 5 to 8` */
function ranges(lines: readonly number[]): string {
  const out: string[] = [];
  const sorted = [...new Set(lines)].toSorted((a, b) => a - b);
  for (let i = 0; i < sorted.length; i += 1) {
    const start = sorted[i] ?? 0;
    let end = start;
    while (sorted[i + 1] === end + 1) {
      i += 1;
      end += 1;
    }
    out.push(start === end ? `${start}` : `${start} to ${end}`);
  }
  return out.join(', ');
}

/** The trace of the original run in words. `texts` by repo-relative path. */
export function goldTraceText(
  parser: PythonParser,
  trace: Trace,
  texts: ReadonlyMap<string, string>,
): string {
  const out: string[] = [];
  for (const file of trace.files) {
    const spans = functionsOf(parser, file.path, texts.get(file.path) ?? '');
    const calls = new Map(
      file.calls.map(([statement, count]) => [file.statements[statement]?.[0] ?? 0, count]),
    );
    const ran = file.statements.filter(([, , importing, testing]) => importing > 0 || testing > 0);
    if (ran.length === 0) continue;
    const inner = (line: number) => spans.findLast(({ first, last }) => first < line && line <= last);
    const outside = ran.filter(([line]) => {
      const span = inner(line);
      return span === undefined || line <= span.line;
    });
    out.push(file.path, `  at import: lines ${ranges(outside.map(([line]) => line))}`);
    for (const span of spans) {
      const own = ran.map(([line]) => line).filter((line) => line > span.line && inner(line) === span);
      if (own.length === 0) continue;
      const count = calls.get(span.line) ?? calls.get(span.first);
      const times = count === undefined ? '' : `, called ${count} ${count === 1 ? 'time' : 'times'}`;
      out.push(`  ${span.name} (line ${span.line})${times}: lines ${ranges(own)}`);
    }
  }
  return `${out.join('\n')}\n`;
}
