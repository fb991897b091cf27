// One line of a Report flows in, the markdown that an editor shows over it flows out.
import type { Report, ReportLine } from '../model/report.js';
import { commands, type OriginTarget } from './protocol.js';
import type { Translate } from '../base/translate.js';

/** Markdown with a link to the line's origin; `null` where there is nothing to say. */
export function lineHover(report: Report, line: number, t: Translate): string | null {
  const entry = report.lines[line - 1];
  if (entry === undefined) return null;
  const { origin } = entry;
  const facts = [ranText(entry, t), callsText(report, line, t)].map((fact) => fact && ` · ${fact}`).join('');
  if (origin.kind === 'added') {
    return origin.why === 'blank' ? null : t('Added: {0}', escape(origin.why)) + facts;
  }
  const target: OriginTarget = { repo: report.task.repo, file: origin.file, line: origin.line };
  const link = `[${escape(`${origin.file}:${origin.line}`)}](${commandLink(target)} "${t('Open this line in the codebase')}")`;
  return (
    (origin.kind === 'kept' ? t('From {0}', link) : t('Rewritten from {0}: {1}', link, escape(origin.why))) +
    facts
  );
}

/** The origin of a line as the target of the command that opens it; `null` where the line is not from the codebase. */
export function originTarget(report: Report, line: number): OriginTarget | null {
  const origin = report.lines[line - 1]?.origin;
  if (origin === undefined || origin.kind === 'added') return null;
  return { repo: report.task.repo, file: origin.file, line: origin.line };
}

function ranText({ ran }: ReportLine, t: Translate): string {
  if (ran === 'none') return '';
  return ran === 'yes' ? t('ran') : `**${t('did not run')}**`;
}

/** How often the function that starts on the line was called. */
function callsText({ calls }: Report, line: number, t: Translate): string {
  const count = calls?.functions.find((known) => known.line === line)?.calls;
  if (count == null) return '';
  return count === 1 ? t('called once') : t('called {0} times', count);
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
