// One task and one agent flow in, a folder with all that came of it flows out: the gist, its score by the one judge
// that all agents have, the agent's own records, and `result.json`, written last.
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { GistifyError } from '../base/gistifyError.js';
import { gistify } from '../engine/gistify.js';
import { leftBehind } from '../engine/originalRun.js';
import { scoreFile } from '../engine/scoreFile.js';
import type { Installation } from '../engine/sources.js';
import type { Host } from '../model/progress.js';
import type { Report } from '../model/report.js';
import type { AgentEnd } from '../model/trajectory.js';
import { createLocalSandbox } from '../sandbox/localSandbox.js';
import { agentSchema } from './agents.js';
import { runModel, trajectoryFile, type ModelAgent } from './modelRun.js';
import { noUsage, type TaskResult } from './taskResult.js';

export const taskOrder = z.strictObject({
  agent: agentSchema,
  repository: z.string(),
  nodeId: z.string(),
  /** Absolute path of the codebase. */
  folder: z.string(),
  python: z.string(),
  pythonVersion: z.string(),
  codebase: z.string(),
  pytestArgs: z.array(z.string()),
  /** Complete environment of all runs. */
  variables: z.record(z.string(), z.string()),
  timeout: z.number().positive(),
  code: z.string(),
  /** Where the files go. */
  out: z.string(),
});

/** Everything that one task needs, as plain data: it is done in a process of its own. */
export type TaskOrder = z.output<typeof taskOrder>;

interface Made {
  readonly gist: string | null;
  /** The judge's verdict where the agent's run has asked for it already. */
  readonly report?: Report | null;
  readonly stopped?: TaskResult['stopped'];
  /** Why there is none. */
  readonly words: string;
  readonly usage: TaskResult['usage'];
  readonly originalFailed: boolean;
}

/** The folder of the task gets all files; `result.json` is what reports read. */
export async function runTask(order: TaskOrder, host: Host, installation: Installation): Promise<TaskResult> {
  const files: string[] = [];
  const keep = async (name: string, text: string) => {
    await writeFile(join(order.out, name), text);
    files.push(name);
  };
  const clock = performance.now();
  const made = await makeGist(order, host, installation, keep, files);
  const agentSeconds = (performance.now() - clock) / 1000;
  const { gist } = made;
  if (gist !== null) await keep('gist.py', gist);
  const judged =
    gist === null ? null : await judge(order, gist, made.report ?? null, host, installation, keep);
  const failed = made.originalFailed || (judged !== null && 'words' in judged);
  const score = judged !== null && 'score' in judged ? judged.score : null;
  const result: TaskResult = {
    schema: 1,
    agent: order.agent.name,
    repository: order.repository,
    nodeId: order.nodeId,
    status: failed ? 'original-failed' : score === null ? 'no-gist' : 'scored',
    words: judged !== null && 'words' in judged ? judged.words : score === null ? made.words : '',
    score,
    stopped: made.stopped ?? null,
    gist:
      gist === null
        ? null
        : {
            lines: gist.split('\n').length - (gist.endsWith('\n') ? 1 : 0),
            sha256: createHash('sha256').update(gist).digest('hex'),
          },
    usage: made.usage,
    seconds: { agent: round(agentSeconds), score: round((performance.now() - clock) / 1000 - agentSeconds) },
    versions: {
      gistify: installation.version,
      code: order.code,
      python: order.pythonVersion,
      codebase: order.codebase,
    },
    files: files.toSorted(),
  };
  await writeFile(join(order.out, 'result.json'), `${JSON.stringify(result, null, 1)}\n`);
  return result;
}

type Keep = (name: string, text: string) => Promise<void>;

async function makeGist(
  order: TaskOrder,
  host: Host,
  installation: Installation,
  keep: Keep,
  files: string[],
): Promise<Made> {
  const { agent } = order;
  switch (agent.kind) {
    case 'builtin':
      return makeBuiltin(order, agent, host, installation, keep);
    case 'command':
      return makeByCommand(order, agent, host, keep);
    case 'model':
      return makeByModel(order, agent, host, installation, files);
  }
}

/** A language model works as in `gistify run --agent`; its run ends with the same judge. */
async function makeByModel(
  order: TaskOrder,
  agent: ModelAgent,
  host: Host,
  installation: Installation,
  files: string[],
): Promise<Made> {
  files.push(trajectoryFile);
  try {
    const { gist, report, summary } = await runModel(order, agent, host, installation);
    const { spent, steps, end, detail } = summary;
    return {
      ...{ gist, report, originalFailed: false },
      stopped: stopOf(end),
      words: detail === '' ? end : `${end}: ${detail}`,
      usage: { steps, inputTokens: spent.input, outputTokens: spent.output, cost: spent.cost },
    };
  } catch (error) {
    if (!(error instanceof GistifyError) || host.signal.aborted) throw error;
    return { gist: null, words: wordsOf(error), usage: noUsage, originalFailed: true };
  }
}

