// A request in our form goes to a service through the AI SDK, a reply or a fault in our form comes back. This file and
// the SDK are a bundle of their own that is loaded only where a model is asked: it exchanges plain data alone.
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  APICallError,
  generateText,
  jsonSchema,
  RetryError,
  streamText,
  tool,
  type LanguageModel,
  type LanguageModelUsage,
  type ModelMessage,
  type ToolSet,
} from 'ai';
import type { TokenUsage, ToolCall } from '../model/trajectory.js';
import type { ChatMessage, ChatModel, ChatReply, ChatRequest, ModelFault } from './chatModel.js';
import { faultOf, type FaultFacts } from './modelFault.js';
import type { ModelSpec } from './modelSpec.js';

// What the SDK would print to the terminal, a run says by itself.
globalThis.AI_SDK_LOG_WARNINGS = false;

function languageModel({ provider, model, baseUrl, key }: ModelSpec): LanguageModel {
  const headers = { 'user-agent': 'gistify' };
  const given = { headers, ...(baseUrl === null ? {} : { baseURL: baseUrl }) };
  switch (provider) {
    case 'anthropic':
      return createAnthropic({ ...given, apiKey: key ?? '' })(model);
    case 'openai':
      // The chat format keeps the whole history on our side: nothing of a run is stored by the service.
      return createOpenAI({ ...given, apiKey: key ?? '' }).chat(model);
    case 'openai-compatible':
      return createOpenAICompatible({
        ...given,
        baseURL: baseUrl ?? '',
        name: 'openai-compatible',
        includeUsage: true,
        ...(key === null ? {} : { apiKey: key }),
      })(model);
  }
}

function toMessages(messages: readonly ChatMessage[], caching: boolean): ModelMessage[] {
  const out = messages.map((message): ModelMessage => {
    switch (message.role) {
      case 'system':
        return { role: 'system', content: message.text };
      case 'user':
        return { role: 'user', content: message.text };
      case 'assistant':
        return {
          role: 'assistant',
          content: [
            ...(message.text === '' ? [] : [{ type: 'text' as const, text: message.text }]),
            ...message.calls.map(({ id, name, input }) => ({
              type: 'tool-call' as const,
              toolCallId: id,
              toolName: name,
              input: input ?? {},
            })),
          ],
        };
      case 'tool':
        return {
          role: 'tool',
          content: message.answers.map(({ id, name, text, isError }) => ({
            type: 'tool-result' as const,
            toolCallId: id,
            toolName: name,
            output: isError ? { type: 'error-text' as const, value: text } : { type: 'text', value: text },
          })),
        };
    }
  });
  // The history only grows: what was sent before is read from Anthropic's cache at a tenth of the price.
  const last = out.at(-1);
  if (caching && last !== undefined)
    last.providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };
  return out;
}

function toTools(request: ChatRequest): ToolSet {
  return Object.fromEntries(
    request.tools.map(({ name, description, parameters }) => [
      name,
      tool({ description, inputSchema: jsonSchema(parameters) }),
    ]),
  );
}

interface SdkCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

function toCall({ toolCallId, toolName, input }: SdkCall): ToolCall {
  const readable = typeof input === 'object' && input !== null && !Array.isArray(input);
  return {
    id: toolCallId,
    name: toolName,
    input: readable ? (input as Record<string, unknown>) : null,
    malformed: readable ? '' : typeof input === 'string' ? input : JSON.stringify(input),
  };
}

function toUsage(usage: LanguageModelUsage): TokenUsage | null {
  if (usage.inputTokens === undefined && usage.outputTokens === undefined) return null;
  return {
    input: usage.inputTokens ?? 0,
    output: usage.outputTokens ?? 0,
    cachedInput: usage.inputTokenDetails.cacheReadTokens ?? 0,
  };
}

/** Facts of an error of the SDK or of `fetch`, whichever layer it was wrapped by. */
function factsOf(error: unknown): FaultFacts {
  if (RetryError.isInstance(error)) return factsOf(error.lastError);
  if (APICallError.isInstance(error)) {
    const { statusCode = null, message, responseHeaders = {}, responseBody = '' } = error;
    return { status: statusCode, name: '', message, body: responseBody, headers: responseHeaders };
  }
  if (error instanceof Error) {
    const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
    return { status: null, name: error.name, message: error.message + cause, body: '', headers: {} };
  }
  // Faults inside a stream come as the service wrote them.
  const text = typeof error === 'string' ? error : JSON.stringify(error);
  return { status: null, name: 'stream', message: text, body: text, headers: {} };
}

function cutOff(): ModelFault {
  return {
    kind: 'fault',
    fault: 'network',
    message: 'the reply ended in the middle: the connection was cut',
    retryAfter: null,
  };
}

/** The model that a spec names, over the network. */
export function createSdkModel(spec: ModelSpec): ChatModel {
  const model = languageModel(spec);
  const settings = (request: ChatRequest, signal: AbortSignal) => ({
    model,
    messages: toMessages(request.messages, spec.provider === 'anthropic'),
    maxRetries: 0,
    allowSystemInMessages: true,
    abortSignal: signal,
    ...(request.tools.length === 0 ? {} : { tools: toTools(request) }),
    ...(spec.temperature === null ? {} : { temperature: spec.temperature }),
    ...(spec.maxOutputTokens === null ? {} : { maxOutputTokens: spec.maxOutputTokens }),
  });

  const streamed: ChatModel['reply'] = async (request, signal, onText) => {
    const failures: unknown[] = [];
    // Errors come as parts of the stream; without a handler the SDK would print them.
    const result = streamText({ ...settings(request, signal), onError: () => undefined });
    const reply = { text: '', reasoning: '', calls: [] as ToolCall[], usage: null as TokenUsage | null };
    let stop: string | null = null;
    for await (const part of result.fullStream) {
      if (part.type === 'text-delta') {
        reply.text += part.text;
        onText(part.text);
      } else if (part.type === 'reasoning-delta') reply.reasoning += part.text;
      else if (part.type === 'tool-call') reply.calls.push(toCall(part));
      else if (part.type === 'error') failures.push(part.error);
      else if (part.type === 'finish') {
        stop = part.rawFinishReason === undefined ? null : part.finishReason;
        reply.usage = toUsage(part.totalUsage);
      }
    }
    signal.throwIfAborted();
    if (failures.length > 0) return faultOf(factsOf(failures[0]));
    return stop === null ? cutOff() : { kind: 'reply', stop, ...reply };
  };

  const whole = async (request: ChatRequest, signal: AbortSignal): Promise<ChatReply> => {
    const result = await generateText(settings(request, signal));
    return {
      kind: 'reply',
      text: result.text,
      reasoning: result.reasoningText ?? '',
      calls: result.toolCalls.map(toCall),
      usage: toUsage(result.usage),
      stop: result.finishReason,
    };
  };

  return {
    name: spec.name,
    async reply(request, signal, onText) {
      try {
        return await (spec.stream ? streamed(request, signal, onText) : whole(request, signal));
      } catch (error) {
        if (signal.aborted) throw error;
        return faultOf(factsOf(error));
      }
    },
  };
}
