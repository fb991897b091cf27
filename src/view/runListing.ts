// Reports of two gists flow in; what each ran of the codebase flows out as a text that can be laid beside the other's:
// file by file, in the order of the codebase's own lines, so that a difference is a difference of what ran.
import type { Report } from '../model/report.js';

/** The lines that ran, below the name of their file. */
export function runListing(report: Report): string {
  const texts = report.gist.text.split('\n');
  const byFile = new Map<string, Map<number, string>>();
  report.lines.forEach(({ origin, ran }, index) => {
    if (origin.kind === 'added' || ran === 'no') return;
    const lines = byFile.get(origin.file) ?? new Map<number, string>();
    lines.set(origin.line, texts[index] ?? '');
    byFile.set(origin.file, lines);
  });
  const files = [...byFile].sort(([a], [b]) => (a < b ? -1 : 1));
  return files
    .map(([file, lines]) => {
      const rows = [...lines].sort(([a], [b]) => a - b).map(([, text]) => `${text}\n`);
      return `# ${file}\n${rows.join('')}`;
    })
    .join('\n');
}

export interface RunDifference {
  /** Lines of the codebase, as `file:line`, that only the first or only the second ran. */
  readonly onlyFirst: readonly string[];
  readonly onlySecond: readonly string[];
}

/** What one test runs that the other does not. */
export function runDifference(first: Report, second: Report): RunDifference {
  const [a, b] = [ranLines(first), ranLines(second)];
  return {
    onlyFirst: [...a].filter((place) => !b.has(place)),
    onlySecond: [...b].filter((place) => !a.has(place)),
  };
}

function ranLines({ lines }: Report): ReadonlySet<string> {
  return new Set(
    lines.flatMap(({ origin, ran }) =>
      origin.kind === 'added' || ran !== 'yes' ? [] : [`${origin.file}:${origin.line}`],
    ),
  );
}
