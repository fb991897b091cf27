// Questions of the engine's process flow in, VS Code's language models and its secret storage answer: consent, quotas and
// blocks are theirs to give, and each way to fail flows back as a fault that the engine knows what to do with.
import * as vscode from 'vscode';
import type { ChatMessage, ChatReply, ChatRequest, FaultKind, ModelFault } from '../agent/chatModel.js';
import type { EngineMessage } from '../model/hostMessages.js';
import type { TokenUsage, ToolCall } from '../model/trajectory.js';
import type { StepListener } from './agentSteps.js';
import type { EngineHost } from './engineProcess.js';

/** VS Code's models by id; none where this editor has no interface for them. */
export async function modelsOfHost(id?: string): Promise<readonly vscode.LanguageModelChat[]> {
  const { lm } = vscode as Partial<typeof vscode>;
  return (await lm?.selectChatModels(id === undefined ? {} : { id })) ?? [];
}

/**
 * What one run's engine is answered with.
 * @param keys API keys by environment variable
 */
export function createBridge(
  keys: () => Promise<Readonly<Record<string, string>>>,
  steps: StepListener,
): EngineHost['hear'] {
  const asking = new Map<number, vscode.CancellationTokenSource>();
  const counted = new Map<string, number>();
  return (message, answer) => {
    if (!isMessage(message)) return;
    switch (message.gistify) {
      case 'ask': {
        const { id, model, request } = message;
        const source = new vscode.CancellationTokenSource();
        asking.set(id, source);
        const onText = (delta: string): void => answer({ gistify: 'text', id, delta });
        void ask(model, request, { token: source.token, onText, counted })
          .catch(faultOf)
          .then((given) => {
            asking.delete(id);
            source.dispose();
            answer({ gistify: 'answer', id, answer: given });
          });
        return;
      }
      case 'drop':
        asking.get(message.id)?.cancel();
        return;
      case 'keys':
        void keys()
          .catch(() => ({}))
          .then((known) => {
            answer({ gistify: 'keys', keys: known });
          });
        return;
      case 'said':
        steps.onText(message.delta);
        return;
      case 'event':
        steps.onEvent(message.event);
    }
  };
}

function isMessage(given: unknown): given is EngineMessage<ChatRequest> {
  return typeof given === 'object' && given !== null && 'gistify' in given;
}

interface Asking {
  readonly token: vscode.CancellationToken;
  readonly onText: (delta: string) => void;
  /** Tokens of messages that were counted before: a history only grows. */
  readonly counted: Map<string, number>;
}

async function ask(
  id: string,
  request: ChatRequest,
  { token, onText, counted }: Asking,
): Promise<ChatReply | ModelFault> {
  const [model] = await modelsOfHost(id);
  if (model === undefined)
    return { kind: 'fault', fault: 'not-found', message: `VS Code has no model ${id} now`, retryAfter: null };
  const messages = request.messages.map(toMessage);
  const tools = request.tools.map(({ name, description, parameters: inputSchema }) => ({
    ...{ name, description, inputSchema },
  }));
  const justification = vscode.l10n.t('Gistify lets this model write the gist of a test.');
  const options = { justification, ...(tools.length === 0 ? {} : { tools }) };
  const response = await model.sendRequest(messages, options, token);
  let text = '';
  const calls: ToolCall[] = [];
  for await (const part of response.stream) {
    if (part instanceof vscode.LanguageModelTextPart) {
      text += part.value;
      onText(part.value);
    } else if (part instanceof vscode.LanguageModelToolCallPart) {
      const { callId, name, input } = part;
      calls.push({ id: callId, name, malformed: '', input: input as Record<string, unknown> });
    }
  }
  const usage = await usageOf(
    model,
    request.messages,
    [text, ...calls.map(({ input }) => JSON.stringify(input))],
    {
      token,
      counted,
    },
  ).catch(() => null);
  return { kind: 'reply', text, reasoning: '', calls, usage, stop: calls.length > 0 ? 'tool-calls' : 'stop' };
}

/** There is no system role: those words come first, as the user's. */
function toMessage(message: ChatMessage): vscode.LanguageModelChatMessage {
  const Message = vscode.LanguageModelChatMessage;
  const part = (text: string): vscode.LanguageModelTextPart => new vscode.LanguageModelTextPart(text);
  switch (message.role) {
    case 'system':
    case 'user':
      return Message.User(message.text);
    case 'assistant':
      return Message.Assistant([
        ...(message.text === '' ? [] : [part(message.text)]),
        ...message.calls.map(
          ({ id, name, input }) => new vscode.LanguageModelToolCallPart(id, name, input ?? {}),
        ),
      ]);
    case 'tool':
      return Message.User(
        message.answers.map(({ id, text }) => new vscode.LanguageModelToolResultPart(id, [part(text)])),
      );
  }
}

/** VS Code tells no usage; its models count what they are handed. */
async function usageOf(
  model: vscode.LanguageModelChat,
  messages: readonly ChatMessage[],
  written: readonly string[],
  { token, counted }: Pick<Asking, 'token' | 'counted'>,
): Promise<TokenUsage> {
  const inputs = messages.map(async (message) => {
    const key = JSON.stringify(message);
    const known = counted.get(key) ?? (await model.countTokens(toMessage(message), token));
    counted.set(key, known);
    return known;
  });
  const outputs = written.filter((text) => text !== '').map(async (text) => model.countTokens(text, token));
  const sum = async (counts: readonly Promise<number>[]): Promise<number> =>
    (await Promise.all(counts)).reduce((all, one) => all + one, 0);
  return { input: await sum(inputs), output: await sum(outputs), cachedInput: 0 };
}

function faultOf(error: unknown): ModelFault {
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'fault', fault: kindOf(error), message: message.slice(0, 500), retryAfter: null };
}

/** Only three kinds have a code; of the others there are words alone. */
function kindOf(error: unknown): FaultKind {
  const code = error instanceof vscode.LanguageModelError ? error.code : '';
  if (code === vscode.LanguageModelError.NoPermissions.name) return 'permission';
  if (code === vscode.LanguageModelError.Blocked.name) return 'blocked';
  if (code === vscode.LanguageModelError.NotFound.name) return 'not-found';
  const words = `${code} ${error instanceof Error ? `${error.name} ${error.message}` : String(error)}`;
  if (/quota/i.test(words)) return 'quota';
  if (/rate.?limit|too many requests|\b429\b/i.test(words)) return 'rate-limit';
  if (/context.{0,20}(length|window)|too (long|large)|token limit/i.test(words)) return 'context';
  if (/off.?topic|filtered|content.?policy/i.test(words)) return 'blocked';
  if (/network|fetch|ECONN|ENOTFOUND|offline/i.test(words)) return 'network';
  return 'server';
}
