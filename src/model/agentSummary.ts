// What one agent's run came to, beside the score of its gist: how it ended, what it used, and every step of it.
import type { AgentOptions } from './agentOptions.js';
import type { FailureKind } from './score.js';
import type { AgentEnd, Spent, TrajectoryEvent } from './trajectory.js';

/** The score's kinds of failure, and why there may be no file to score. */
export type AgentFailure = FailureKind | 'limit-reached' | 'model-fault' | 'command-failed';

export interface AgentSummary {
  readonly options: AgentOptions;
  /** `provider/model`; null for a command agent. */
  readonly model: string | null;
  readonly end: AgentEnd;
  readonly detail: string;
  readonly failure: AgentFailure;
  readonly steps: number;
  readonly spent: Spent;
  readonly seconds: number;
  /** The gist started from the built-in agent's. */
  readonly repaired: boolean;
  readonly trajectory: readonly TrajectoryEvent[];
}
