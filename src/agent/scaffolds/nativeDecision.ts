// Reading a reply of a model that calls tools by the service's own form: its calls are the actions, in order.
import type { ChatReply } from '../chatModel.js';
import type { Decision } from '../scaffold.js';

/** `idle` says what a reply without a call comes to. */
export function nativeDecision({ calls }: ChatReply, idle: Decision): Decision {
  return calls.length === 0 ? idle : { kind: 'act', actions: calls };
}
