// Messages flow in, an estimate of their tokens flows out: for services that tell none, and to see a full context before
// the service refuses it. Four characters a token is what source code comes to, a little on the safe side.
import type { ChatMessage, ChatRequest } from './chatModel.js';

const charactersPerToken = 4;
/** Roles and separators of one message. */
const overhead = 4;

export function estimateText(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

export function estimateMessage(message: ChatMessage): number {
  switch (message.role) {
    case 'system':
    case 'user':
      return overhead + estimateText(message.text);
    case 'assistant':
      return (
        overhead +
        estimateText(message.text) +
        message.calls.reduce((sum, call) => sum + estimateText(JSON.stringify(call.input) + call.name), 0)
      );
    case 'tool':
      return message.answers.reduce((sum, { text }) => sum + overhead + estimateText(text), 0);
  }
}

export function estimateRequest({ messages, tools }: ChatRequest): number {
  return (
    messages.reduce((sum, message) => sum + estimateMessage(message), 0) +
    tools.reduce((sum, tool) => sum + estimateText(JSON.stringify(tool)), 0)
  );
}
