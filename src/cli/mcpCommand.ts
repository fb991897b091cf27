// `gistify mcp`: other agents' calls flow in over standard input, verified gists and scores flow out. A fault is an answer
// that a model can act on, never the end of the server.
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { GistifyError } from '../base/gistifyError.js';
import { gistify } from '../engine/gistify.js';
import { scoreFile } from '../engine/scoreFile.js';
import type { Host } from '../model/progress.js';
import type { Task } from '../model/task.js';
import { gistTools } from '../view/gistTools.js';
import { runAnswer, scoreAnswer } from '../view/toolAnswer.js';
import { findPython, givenEnvironment, placeOf, secondsOption } from './commonOptions.js';
import { installation } from './installation.js';
import type { McpAnswer, McpCall } from './mcpServer.js';
import { parseOptions } from './parseOptions.js';

interface Defaults {
  readonly repo: string | undefined;
  readonly python: string | undefined;
  readonly timeout: number;
}

export async function mcpCommand(args: readonly string[], signal: AbortSignal): Promise<number> {
  const { values, positionals } = parseOptions(args, {
    repo: { type: 'string' },
    python: { type: 'string' },
    timeout: { type: 'string' },
  });
  if (positionals.length > 0) throw new GistifyError('usage', 'mcp takes no operands', 'See gistify --help.');
  const defaults: Defaults = {
    repo: values.repo === undefined ? undefined : realpathSync(resolve(values.repo)),
    python: values.python,
    timeout: secondsOption(values.timeout, 120),
  };
  const { serveMcp } = await import('./mcpServer.js');
  await serveMcp(installation().version, gistTools, (call) => answer(call, defaults, signal), signal);
  return 0;
}

async function answer(call: McpCall, defaults: Defaults, ending: AbortSignal): Promise<McpAnswer> {
  try {
    return { text: await work(call, defaults, AbortSignal.any([call.signal, ending])), isError: false };
  } catch (error) {
    return { text: faultWords(error), isError: true };
  }
}

function faultWords(error: unknown): string {
  if (!(error instanceof GistifyError))
    return `internal: ${error instanceof Error ? error.message : String(error)}`;
  const { code, message, details, hint } = error;
  return [`${code}: ${message}`, ...(details === '' ? [] : [details]), ...(hint === '' ? [] : [hint])].join(
    '\n',
  );
}

async function work(
  { name, input, progress }: McpCall,
  defaults: Defaults,
  signal: AbortSignal,
): Promise<string> {
  const tool = gistTools.find((known) => known.name === name);
  if (tool === undefined)
    throw new GistifyError(
      'usage',
      `there is no tool ${JSON.stringify(name)}`,
      `The tools are ${gistTools.map((known) => known.name).join(' and ')}.`,
    );
  const { nodeId: node, repo: given, text } = checked(input, tool.inputSchema);
  const cwd = process.cwd();
  const env = givenEnvironment();
  const { repo, nodeId } = await placeOf(node ?? '', given ?? defaults.repo, cwd);
  const task: Task = {
    ...{ repo, nodeId, pytestArgs: [], layout: 'auto', reduce: 'executed', sandbox: 'local' },
    ...{ timeout: defaults.timeout, keepDocstrings: false },
    python: await findPython(defaults.python, repo, cwd, env),
  };
  const host: Host = {
    signal,
    progress: ({ fraction, message }) => {
      progress(fraction, message);
    },
    log: () => undefined,
  };
  const common = { host, installation: installation(), env, cwd };
  if (name === 'gistify_run') return runAnswer(await gistify({ ...common, task, fileName: 'concise.py' }));
  return scoreAnswer(await scoreFile({ ...common, ...task, text: text ?? '' }));
}

/** The arguments as texts; GistifyError (`usage`) where they are not what the tool asks for. */
function checked(
  input: Readonly<Record<string, unknown>>,
  schema: (typeof gistTools)[number]['inputSchema'],
): Partial<Record<string, string>> {
  const out: Record<string, string> = {};
  const names = Object.keys(schema.properties);
  for (const [name, value] of Object.entries(input)) {
    if (!names.includes(name))
      throw new GistifyError(
        'usage',
        `there is no argument ${name}`,
        `The arguments are ${names.join(', ')}.`,
      );
    if (typeof value !== 'string') throw new GistifyError('usage', `${name} must be a text`);
    out[name] = value;
  }
  const missing = schema.required.find((name) => out[name] === undefined);
  if (missing !== undefined)
    throw new GistifyError(
      'usage',
      `the argument ${missing} is missing`,
      schema.properties[missing]?.description,
    );
  return out;
}
