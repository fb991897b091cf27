// Executable lines and executed lines of one file flow in, the line execution rate flows out as counts.
import type { Ratio } from '../model/score.js';

/** `statements` are the first lines of executable statements, `executed` the first lines of those that ran. */
export function executionRatio(statements: readonly number[], executed: readonly number[]): Ratio {
  const ran = new Set(executed);
  const all = new Set(statements);
  let hit = 0;
  for (const line of all) if (ran.has(line)) hit += 1;
  return { hit, total: all.size };
}
