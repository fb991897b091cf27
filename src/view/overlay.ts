// A Report flows in, plain line ranges for an editor's overlays flow out: what ran, what did not, what was added, which file each line is from.
// All line numbers are the gist's, 1-based; ranges are sorted and do not overlap within one list.
import type { Origin } from '../model/gist.js';
import type { Report, ReportLine } from '../model/report.js';
import type { Translate } from '../base/translate.js';

export interface LineRange {
  readonly first: number;
  readonly last: number;
}

export interface FileRanges {
  /** Repo-relative POSIX path. */
  readonly file: string;
  /** 0 is the test's own file; the others take turns from 1 up. */
  readonly colour: number;
  readonly ranges: readonly LineRange[];
}

export interface MarginText {
  readonly line: number;
  readonly text: string;
}

export interface Overlay {
  readonly executed: readonly LineRange[];
  readonly unexecuted: readonly LineRange[];
  readonly added: readonly LineRange[];
  readonly files: readonly FileRanges[];
  /** Names the origin where it changes, and says in words what colours say. */
  readonly margins: readonly MarginText[];
}

/** How many colours tell files apart. */
export const provenanceColours = 6;

/** The overlays of a gist. */
export function overlayOf(report: Report, t: Translate): Overlay {
  const lines = report.lines;
  return {
    executed: rangesWhere(lines, (line) => line.ran === 'yes'),
    unexecuted: rangesWhere(lines, (line) => line.ran === 'no'),
    added: rangesWhere(lines, ({ origin }) => origin.kind === 'added' && !isBlank(origin)),
    files: fileRanges(report),
    margins: marginsOf(lines, t),
  };
}

function isBlank(origin: Origin): boolean {
  return origin.kind === 'added' && origin.why === 'blank';
}

function fileOf(line: ReportLine | undefined): string | null {
  return line === undefined || line.origin.kind === 'added' ? null : line.origin.file;
}

function fileRanges(report: Report): FileRanges[] {
  const { lines } = report;
  const bridged = bridgeBlanks(lines);
  const own = report.task.nodeId.split('::')[0] ?? '';
  const others = [...new Set(lines.map(fileOf))].filter((file) => file !== null && file !== own);
  return [own, ...others.filter((file) => file !== null)].flatMap((file, index) => {
    const ranges = rangesWhere(bridged, (line) => line === file);
    const colour = index === 0 ? 0 : 1 + ((index - 1) % (provenanceColours - 1));
    return ranges.length === 0 ? [] : [{ file, colour, ranges }];
  });
}

/** The file of each line; blank lines between two lines of one file count as that file's, so that its stripe has no holes. */
function bridgeBlanks(lines: readonly ReportLine[]): readonly (string | null)[] {
  const files = lines.map(fileOf);
  let previous: string | null = null;
  return lines.map((line, index) => {
    if (!isBlank(line.origin)) return (previous = files[index] ?? null);
    const next = lines.slice(index + 1).find(({ origin }) => !isBlank(origin));
    return previous !== null && fileOf(next) === previous ? previous : null;
  });
}

function marginsOf(lines: readonly ReportLine[], t: Translate): MarginText[] {
  const margins: MarginText[] = [];
  let previous: string | null = null;
  lines.forEach(({ origin, ran }, index) => {
    if (isBlank(origin)) return;
    const parts: string[] = [];
    const source = origin.kind === 'added' ? `+ ${origin.why}` : origin.file;
    if (origin.kind === 'added') {
      // An added comment is words already.
      if (source !== previous && ran !== 'none') parts.push(source);
    } else if (origin.kind === 'rewritten')
      parts.push(`← ${origin.file}:${origin.line}, ${t('rewritten: {0}', origin.why)}`);
    else if (source !== previous) parts.push(`← ${origin.file}:${origin.line}`);
    if (ran === 'no') parts.push(t('did not run'));
    if (parts.length > 0) margins.push({ line: index + 1, text: parts.join(' · ') });
    previous = source;
  });
  return margins;
}

function rangesWhere<T>(lines: readonly T[], holds: (line: T) => boolean): LineRange[] {
  const ranges: { first: number; last: number }[] = [];
  lines.forEach((line, index) => {
    if (!holds(line)) return;
    const open = ranges.at(-1);
    if (open?.last === index) open.last = index + 1;
    else ranges.push({ first: index + 1, last: index + 1 });
  });
  return ranges;
}
