// A task and an agent flow in, its gist with score and trajectory flow out: the original is traced, the agent works in a
// private copy, its file is picked up and scored like anyone's. `runAgent` is the one entry for every host.
import type { AgentTask, RepairTask } from '../agent/agentTask.js';
import type { ChatModel } from '../agent/chatModel.js';
import { runCommandAgent } from '../agent/commandAgent.js';
import { nothingSpent, runLoop, type LoopEnd } from '../agent/loop.js';
import {
  createTurns,
  defaultPatience,
  patientModel,
  type Patience,
  type Turns,
} from '../agent/patientModel.js';
import type { Price } from '../agent/prices.js';
import { createRedact, redactAll, secretsOf } from '../agent/redact.js';
import type { Scaffold } from '../agent/scaffold.js';
import { copilotScaffold } from '../agent/scaffolds/copilot.js';
import { miniScaffold } from '../agent/scaffolds/mini.js';
import { staticScaffold } from '../agent/scaffolds/staticPrompt.js';
import { sweAgentScaffold } from '../agent/scaffolds/sweAgent.js';
import { readWorkspace } from '../agent/workspace.js';
import { GistifyError } from '../base/gistifyError.js';
import type { AgentOptions, ScaffoldName } from '../model/agentOptions.js';
import type { AgentFailure, AgentSummary } from '../model/agentSummary.js';
import type { Host } from '../model/progress.js';
import type { Report } from '../model/report.js';
import type { Task } from '../model/task.js';
import type { Trace } from '../model/trace.js';
import { trajectorySchema, type AgentEnd, type TrajectoryEvent } from '../model/trajectory.js';
import { openSandbox } from '../sandbox/openSandbox.js';
import type { OpenedSandbox } from '../sandbox/sandbox.js';
import { translateFault } from '../sandbox/translateFault.js';
import { checkAgentOptions } from './agentChoices.js';
import { prepareAgent, type Preparation } from './agentPreparation.js';
import { scoreFile } from './scoreFile.js';
import type { Installation } from './sources.js';

export interface AgentRunInput {
  readonly task: Task;
  readonly agent: AgentOptions;
  /** Null for a command agent, which brings its own. */
  readonly model: ChatModel | null;
  /** Null where it is not known: then nothing can be said of the cost. */
  readonly price: Price | null;
  readonly host: Host;
  readonly installation: Installation;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Gets each event as it happens, without secrets. */
  readonly onEvent?: (event: TrajectoryEvent) => void;
  /** The model's text as it comes. */
  readonly onText?: (delta: string) => void;
  /** A gist that does not verify, to be mended. */
  readonly repair?: RepairTask;
  /** Keys that are not in `env`. */
  readonly secrets?: readonly string[];
  readonly patience?: Patience;
  /** Shared by runs that use one account at the same time. */
  readonly turns?: Turns;
}

export interface AgentResult {
  /** The agent's file; null where there is none. */
  readonly gist: string | null;
  /** The scored gist, with `agent` filled in; null where there is none. */
  readonly report: Report | null;
  readonly summary: AgentSummary;
}

const scaffolds: Readonly<Record<Exclude<ScaffoldName, 'command'>, (task: AgentTask) => Scaffold>> = {
  mini: miniScaffold,
  'swe-agent': sweAgentScaffold,
  copilot: copilotScaffold,
  static: staticScaffold,
};

/**
 * Runs an agent on a task and scores what it leaves. A model that fails and limits that end a run are results; thrown is
 * only what is no fault of the agent: GistifyError where the original cannot be run, the request is wrong, or on cancel.
 */
export async function runAgent(input: AgentRunInput): Promise<AgentResult> {
  const { host, agent } = input;
  checkAgentOptions(agent, input.model?.name ?? null, input.price !== null);
  const redact = createRedact([...secretsOf(input.env), ...(input.secrets ?? [])]);
  const trajectory: TrajectoryEvent[] = [];
  const record = (event: TrajectoryEvent) => {
    const clean = redactAll(event, redact);
    trajectory.push(clean);
    input.onEvent?.(clean);
  };
  const start = performance.now();
  let opened: OpenedSandbox | null = null;
  let made: { readonly gist: string | null; readonly ended: LoopEnd };
  let trace: Trace;
  try {
    opened = await openSandbox({ ...input, installation: input.installation.root, ...input.task });
    host.log(`sandbox: ${opened.words}`);
    host.progress({ stage: 'trace', message: 'running the original test', fraction: 0.02 });
    const work = await prepareAgent(input, opened);
    trace = work.trace;
    made = await letWork(input, work, record, redact);
  } catch (error) {
    if (host.signal.aborted) throw new GistifyError('cancelled', 'cancelled');
    throw translateFault(error, opened?.sandbox ?? null);
  } finally {
    await opened?.sandbox.dispose();
  }
  const { gist, ended } = made;
  const seconds = Math.round(performance.now() - start) / 1000;
  const { end, detail, steps, spent } = ended;
  record({ type: 'end', end, detail, steps, spent, seconds });
  const report = gist === null ? null : await scoreGist(input, gist, trace);
  const summary: AgentSummary = {
    ...{
      options: agent,
      model: input.model?.name ?? null,
      end,
      detail: redact(detail),
      steps,
      spent,
      seconds,
    },
    failure: report === null ? failureWithoutFile(end) : report.score.failure,
    repaired: input.repair !== undefined,
    trajectory,
  };
  return { gist, report: report === null ? null : { ...report, agent: summary }, summary };
}

