// The command line's words about agents and models flow in, checked options flow out. Nothing said means no agent: the
// built-in one needs none of this.
import type { ModelChoice } from '../agent/modelSpec.js';
import { listPrice, type Price } from '../agent/prices.js';
import { GistifyError } from '../base/gistifyError.js';
import {
  defaultAgentOptions,
  executionChoices,
  globalTools,
  scaffoldNames,
  strategies,
  type AgentOptions,
  type GlobalTool,
} from '../model/agentOptions.js';
import { oneOf } from './commonOptions.js';

/** For `parseOptions`. */
export const agentOptionDefinitions = {
  agent: { type: 'string' },
  model: { type: 'string' },
  repair: { type: 'boolean' },
  'base-url': { type: 'string' },
  temperature: { type: 'string' },
  'max-output': { type: 'string' },
  'no-stream': { type: 'boolean' },
  price: { type: 'string' },
  rpm: { type: 'string' },
  execution: { type: 'string' },
  strategy: { type: 'string' },
  'global-tools': { type: 'string' },
  'max-steps': { type: 'string' },
  'context-tokens': { type: 'string' },
  'max-tokens': { type: 'string' },
  'max-cost': { type: 'string' },
  'step-timeout': { type: 'string' },
  'agent-timeout': { type: 'string' },
  'agent-env': { type: 'string' },
  trajectory: { type: 'string' },
} as const;

export type AgentValues = {
  readonly [Key in keyof typeof agentOptionDefinitions]?:
    ((typeof agentOptionDefinitions)[Key]['type'] extends 'boolean' ? boolean : string) | undefined;
};

export interface ChosenAgent {
  readonly options: AgentOptions;
  /** Null for a command agent. */
  readonly choice: ModelChoice | null;
  readonly price: Price | null;
  readonly perMinute: number | null;
  /** Mends the built-in gist where that does not verify, in place of making one from nothing. */
  readonly repair: boolean;
}

function usage(message: string): GistifyError {
  return new GistifyError('usage', message, 'See gistify --help.');
}

function numberOf(values: AgentValues, option: keyof AgentValues, least: number): number | null {
  const value = values[option];
  if (typeof value !== 'string') return null;
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number) || number < least)
    throw usage(`--${option} takes a number from ${least} on, not ${JSON.stringify(value)}`);
  return number;
}

function wholeOf(values: AgentValues, option: keyof AgentValues, fallback: number): number {
  const number = numberOf(values, option, 1) ?? fallback;
  if (!Number.isInteger(number)) throw usage(`--${option} takes a whole number, not ${number}`);
  return number;
}

function listOf(value: string | undefined): readonly string[] {
  return (value ?? '').split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
}

function priceOf(values: AgentValues): Price | null {
  if (values.price === undefined) return values.model === undefined ? null : listPrice(values.model);
  const numbers = values.price.split(',').map(Number);
  const [input = Number.NaN, output = Number.NaN, cachedInput = input] = numbers;
  if (numbers.length < 2 || numbers.length > 3 || !numbers.every((number) => number >= 0))
    throw usage(
      `--price takes INPUT,OUTPUT or INPUT,OUTPUT,CACHED in US dollars for a million tokens, not ${JSON.stringify(values.price)}`,
    );
  return { input, output, cachedInput };
}

function agentNamed(name: string): Pick<AgentOptions, 'scaffold' | 'command'> {
  if (name.startsWith('command:')) return { scaffold: 'command', command: name.slice('command:'.length) };
  const scaffold = scaffoldNames.find((known) => known === name && known !== 'command');
  if (scaffold === undefined)
    throw usage(
      `--agent takes builtin, ${scaffoldNames.filter((known) => known !== 'command').join(', ')} or command:…, not ${JSON.stringify(name)}`,
    );
  return { scaffold, command: '' };
}

/** The agent that was asked for; null for the built-in one. Throws GistifyError (`usage`). */
export function chosenAgent(values: AgentValues): ChosenAgent | null {
  const repair = values.repair === true;
  const name = values.agent ?? (repair || values.model !== undefined ? 'mini' : 'builtin');
  if (name === 'builtin') {
    const stray = Object.keys(agentOptionDefinitions).find(
      (key) => key !== 'agent' && values[key as keyof AgentValues] !== undefined,
    );
    if (stray !== undefined) throw usage(`--${stray} is for language-model agents, and none was asked for`);
    return null;
  }
  const tools = listOf(values['global-tools']).map((tool): GlobalTool =>
    oneOf('global-tools', tool, globalTools, 'graph'),
  );
  const options: AgentOptions = {
    ...agentNamed(name),
    execution: oneOf('execution', values.execution, executionChoices, defaultAgentOptions.execution),
    strategy: oneOf('strategy', values.strategy, strategies, defaultAgentOptions.strategy),
    globalTools: tools,
    maxSteps: wholeOf(values, 'max-steps', defaultAgentOptions.maxSteps),
    contextTokens: wholeOf(values, 'context-tokens', defaultAgentOptions.contextTokens),
    maxTokens: numberOf(values, 'max-tokens', 1),
    maxCost: numberOf(values, 'max-cost', 0),
    stepSeconds: numberOf(values, 'step-timeout', 0.1) ?? defaultAgentOptions.stepSeconds,
    totalSeconds: numberOf(values, 'agent-timeout', 0.1) ?? defaultAgentOptions.totalSeconds,
    passEnv: listOf(values['agent-env']),
  };
  const choice: ModelChoice | null =
    values.model === undefined
      ? null
      : {
          name: values.model,
          baseUrl: values['base-url'] ?? null,
          stream: values['no-stream'] !== true,
          temperature: numberOf(values, 'temperature', 0),
          maxOutputTokens: numberOf(values, 'max-output', 1),
        };
  return { options, choice, price: priceOf(values), perMinute: numberOf(values, 'rpm', 0.01), repair };
}
