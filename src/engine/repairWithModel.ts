// A built-in gist that does not verify flows in, the best of it and its mended versions flows out: an agent gets it with
// what its run said, and what it leaves is judged like any gist. The best verified one wins, else the better of the two.
import type { RepairTask } from '../agent/agentTask.js';
import type { Report } from '../model/report.js';
import type { Ratio } from '../model/score.js';
import { runAgent, type AgentResult, type AgentRunInput } from './agentRun.js';

export interface RepairResult {
  /** The better of the two. */
  readonly report: Report;
  readonly repaired: boolean;
  readonly attempt: AgentResult;
}

const mostWords = 6000;

/** What the run of a gist said and how it differs, for a model to act on. */
function failureWords(report: Report): string {
  const { observed, score } = report;
  const errors = observed.tests.flatMap(({ name, phases }) =>
    phases.flatMap(({ when, failure }) =>
      failure === null ? [] : [`${name}, ${when}: ${failure.type}: ${failure.message} (at: ${failure.line})`],
    ),
  );
  const words = [
    ...score.problems,
    ...(observed.collectErrors.length > 0
      ? ['', 'pytest could not collect it:', ...observed.collectErrors]
      : []),
    ...(errors.length > 0 ? ['', 'Errors of its run:', ...errors] : []),
  ];
  return words.join('\n').slice(0, mostWords);
}

function rate(ratio: Ratio | null): number {
  return ratio === null || ratio.total === 0 ? 0 : ratio.hit / ratio.total;
}

/** Verified first, then what is nearer to the codebase, then what runs more of itself. */
function isBetter(a: Report, b: Report): boolean {
  const rank = ({ verified, score }: Report) => [
    verified ? 1 : 0,
    -score.problems.length,
    rate(score.existence),
    rate(score.execution),
  ];
  const [left, right] = [rank(a), rank(b)];
  const at = left.findIndex((value, index) => value !== right[index]);
  return at !== -1 && (left[at] ?? 0) > (right[at] ?? 0);
}

/** Lets an agent mend the gist of a report that is not verified. */
export async function repairWithModel(report: Report, input: AgentRunInput): Promise<RepairResult> {
  const repair: RepairTask = { text: report.gist.text, failure: failureWords(report) };
  const attempt = await runAgent({ ...input, repair });
  const made = attempt.report;
  if (made !== null && isBetter(made, report)) return { report: made, repaired: true, attempt };
  return { report: { ...report, agent: attempt.summary }, repaired: false, attempt };
}
