// A scaffold and a model flow in, a finished conversation flows out: ask, act, answer, until the agent submits or a limit
// ends the run. The history is linear and only grows; every event is recorded as it happens.
import type { AgentOptions } from '../model/agentOptions.js';
import type { AgentEnd, Spent, TokenUsage, TrajectoryEvent } from '../model/trajectory.js';
import type { ChatMessage, ChatModel, ChatReply, ToolAnswer } from './chatModel.js';
import { estimateMessage, estimateRequest, estimateText } from './countTokens.js';
import { faultHints } from './modelFault.js';
import { costOf, type Price } from './prices.js';
import { shown, type Action, type Scaffold, type ToolResult } from './scaffold.js';

export interface LoopInput {
  readonly scaffold: Scaffold;
  readonly model: ChatModel;
  readonly price: Price | null;
  readonly options: AgentOptions;
  readonly signal: AbortSignal;
  readonly record: (event: TrajectoryEvent) => void;
  /** The model's text as it comes. */
  readonly onText: (delta: string) => void;
  /** Told before each request, so that retries can be placed. */
  readonly onStep: (step: number) => void;
}

export interface LoopEnd {
  readonly end: AgentEnd;
  readonly detail: string;
  /** The gist where the reply itself held it. */
  readonly gist: string | null;
  readonly steps: number;
  readonly spent: Spent;
}

/** So many replies on end without an action end the run. */
const patience = 3;

export const nothingSpent = (price: Price | null): Spent => ({
  input: 0,
  output: 0,
  cachedInput: 0,
  requests: 0,
  cost: price === null ? null : 0,
});

function add(spent: Spent, usage: TokenUsage, cost: number | null): Spent {
  return {
    input: spent.input + usage.input,
    output: spent.output + usage.output,
    cachedInput: spent.cachedInput + usage.cachedInput,
    requests: spent.requests + 1,
    cost: spent.cost === null || cost === null ? null : spent.cost + cost,
  };
}

/** Why the caps end the run before another request; null where they do not. */
function capReached({ maxTokens, maxCost }: AgentOptions, spent: Spent): [AgentEnd, string] | null {
  const tokens = spent.input + spent.output;
  if (maxTokens !== null && tokens >= maxTokens)
    return ['token-budget', `${tokens} of ${maxTokens} tokens are used`];
  if (maxCost !== null && spent.cost !== null && spent.cost >= maxCost)
    return ['cost-budget', `$${spent.cost.toFixed(4)} of $${maxCost} are spent`];
  return null;
}

/** Runs the agent to its end. Rejects only where `signal` is aborted. */
export async function runLoop(input: LoopInput): Promise<LoopEnd> {
  const { scaffold, model, options, signal, record } = input;
  const messages: ChatMessage[] = [...scaffold.first];
  for (const message of messages)
    if (message.role === 'system' || message.role === 'user')
      record({ type: 'message', step: 0, role: message.role, text: message.text });
  const tools = scaffold.calls === 'native' ? scaffold.tools.map(({ spec }) => spec) : [];
  const deadline = performance.now() + options.totalSeconds * 1000;
  let spent = nothingSpent(input.price);
  let context = estimateRequest({ messages, tools });
  let unclear = 0;
  let step = 0;
  const ended = (end: AgentEnd, detail: string, gist: string | null = null): LoopEnd => ({
    end,
    detail,
    gist,
    steps: step,
    spent,
  });
  const push = (message: ChatMessage) => {
    messages.push(message);
    context += estimateMessage(message);
  };
  const say = (text: string) => {
    push({ role: 'user', text });
    record({ type: 'message', step, role: 'user', text });
  };

  while (step < options.maxSteps) {
    const cap = capReached(options, spent);
    if (cap !== null) return ended(...cap);
    if (performance.now() > deadline) return ended('time-limit', `${options.totalSeconds} s are over`);
    // As in the paper the history is neither cut nor summed up: a run that has outgrown the context is over.
    if (context > options.contextTokens)
      return ended('context-limit', `about ${context} of ${options.contextTokens} tokens`);
    step += 1;
    input.onStep(step);
    const start = performance.now();
    const reply = await model.reply({ messages, tools }, signal, input.onText);
    if (reply.kind === 'fault') {
      if (reply.fault === 'context') return ended('context-limit', reply.message);
      return ended('model-fault', `${reply.fault}: ${reply.message}. ${faultHints[reply.fault]}`);
    }
    const usage = reply.usage ?? {
      input: context,
      output: estimateText(reply.text + JSON.stringify(reply.calls)),
      cachedInput: 0,
    };
    const cost = costOf(usage, input.price);
    spent = add(spent, usage, cost);
    const { text, reasoning, calls, stop } = reply;
    const seconds = round((performance.now() - start) / 1000);
    record({
      ...{ type: 'reply', step, text, reasoning, calls, stop, usage, cost, seconds },
      counted: reply.usage !== null,
    });
    push({ role: 'assistant', text, calls });
    if (reply.usage !== null) context = usage.input + usage.output;

    const decision = scaffold.decide(reply);
    if (decision.kind === 'done') return ended('submitted', '', decision.gist);
    if (decision.kind === 'unclear') {
      unclear += 1;
      if (unclear >= patience) return ended('no-action', `${patience} replies on end held no action`);
      answerOpenCalls(reply, push);
      say(decision.words);
      continue;
    }
    unclear = 0;
    const answers: ToolAnswer[] = [];
    for (const action of decision.actions) {
      const result = await act(input, step, action);
      if (result.submitted) return ended('submitted', '');
      answers.push({ ...action, text: result.text, isError: result.status !== 'ok' });
    }
    if (scaffold.calls === 'native') push({ role: 'tool', answers });
    else push({ role: 'user', text: answers.map((answer) => answer.text).join('\n') });
  }
  return ended('step-limit', `${options.maxSteps} steps`);
}

/** Services refuse a history in which a call has no answer. */
function answerOpenCalls({ calls }: ChatReply, push: (message: ChatMessage) => void): void {
  if (calls.length === 0) return;
  push({
    role: 'tool',
    answers: calls.map(({ id, name }) => ({ id, name, text: 'This call was not run.', isError: true })),
  });
}

async function act(
  { scaffold, signal, record }: LoopInput,
  step: number,
  action: Action,
): Promise<ToolResult> {
  const start = performance.now();
  const result = await runAction(scaffold, action, signal);
  const { id, name, input } = action;
  const seconds = round((performance.now() - start) / 1000);
  const { text: output, status, cut } = result;
  record({ type: 'tool', step, id, name, input: input ?? {}, output, status, cut, seconds });
  return result;
}

async function runAction(scaffold: Scaffold, action: Action, signal: AbortSignal): Promise<ToolResult> {
  const tool = scaffold.tools.find(({ spec }) => spec.name === action.name);
  if (tool === undefined) {
    const names = scaffold.tools.map(({ spec }) => spec.name).join(', ');
    return shown(`There is no tool ${JSON.stringify(action.name)}. The tools are: ${names}.`, 'error');
  }
  if (action.input === null)
    return shown(
      `The arguments of ${action.name} are no JSON object, so it was not run: ${action.malformed.slice(0, 500)}`,
      'error',
    );
  return tool.run(action.input, signal);
}

function round(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
