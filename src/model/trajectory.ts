// What a language-model run did, event by event, as it goes into a JSON Lines file: messages, replies, tool calls,
// waits, tokens and cost. Plain data without secrets; the events of a run can be shown and replayed.

export const trajectorySchema = 1;

export interface TokenUsage {
  /** All input tokens of the request, those read from a cache too. */
  readonly input: number;
  readonly output: number;
  readonly cachedInput: number;
}

/** What a run has used so far. */
export interface Spent extends TokenUsage {
  readonly requests: number;
  /** US dollars; null where the model's price is not known. */
  readonly cost: number | null;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as an object; null where the model wrote none that can be read. */
  readonly input: Readonly<Record<string, unknown>> | null;
  /** The arguments as the model wrote them, where they could not be read. */
  readonly malformed: string;
}

/** How an agent's run ended; what became of its file is the score's to say. */
export type AgentEnd =
  /** The agent said that it is done. */
  | 'submitted'
  | 'step-limit'
  | 'context-limit'
  | 'token-budget'
  | 'cost-budget'
  | 'time-limit'
  /** Several replies on end held no action. */
  | 'no-action'
  /** The model's service failed for good. */
  | 'model-fault'
  /** A command agent ended with a status other than 0. */
  | 'command-failed';

export type ToolStatus = 'ok' | 'error' | 'refused' | 'timeout';

export type TrajectoryEvent =
  | {
      readonly type: 'start';
      readonly schema: typeof trajectorySchema;
      readonly nodeId: string;
      readonly agent: string;
      readonly model: string | null;
      readonly options: Readonly<Record<string, unknown>>;
      readonly tools: readonly string[];
    }
  | {
      readonly type: 'message';
      readonly step: number;
      readonly role: 'system' | 'user';
      readonly text: string;
    }
  | {
      readonly type: 'reply';
      readonly step: number;
      readonly text: string;
      readonly reasoning: string;
      readonly calls: readonly ToolCall[];
      readonly stop: string;
      readonly usage: TokenUsage;
      /** False where the service told no tokens and they were estimated. */
      readonly counted: boolean;
      readonly cost: number | null;
      readonly seconds: number;
    }
  | {
      readonly type: 'retry';
      readonly step: number;
      readonly fault: string;
      readonly message: string;
      /** Seconds until the next attempt. */
      readonly wait: number;
    }
  | {
      readonly type: 'tool';
      readonly step: number;
      readonly id: string;
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
      readonly output: string;
      readonly status: ToolStatus;
      /** Characters left out of the output. */
      readonly cut: number;
      readonly seconds: number;
    }
  | {
      readonly type: 'end';
      readonly end: AgentEnd;
      readonly detail: string;
      readonly steps: number;
      readonly spent: Spent;
      readonly seconds: number;
    };
