// A scaffold is what surrounds a model: its first messages, its tools, and how an action is read from a reply. The loop
// knows only this; scaffolds are put together from parts and hold no state of their own beyond their tools'.
import type { ToolStatus } from '../model/trajectory.js';
import type { ChatMessage, ChatReply, ToolSpec } from './chatModel.js';

export interface ToolResult {
  readonly text: string;
  readonly status: ToolStatus;
  /** Characters left out of the text. */
  readonly cut: number;
  /** The agent says that it is done. */
  readonly submitted: boolean;
}

export interface Tool {
  readonly spec: ToolSpec;
  run(input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolResult>;
}

export interface Action {
  /** Of the tool call it answers; '' for actions written as text. */
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>> | null;
  readonly malformed: string;
}

/** What a reply comes to. */
export type Decision =
  | { readonly kind: 'act'; readonly actions: readonly Action[] }
  /** The agent is done; `text` is the gist where the reply itself holds it. */
  | { readonly kind: 'done'; readonly gist: string | null }
  /** No action can be read: the words go back to the model. */
  | { readonly kind: 'unclear'; readonly words: string };

export interface Scaffold {
  readonly first: readonly ChatMessage[];
  readonly tools: readonly Tool[];
  /** Tools are offered by the service's own tool calls, or written as text. */
  readonly calls: 'native' | 'text';
  decide(reply: ChatReply): Decision;
}

/** A text result that is shown whole. */
export function shown(text: string, status: ToolStatus = 'ok'): ToolResult {
  return { text, status, cut: 0, submitted: false };
}
