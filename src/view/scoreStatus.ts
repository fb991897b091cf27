// A Report flows in, the words of a status item flow out: verified or not first, then the two rates.
import type { Report } from '../model/report.js';
import type { Ratio } from '../model/score.js';

export interface ScoreStatus {
  readonly text: string;
  readonly detail: string;
  readonly severity: 'info' | 'warning';
}

/** The scores of a gist in a few words. */
export function scoreStatus(report: Report): ScoreStatus {
  const { score } = report;
  const rates = [
    score.execution === null ? 'did not run' : `${percent(score.execution)} executed`,
    `${percent(score.existence)} existing`,
  ];
  const files = new Set(report.lines.flatMap(({ origin }) => (origin.kind === 'added' ? [] : [origin.file])))
    .size;
  const counts = [
    score.execution === null ? '' : `${score.execution.hit} of ${score.execution.total} lines ran`,
    `${score.existence.hit} of ${score.existence.total} statements stand in the codebase`,
    `from ${files} ${files === 1 ? 'file' : 'files'}`,
  ].filter((count) => count !== '');
  return {
    text: [report.verified ? 'Verified' : 'Not verified', ...rates].join(' · '),
    detail: report.verified ? counts.join(', ') : [...score.problems.slice(0, 1), ...counts].join(', '),
    severity: report.verified ? 'info' : 'warning',
  };
}

/** Rounded down, so that 100% means all of them. */
function percent({ hit, total }: Ratio): string {
  if (total === 0) return '100%';
  return `${Math.floor((hit / total) * 1000) / 10}%`;
}
