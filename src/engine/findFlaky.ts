// An original that no candidate matched runs a second time: where its two outcomes differ, no gist could be verified, and
// the fault that says so flows out.
import { GistifyError } from '../base/gistifyError.js';
import type { RunOutcome } from '../model/outcome.js';
import { compareOutcomes, type CompareContext } from '../score/compareOutcomes.js';

/** Null where both runs are alike. `again` runs the original once more. */
export async function findFlaky(
  nodeId: string,
  first: RunOutcome,
  context: CompareContext,
  again: () => Promise<RunOutcome>,
): Promise<GistifyError | null> {
  const sides = ['the first run', 'the second run'] as const;
  const differences = await again().then(
    (second) => compareOutcomes(first, second, { ...context, sides }),
    (error: unknown) => {
      if (!(error instanceof GistifyError)) throw error;
      return [`the second run failed: ${error.message}`];
    },
  );
  if (differences.length === 0) return null;
  return new GistifyError(
    'flaky',
    `${nodeId} is flaky: two runs of the original differ`,
    'Make it repeatable first: fix random seeds, clocks, and what earlier runs leave behind.',
    differences.slice(0, 10).join('\n'),
  );
}
