// The one contract with language models: a request with the whole history flows in, a reply or a fault flows out as
// plain data. Every provider, VS Code's models and replays are such models; agents know nothing else of them.
import type { TokenUsage, ToolCall } from '../model/trajectory.js';

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON schema of the arguments: always an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ToolAnswer {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
}

export type ChatMessage =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly answers: readonly ToolAnswer[] };

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolSpec[];
}

export interface ChatReply {
  readonly kind: 'reply';
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly ToolCall[];
  /** Null where the service does not tell. */
  readonly usage: TokenUsage | null;
  /** Why the model ended: `stop`, `tool-calls`, `length`, … */
  readonly stop: string;
}

export type FaultKind =
  | 'auth'
  | 'permission'
  | 'not-found'
  | 'quota'
  | 'rate-limit'
  | 'overloaded'
  | 'server'
  | 'network'
  | 'context'
  | 'blocked'
  | 'bad-request'
  | 'malformed';

export interface ModelFault {
  readonly kind: 'fault';
  readonly fault: FaultKind;
  readonly message: string;
  /** Seconds that the service asks to wait; null where it does not say. */
  readonly retryAfter: number | null;
}

export interface ChatModel {
  /** As the user named it: `provider/model`. */
  readonly name: string;
  /** Rejects only where `signal` is aborted. `onText` gets the text as it comes. */
  reply(
    request: ChatRequest,
    signal: AbortSignal,
    onText: (delta: string) => void,
  ): Promise<ChatReply | ModelFault>;
}

/** Faults that another attempt may mend. */
export function isRetryable(fault: ModelFault): boolean {
  return ['rate-limit', 'overloaded', 'server', 'network', 'malformed'].includes(fault.fault);
}
