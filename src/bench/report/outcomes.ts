// Which outcomes of a run a table is about: those of one agent, and of tasks that can be compared at all.
import type { Agent } from '../agents.js';
import type { Outcome, Run } from './readRun.js';
import type { Column } from './table.js';

export const agentColumn: Column = { key: 'agent', title: 'Agent', kind: 'text' };

/** What reports call an agent. */
export function labelOf({ label, name }: Agent): string {
  return label ?? name;
}

/** Outcomes of one agent. */
export function ofAgent(run: Run, agent: Agent): readonly Outcome[] {
  return run.outcomes.filter(({ result }) => result.agent === agent.name);
}

/** Tasks whose original could be run: only they say something of an agent. */
export function comparable(outcomes: readonly Outcome[]): readonly Outcome[] {
  return outcomes.filter(({ result }) => result.status !== 'original-failed');
}
