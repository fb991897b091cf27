// One line of a Report flows in, the markdown that an editor shows over it flows out.
import type { Report, ReportLine } from '../model/report.js';
import { commands, type OriginTarget } from './protocol.js';

/** Markdown with a link to the line's origin; `null` where there is nothing to say. */
export function lineHover(report: Report, line: number): string | null {
  const entry = report.lines[line - 1];
  if (entry === undefined) return null;
  const { origin } = entry;
  if (origin.kind === 'added') {
    return origin.why === 'blank' ? null : `Added by Gistify: ${escape(origin.why)}${ranText(entry)}`;
  }
  const target: OriginTarget = { repo: report.task.repo, file: origin.file, line: origin.line };
  const link = `[${escape(`${origin.file}:${origin.line}`)}](${commandLink(target)} "Open this line in the codebase")`;
  return origin.kind === 'kept'
    ? `From ${link}${ranText(entry)}`
    : `Rewritten from ${link}: ${escape(origin.why)}${ranText(entry)}`;
}

/** The origin of a line as the target of the command that opens it; `null` where the line is not from the codebase. */
export function originTarget(report: Report, line: number): OriginTarget | null {
  const origin = report.lines[line - 1]?.origin;
  if (origin === undefined || origin.kind === 'added') return null;
  return { repo: report.task.repo, file: origin.file, line: origin.line };
}

function ranText({ ran }: ReportLine): string {
  if (ran === 'none') return '';
  return ran === 'yes' ? ' · ran' : ' · **did not run**';
}

function commandLink(target: OriginTarget): string {
  // Parentheses end a markdown link, and encodeURIComponent lets them through.
  const args = encodeURIComponent(JSON.stringify([target])).replace(/[()]/g, (bracket) =>
    bracket === '(' ? '%28' : '%29',
  );
  return `command:${commands.openOrigin}?${args}`;
}

function escape(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+!|<>~&]/g, '\\$&').replaceAll('\n', ' ');
}
