// What the user says of agents flows in, checked descriptions flow out: the built-in one, any executable that writes a
// gist, or a language model. Options make different agents of one kind: a run is dataset x agents.
import { readFile } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { GistifyError } from '../base/gistifyError.js';
import { parseJson } from './dataset.js';

const shared = {
  name: z
    .string()
    .regex(/^[A-Za-z0-9][\w.-]*$/)
    .describe('Names its folder of results.'),
  label: z.string().optional().describe('What reports call it; its name where there is none.'),
  base: z
    .string()
    .optional()
    .describe('The agent that this one is a variation of: a row of the ablation table.'),
  execution: z.boolean().optional().describe('Whether it may run code; for the table.'),
};

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

/** Agents by the words of the command line: `builtin`, `builtin:flat`, `command:PATH`, or an agents file. */
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
    } else
      throw new GistifyError(
        'usage',
        `${JSON.stringify(word)} is no agent`,
        'Agents are builtin, builtin:LAYOUT, command:PROGRAM, or a JSON file of agents (gistify bench schema agents).',
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
