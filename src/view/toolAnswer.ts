// A Report flows in, the words flow out that a model gets for it: verified or not first, then the scores, then what to
// mend, then the file.
import type { Report } from '../model/report.js';
import type { Ratio } from '../model/score.js';

const mostInvented = 30;

function ratio(value: Ratio | null): string {
  return value === null ? 'did not run' : `${value.hit} of ${value.total}`;
}

function scores({ score }: Report): readonly string[] {
  return [
    `fidelity: ${score.fidelity}`,
    `lines that ran: ${ratio(score.execution)}`,
    `statements of the codebase: ${ratio(score.existence)}`,
    ...(score.failure === 'none' ? [] : [`failure: ${score.failure}`]),
    ...score.problems.map((problem) => `- ${problem}`),
  ];
}

/** A fence that the code cannot close. */
function fenced(code: string): readonly string[] {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}python`, code, fence];
}

/** For `gistify_run`. */
export function runAnswer(report: Report): string {
  const notes = report.diagnostics.filter(({ severity }) => severity === 'warning');
  const files = new Set(report.lines.flatMap(({ origin }) => (origin.kind === 'added' ? [] : [origin.file])));
  return [
    report.verified
      ? 'The gist is verified: run alone it behaves exactly as the test does.'
      : 'The gist is NOT verified: it does not behave as the test does. Do not rely on it.',
    ...scores(report),
    `from: ${[...files].toSorted().join(', ')}`,
    ...notes.map(({ message }) => `note: ${message}`),
    '',
    ...fenced(report.gist.text.replace(/\n$/, '')),
  ].join('\n');
}

/** For `gistify_score`. */
export function scoreAnswer(report: Report): string {
  const { invented, testF1 } = report.score;
  const shown = invented.slice(0, mostInvented).map(({ line, block, text, nearest }) => {
    const place = block === '' ? '' : ` in ${block}`;
    return `- line ${line}${place}: ${text}${nearest === null ? '' : ` (nearest: ${nearest})`}`;
  });
  return [
    report.verified
      ? 'The file behaves exactly as the test does.'
      : 'The file does not behave as the test does.',
    ...scores(report),
    ...(testF1 === null ? [] : [`agreement with the original test: ${(100 * testF1).toFixed(1)}%`]),
    ...(shown.length === 0 ? [] : ['statements that do not stand in the codebase:', ...shown]),
    ...(invented.length > mostInvented ? [`- and ${invented.length - mostInvented} more`] : []),
  ].join('\n');
}
