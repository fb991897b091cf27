// What the user says of agents flows in, checked descriptions flow out: the built-in one, any executable that writes a
// gist, or a language model. Options make different agents of one kind: a run is dataset x agents.
import { readFile } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { GistifyError } from '../base/gistifyError.js';
import {
  defaultAgentOptions as defaults,
  executionChoices,
  globalTools,
  scaffoldNames,
  strategies,
  type ScaffoldName,
} from '../model/agentOptions.js';
import { parseJson } from './dataset.js';

const named = {
  name: z
    .string()
    .regex(/^[A-Za-z0-9][\w.-]*$/)
    .describe('Names its folder of results.'),
  label: z.string().optional().describe('What reports call it; its name where there is none.'),
  base: z
    .string()
    .optional()
    .describe('The agent that this one is a variation of: a row of the ablation table.'),
};

const shared = {
  ...named,
  execution: z.boolean().optional().describe('Whether it may run code; for the table.'),
};

type ModelScaffold = Exclude<ScaffoldName, 'command'>;
const modelScaffolds = scaffoldNames.filter((one): one is ModelScaffold => one !== 'command');
const positive = z.number().positive();

/** A language model and how it is asked; what is not said is as in the paper. */
const modelAgent = z.strictObject({
  kind: z.literal('model'),
  ...named,
  model: z
    .string()
    .describe('As --model of gistify run takes it: provider/name. Keys come from the environment.'),
  baseUrl: z.string().optional().describe('Where the service is asked, if not at its usual address.'),
  stream: z.boolean().default(true),
  temperature: z.number().nonnegative().optional(),
  maxOutputTokens: z.int().positive().optional(),
  price: z
    .strictObject({
      input: z.number().nonnegative(),
      output: z.number().nonnegative(),
      cachedInput: z.number().nonnegative(),
    })
    .optional()
    .describe('US dollars for a million tokens; the list price where it is absent and known.'),
  scaffold: z.enum(modelScaffolds).default('mini'),
  execution: z.enum(executionChoices).default(defaults.execution),
  strategy: z.enum(strategies).default(defaults.strategy),
  globalTools: z.array(z.enum(globalTools)).default([]),
  maxSteps: z.int().positive().default(defaults.maxSteps),
  contextTokens: z.int().positive().default(defaults.contextTokens),
  maxTokens: positive.optional().describe('Over one task, input and output.'),
  maxCost: positive.optional().describe('US dollars for one task.'),
  stepSeconds: positive.default(defaults.stepSeconds),
  totalSeconds: positive.default(defaults.totalSeconds),
});

const agent = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('builtin'),
    ...shared,
    layout: z.enum(['auto', 'flat', 'held']).default('auto'),
    keepDocstrings: z.boolean().default(false),
  }),
  z.strictObject({
    kind: z.literal('command'),
    ...shared,
    command: z
      .array(z.string())
      .min(1)
      .describe('Program and arguments; a path with a slash is relative to the agents file.'),
    timeout: z.number().positive().default(1800).describe('Seconds that it may take for one task.'),
  }),
  modelAgent,
]);

const agentsFile = z.strictObject({
  $schema: z.string().optional(),
  schema: z.literal(1),
  agents: z.array(agent).min(1),
});

export type Agent = z.output<typeof agent>;
export const agentSchema = agent;

/** The JSON schema of agents files. */
export function agentsJsonSchema(): object {
  return z.toJSONSchema(agentsFile, { io: 'input' });
}

/** Reads an agents file; programs that are given by path become absolute. */
async function readAgents(file: string): Promise<readonly Agent[]> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null)
    throw new GistifyError(
      'file-not-found',
      `there is no agents file ${file}`,
      'See gistify bench schema agents.',
    );
  const parsed = agentsFile.safeParse(parseJson(text, file));
  if (!parsed.success)
    throw new GistifyError(
      'usage',
      `${file} is not an agents file`,
      'Its schema is printed by `gistify bench schema agents`.',
      z.prettifyError(parsed.error),
    );
  return parsed.data.agents.map((one) => {
    if (one.kind !== 'command') return one;
    const [program = '', ...args] = one.command;
    if (!program.includes('/') || isAbsolute(program)) return one;
    return { ...one, command: [resolve(file, '..', program), ...args] };
  });
}

/** Agents by the words of the command line: `builtin`, `builtin:flat`, `command:PATH`, `mini:PROVIDER/MODEL`, or an agents file. */
export async function agentsOf(words: readonly string[], cwd: string): Promise<readonly Agent[]> {
  const agents: Agent[] = [];
  for (const word of words) {
    const [kind = '', ...rest] = word.split(':');
    const value = rest.join(':');
    if (word.endsWith('.json')) agents.push(...(await readAgents(resolve(cwd, word))));
    else if (kind === 'builtin') {
      const layout = value === '' ? 'auto' : value;
      agents.push(parseAgent({ kind, name: value === '' ? kind : `${kind}-${value}`, layout }, word));
    } else if (kind === 'command' && value !== '') {
      const name = value
        .replace(/^.*\//, '')
        .replace(/\.\w+$/, '')
        .replaceAll(/[^\w.-]/g, '-');
      agents.push(
        parseAgent({ kind, name, command: [value.includes('/') ? resolve(cwd, value) : value] }, word),
      );
    } else if (modelScaffolds.some((one) => one === kind) && value !== '') {
      const name = `${kind}-${value.replace(/^.*\//, '')}`.replaceAll(/[^\w.-]/g, '-');
      agents.push(parseAgent({ kind: 'model', name, scaffold: kind, model: value }, word));
    } else
      throw new GistifyError(
        'usage',
        `${JSON.stringify(word)} is no agent`,
        `Agents are builtin, builtin:LAYOUT, command:PROGRAM, SCAFFOLD:PROVIDER/MODEL (${modelScaffolds.join(', ')}), or a JSON file of agents (gistify bench schema agents).`,
      );
  }
  const names = agents.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new GistifyError('usage', `two agents are called ${twice}`, 'Name each in a JSON file of agents.');
  for (const { name, base } of agents)
    if (base !== undefined && !names.includes(base))
      throw new GistifyError(
        'usage',
        `${name} varies ${base}, which is no agent of this run`,
        'Name it with --agent too.',
      );
  return agents;
}

function parseAgent(value: unknown, word: string): Agent {
  const parsed = agent.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new GistifyError(
    'usage',
    `${JSON.stringify(word)} is no agent`,
    'See gistify bench schema agents.',
    z.prettifyError(parsed.error),
  );
}
