// A Report flows in, the few facts that a list of gists shows of it flow out, with how its scores read in one line.
import { reportSchema, type Report } from '../model/report.js';
import type { Ratio } from '../model/score.js';
import { percent } from './scoreStatus.js';
import type { Translate } from '../base/translate.js';

export interface GistEntry {
  readonly schema: typeof reportSchema;
  readonly repo: string;
  readonly nodeId: string;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  readonly verified: boolean;
  readonly execution: Ratio | null;
  readonly existence: Ratio;
  /** Whether the original test failed: the gist is one of a failure. */
  readonly failing: boolean;
  readonly lines: number;
  /** Repo-relative paths that lines are from, in the order of the gist. */
  readonly files: readonly string[];
}

/** The entry of a report. */
export function entryOf(report: Report, madeAt: number): GistEntry {
  const { task, verified, score, lines, original } = report;
  const phases = original.tests.flatMap((test) => test.phases);
  return {
    ...{ schema: reportSchema, repo: task.repo, nodeId: task.nodeId, madeAt, verified },
    execution: score.execution,
    existence: score.existence,
    failing: phases.some(({ outcome }) => outcome === 'failed'),
    lines: lines.length,
    files: [...new Set(lines.flatMap(({ origin }) => (origin.kind === 'added' ? [] : [origin.file])))],
  };
}

/** `100% executed · 98.2% existing · 3 minutes ago`. */
export function entryText({ execution, existence, madeAt }: GistEntry, now: number, t: Translate): string {
  return [
    execution === null ? t('did not run') : t('{0} executed', percent(execution)),
    t('{0} existing', percent(existence)),
    ageText(now - madeAt, t),
  ].join(' · ');
}

/** How long ago, in the largest whole unit. */
function ageText(milliseconds: number, t: Translate): string {
  const minutes = Math.floor(milliseconds / 60_000);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (minutes < 1) return t('just now');
  if (hours < 1) return minutes === 1 ? t('1 minute ago') : t('{0} minutes ago', minutes);
  if (days < 1) return hours === 1 ? t('1 hour ago') : t('{0} hours ago', hours);
  return days === 1 ? t('1 day ago') : t('{0} days ago', days);
}
