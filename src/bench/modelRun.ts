// One task and a language model flow in; the gist with its score, what it took and why there may be none flow out. The
// trajectory is written into the task's folder as it happens.
import { join } from 'node:path';
import { openModel } from '../agent/openModel.js';
import { listPrice } from '../agent/prices.js';
import { trajectoryWriter } from '../agent/trajectoryFile.js';
import { checkAgentOptions } from '../engine/agentChoices.js';
import { runAgent, type AgentResult } from '../engine/agentRun.js';
import type { Installation } from '../engine/sources.js';
import type { AgentOptions } from '../model/agentOptions.js';
import type { Host } from '../model/progress.js';
import type { Agent } from './agents.js';

/** What a model's run needs of an order. */
interface ModelTask {
  readonly nodeId: string;
  readonly folder: string;
  readonly python: string;
  readonly pytestArgs: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  readonly timeout: number;
  /** Folder of the task. */
  readonly out: string;
}

export type ModelAgent = Agent & { readonly kind: 'model' };

export const trajectoryFile = 'trajectory.jsonl';

function priceOf({ price, model }: ModelAgent) {
  return price ?? listPrice(model);
}

function optionsOf(agent: ModelAgent): AgentOptions {
  const { scaffold, execution, strategy, globalTools, maxSteps, contextTokens, stepSeconds, totalSeconds } =
    agent;
  return {
    ...{ scaffold, execution, strategy, globalTools, maxSteps, contextTokens, stepSeconds, totalSeconds },
    ...{ command: '', passEnv: [], maxTokens: agent.maxTokens ?? null, maxCost: agent.maxCost ?? null },
  };
}

async function modelOf(agent: ModelAgent, env: Readonly<Record<string, string>>) {
  return openModel(
    {
      name: agent.model,
      baseUrl: agent.baseUrl ?? null,
      stream: agent.stream,
      temperature: agent.temperature ?? null,
      maxOutputTokens: agent.maxOutputTokens ?? null,
    },
    env,
  );
}

/** Throws GistifyError (`usage`) where a model cannot be asked, or is asked for what does not go together. */
export async function checkModelAgent(
  agent: ModelAgent,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  checkAgentOptions(optionsOf(agent), agent.model, priceOf(agent) !== null);
  await modelOf(agent, env);
}

/** Lets the model make the gist of one task. */
export async function runModel(
  order: ModelTask,
  agent: ModelAgent,
  host: Host,
  installation: Installation,
): Promise<AgentResult> {
  return runAgent({
    task: {
      ...{ repo: order.folder, nodeId: order.nodeId, python: order.python, pytestArgs: order.pytestArgs },
      ...{ layout: 'auto', reduce: 'executed', sandbox: 'local', timeout: order.timeout },
      keepDocstrings: false,
    },
    agent: optionsOf(agent),
    model: await modelOf(agent, order.variables),
    price: priceOf(agent),
    ...{ host, installation, env: order.variables, cwd: order.folder },
    onEvent: trajectoryWriter(join(order.out, trajectoryFile)),
  });
}
