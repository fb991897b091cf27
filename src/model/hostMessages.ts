// What the engine's process and the program that started it say to each other over Node's own channel: questions to the
// editor's language models, keys that must stand in no environment, and a run's events as they happen. Plain JSON.
import type { TrajectoryEvent } from './trajectory.js';

/** Requests and replies are those of `agent/chatModel.ts`; this layer only hands them on. */
export type EngineMessage<Request = unknown> =
  | { readonly gistify: 'ask'; readonly id: number; readonly model: string; readonly request: Request }
  /** The answer is not wanted any more. */
  | { readonly gistify: 'drop'; readonly id: number }
  | { readonly gistify: 'keys' }
  /** The text of whatever model, as it comes. */
  | { readonly gistify: 'said'; readonly delta: string }
  | { readonly gistify: 'event'; readonly event: TrajectoryEvent };

export type HostMessage<Answer = unknown> =
  | { readonly gistify: 'text'; readonly id: number; readonly delta: string }
  | { readonly gistify: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly gistify: 'keys'; readonly keys: Readonly<Record<string, string>> };

/** Says, in the engine's environment, that the channel leads to a host that answers. */
export const hostVariable = 'GISTIFY_HOST';
