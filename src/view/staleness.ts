// A gist's report and its codebase's files, as they were and as they are, flow in; the lines by which the gist is out of date flow out.
import type { Report } from '../model/report.js';
import { lineMoves } from './lineMoves.js';

export interface StaleFile {
  /** Repo-relative POSIX path. */
  readonly file: string;
  /** Lines of the file as it is now: changed, new, or the place where something is gone. Empty where the file is gone. */
  readonly lines: readonly number[];
}

/**
 * Files with changes that the gist's test may notice: lines of the gist that were changed or removed, and new ones in
 * functions that the gist holds. Lines that only moved are no change, nor are comments and blank lines.
 * @param before the files as the gist was made from them
 * @param now null where the file is gone
 */
export function staleFiles(
  report: Report,
  before: Readonly<Record<string, string>>,
  now: (file: string) => string | null,
): readonly StaleFile[] {
  const stale: StaleFile[] = [];
  for (const [file, used] of usedLines(report)) {
    const old = before[file];
    const current = now(file);
    if (old === undefined || current === old) continue;
    const lines = current === null ? [] : changedLines(old, current, used);
    if (current === null || lines.length > 0) stale.push({ file, lines });
  }
  return stale;
}

/** By file the lines that the gist has from it. */
function usedLines(report: Report): ReadonlyMap<string, ReadonlySet<number>> {
  const used = new Map<string, Set<number>>();
  for (const { origin } of report.lines) {
    if (origin.kind === 'added') continue;
    const lines = used.get(origin.file) ?? new Set();
    used.set(origin.file, lines.add(origin.line));
  }
  return used;
}

function changedLines(old: string, current: string, used: ReadonlySet<number>): readonly number[] {
  const moves = lineMoves(old, current);
  const lines = current.split(/\r?\n/);
  const changed = new Set<number>();
  let last = 0;
  const usedNow = new Set<number>();
  moves.forEach((line, index) => {
    if (line !== 0) last = line;
    if (!used.has(index + 1)) return;
    if (line === 0) changed.add(Math.min(last + 1, lines.length));
    else usedNow.add(line);
  });
  const known = new Set(moves);
  lines.forEach((text, index) => {
    const line = index + 1;
    if (known.has(line) || /^\s*(#|$)/.test(text)) return;
    const header = headerOf(lines, index);
    if (header !== null && (usedNow.has(header) || changed.has(header))) changed.add(line);
  });
  return [...changed].sort((a, b) => a - b);
}

/** The nearest line above that is indented less: what the line stands in. */
function headerOf(lines: readonly string[], index: number): number | null {
  const indent = indentOf(lines[index] ?? '');
  if (indent === 0) return null;
  for (let above = index - 1; above >= 0; above -= 1) {
    const text = lines[above] ?? '';
    if (text.trim() !== '' && indentOf(text) < indent) return above + 1;
  }
  return null;
}

function indentOf(text: string): number {
  return /^\s*/.exec(text)?.[0].length ?? 0;
}

/** `shop/cart.py: 14, 18-20; shop/tax.py: gone`. */
export function staleText(stale: readonly StaleFile[], gone: string): string {
  return stale.map(({ file, lines }) => `${file}: ${lines.length === 0 ? gone : spans(lines)}`).join('; ');
}

function spans(lines: readonly number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const line of lines) {
    const open = ranges.at(-1);
    if (open?.last === line - 1) open.last = line;
    else ranges.push({ first: line, last: line });
  }
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}–${last}`)).join(', ');
}
