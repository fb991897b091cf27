// A Report flows in, what each file of the codebase gave to the gist flows out, the most first.
import type { Report } from '../model/report.js';
import { fileColours } from './reportStyle.js';

export interface FileShare {
  readonly file: string;
  /** Lines of the gist that are from the file. */
  readonly lines: number;
  readonly ran: number;
  /** The test's own file has 0, the others take turns from 1 up, as in the editor. */
  readonly colour: number;
  /** Indices of its functions in the report's call graph. */
  readonly functions: readonly number[];
}

/** One entry a file, by falling count of lines. */
export function sharesOf(report: Report): readonly FileShare[] {
  const { lines, calls, task } = report;
  const own = task.nodeId.split('::')[0] ?? '';
  const files = [...new Set(lines.flatMap(({ origin }) => (origin.kind === 'added' ? [] : [origin.file])))];
  const others = files.filter((file) => file !== own);
  const fileAt = (line: number): string | null => {
    const origin = lines[line - 1]?.origin;
    return origin === undefined || origin.kind === 'added' ? null : origin.file;
  };
  return files
    .map((file): FileShare => {
      const from = lines.filter(({ origin }) => origin.kind !== 'added' && origin.file === file);
      const functions = (calls?.functions ?? []).flatMap(({ line }, index) =>
        fileAt(line) === file ? [index] : [],
      );
      const colour = file === own ? 0 : 1 + (others.indexOf(file) % (fileColours - 1));
      return {
        file,
        lines: from.length,
        ran: from.filter(({ ran }) => ran === 'yes').length,
        colour,
        functions,
      };
    })
    .sort((a, b) => b.lines - a.lines || (a.file < b.file ? -1 : 1));
}
