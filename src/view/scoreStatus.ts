// A Report flows in, the words of a status item flow out: verified or not first, then the two rates.
import type { Report } from '../model/report.js';
import type { Ratio } from '../model/score.js';
import type { Translate } from '../base/translate.js';

export interface ScoreStatus {
  readonly text: string;
  readonly detail: string;
  readonly severity: 'info' | 'warning';
}

/** The scores of a gist in a few words. */
export function scoreStatus(report: Report, t: Translate): ScoreStatus {
  const { score } = report;
  const rates = [
    score.execution === null ? t('did not run') : t('{0} executed', percent(score.execution)),
    t('{0} existing', percent(score.existence)),
  ];
  const files = new Set(report.lines.flatMap(({ origin }) => (origin.kind === 'added' ? [] : [origin.file])))
    .size;
  const counts = [
    score.execution === null ? '' : t('{0} of {1} lines ran', score.execution.hit, score.execution.total),
    t('{0} of {1} statements stand in the codebase', score.existence.hit, score.existence.total),
    files === 1 ? t('from 1 file') : t('from {0} files', files),
  ].filter((count) => count !== '');
  return {
    text: [report.verified ? t('Verified') : t('Not verified'), ...rates].join(' · '),
    detail: report.verified ? counts.join(', ') : [...score.problems.slice(0, 1), ...counts].join(', '),
    severity: report.verified ? 'info' : 'warning',
  };
}

/** Rounded down, so that 100% means all of them. */
export function percent({ hit, total }: Ratio): string {
  if (total === 0) return '100%';
  return `${Math.floor((hit / total) * 1000) / 10}%`;
}