function stopOf(end: AgentEnd): TaskResult['stopped'] {
  if (end === 'submitted' || end === 'no-action' || end === 'command-failed') return null;
  return end === 'model-fault' ? end : 'limit-reached';
}

function wordsOf({ code, message, details }: GistifyError): string {
  return [`${code}: ${message}`, details].filter((part) => part !== '').join('\n');
}

async function makeBuiltin(
  order: TaskOrder,
  agent: TaskOrder['agent'] & { readonly kind: 'builtin' },
  host: Host,
  installation: Installation,
  keep: Keep,
): Promise<Made> {
  try {
    const report = await gistify({
      task: {
        repo: order.folder,
        nodeId: order.nodeId,
        python: order.python,
        pytestArgs: order.pytestArgs,
        layout: agent.layout,
        reduce: 'executed',
        sandbox: 'local',
        timeout: order.timeout,
        keepDocstrings: agent.keepDocstrings,
      },
      host,
      installation,
      env: order.variables,
      cwd: order.folder,
      fileName: 'concise.py',
    });
    await keep('report.json', `${JSON.stringify(report, null, 1)}\n`);
    return { gist: report.gist.text, words: '', usage: noUsage, originalFailed: false };
  } catch (error) {
    if (!(error instanceof GistifyError) || host.signal.aborted) throw error;
    return { gist: null, words: wordsOf(error), usage: noUsage, originalFailed: error.code !== 'refused' };
  }
}

/** The program works in a copy of the codebase, learns its task from a file, and writes the gist where it is told. */
async function makeByCommand(
  order: TaskOrder,
  agent: TaskOrder['agent'] & { readonly kind: 'command' },
  host: Host,
  keep: Keep,
): Promise<Made> {
  const sandbox = createLocalSandbox();
  const work = await mkdtemp(join(tmpdir(), 'gistify-agent-'));
  try {
    const copy = join(work, order.repository);
    await sandbox.copy(order.folder, copy, { skip: leftBehind, only: null });
    const file = join(work, 'concise.py');
    const task = { nodeId: order.nodeId, repo: copy, python: order.python, out: file };
    await writeFile(join(work, 'task.json'), `${JSON.stringify(task, null, 1)}\n`);
    const env = {
      ...order.variables,
      GISTIFY_TASK: join(work, 'task.json'),
      GISTIFY_NODE: order.nodeId,
      GISTIFY_OUT: file,
      GISTIFY_PYTHON: order.python,
    };
    const { status, stdout, stderr } = await sandbox.run(
      { argv: agent.command, cwd: copy, env, timeout: agent.timeout },
      host.signal,
    );
    await keep('agent.log', `${stdout}${stderr}`.replaceAll(work, '<work>'));
    const gist = await readFile(file, 'utf8').catch(() => null);
    const end = status === null ? `was stopped after ${agent.timeout} s` : `ended with status ${status}`;
    const words = `the agent ${end} and wrote no file`;
    const stopped = status === null ? 'limit-reached' : null;
    return { gist, words, stopped, usage: noUsage, originalFailed: false };
  } finally {
    await sandbox.dispose();
    await rm(work, { recursive: true, force: true });
  }
}

type Judgement = { readonly score: NonNullable<TaskResult['score']> } | { readonly words: string };

async function judge(
  order: TaskOrder,
  text: string,
  report: Report | null,
  host: Host,
  installation: Installation,
  keep: Keep,
): Promise<Judgement> {
  try {
    const scored =
      report ??
      (await scoreFile({
        repo: order.folder,
        sandbox: 'local',
        nodeId: order.nodeId,
        python: order.python,
        pytestArgs: order.pytestArgs,
        timeout: order.timeout,
        text,
        host,
        installation,
        env: order.variables,
        cwd: order.folder,
      }));
    await keep('score.json', `${JSON.stringify(scored, null, 1)}\n`);
    const { fidelity, failure, problems, execution, existence, testF1 } = scored.score;
    return {
      score: { fidelity, failure, problems: [...problems], execution, existence, testF1 },
    };
  } catch (error) {
    if (!(error instanceof GistifyError) || host.signal.aborted) throw error;
    return { words: wordsOf(error) };
  }
}

function round(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}
