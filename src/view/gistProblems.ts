// A Report flows in, what an editor lists as problems of its gist flows out: lines that the codebase does not have, and
// lines that did not run.
import type { Translate } from '../base/translate.js';
import type { Report } from '../model/report.js';

export interface GistProblem {
  readonly kind: 'invented' | 'unexecuted';
  /** 1-based line of the gist. */
  readonly line: number;
  readonly message: string;
  /** The line of the codebase to put in its place, where there is one near enough. */
  readonly nearest: string | null;
}

export function gistProblems(report: Report, t: Translate): readonly GistProblem[] {
  const texts = report.gist.text.split('\n');
  const invented = report.score.invented.map(({ line, text, nearest }): GistProblem => {
    const message = t('This line is not in the codebase.');
    // A statement over several lines has no one line to put in its place.
    const single = texts[line - 1]?.trim() === text.trim();
    return {
      kind: 'invented',
      line,
      message: nearest === null ? message : `${message} ${t('Nearest: {0}', nearest)}`,
      nearest: single && nearest !== null ? withoutPlace(nearest) : null,
    };
  });
  const unexecuted = report.lines.flatMap(({ ran }, index): readonly GistProblem[] =>
    ran === 'no'
      ? [{ kind: 'unexecuted', line: index + 1, message: t('This line did not run.'), nearest: null }]
      : [],
  );
  return [...invented, ...unexecuted];
}

/** The score names the nearest line as `path/file.py:12: text`. */
function withoutPlace(nearest: string): string {
  return nearest.replace(/^.*?\.py:\d+: /, '');
}