function failureWithoutFile(end: AgentEnd): AgentFailure {
  switch (end) {
    case 'step-limit':
    case 'context-limit':
    case 'token-budget':
    case 'cost-budget':
    case 'time-limit':
      return 'limit-reached';
    case 'model-fault':
    case 'command-failed':
      return end;
    case 'submitted':
    case 'no-action':
      return 'no-file';
  }
}

async function scoreGist(input: AgentRunInput, text: string, trace: Trace): Promise<Report> {
  const { task, host, installation, env, cwd } = input;
  const progress: Host['progress'] = (step) => {
    host.progress({ ...step, fraction: 0.9 + step.fraction / 10 });
  };
  const scored = await scoreFile({
    ...task,
    text,
    trace,
    host: { ...host, progress },
    installation,
    env,
    cwd,
  });
  const { nodeId: _nodeId, origins: _origins, ...report } = scored;
  return { ...report, task: { ...task, sandbox: report.task.sandbox } };
}

async function letWork(
  input: AgentRunInput,
  { task, workspace }: Preparation,
  record: (event: TrajectoryEvent) => void,
  redact: (text: string) => string,
): Promise<{ readonly gist: string | null; readonly ended: LoopEnd }> {
  const { agent, host, model } = input;
  const { command: _command, ...options } = agent;
  const begin = (tools: readonly string[]) => {
    record({
      ...{ type: 'start', schema: trajectorySchema, nodeId: task.nodeId, tools, options },
      agent: agent.scaffold === 'command' ? `command:${agent.command}` : agent.scaffold,
      model: model?.name ?? null,
    });
  };
  let ended: LoopEnd;
  if (agent.scaffold === 'command') {
    begin([]);
    host.progress({ stage: 'agent', message: `running ${agent.command}`, fraction: 0.1 });
    const end = await runCommandAgent(task, commandEnvironment(input), host.signal, record);
    ended = { ...end, gist: null, steps: 1, spent: nothingSpent(null) };
  } else {
    if (model === null)
      throw new GistifyError('usage', 'which model?', 'Give one with --model provider/name.');
    const scaffold = guarded(scaffolds[agent.scaffold](task), redact);
    begin(scaffold.tools.map(({ spec }) => spec.name));
    let step = 0;
    const patient = patientModel(
      model,
      input.patience ?? defaultPatience,
      input.turns ?? createTurns(null),
      ({ fault, message }, wait) => {
        record({ type: 'retry', step, fault, message, wait: Math.round(wait * 100) / 100 });
        host.log(`${fault}: ${message}; asking again in ${wait.toFixed(1)} s`);
      },
    );
    ended = await runLoop({
      ...{ scaffold, model: patient, price: input.price, options: agent, signal: host.signal, record },
      onText: (delta) => input.onText?.(delta),
      onStep: (now) => {
        step = now;
        const fraction = 0.1 + 0.8 * Math.min(1, now / agent.maxSteps);
        host.progress({ stage: 'agent', message: `step ${now} of at most ${agent.maxSteps}`, fraction });
      },
    });
  }
  if (ended.gist !== null) return { gist: ended.gist, ended };
  const found = await readWorkspace(workspace, task.file, host.signal);
  return { gist: 'text' in found ? found.text : null, ended };
}

/** The same scaffold, whose tools tell no secrets to the model. */
function guarded(scaffold: Scaffold, redact: (text: string) => string): Scaffold {
  return {
    ...scaffold,
    tools: scaffold.tools.map((tool) => ({
      ...tool,
      async run(args, signal) {
        const result = await tool.run(args, signal);
        return { ...result, text: redact(result.text) };
      },
    })),
  };
}

/** What a command agent gets of the user's environment: its home, where it keeps its login, and what was named. */
function commandEnvironment({ env, agent }: AgentRunInput): Readonly<Record<string, string>> {
  const names = ['HOME', 'USER', 'LOGNAME', 'SHELL', ...agent.passEnv];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}
