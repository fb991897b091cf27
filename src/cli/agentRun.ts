// A task and the chosen agent flow in, the Report of its gist flows out, or words about why there is none; the trajectory
// is written as it happens.
import { hostKeys, tellHost } from '../agent/hostModel.js';
import { openModel } from '../agent/openModel.js';
import { createTurns } from '../agent/patientModel.js';
import { trajectoryWriter } from '../agent/trajectoryFile.js';
import { runAgent, type AgentResult, type AgentRunInput } from '../engine/agentRun.js';
import { checkAgentOptions } from '../engine/agentChoices.js';
import { gistify, type EngineInput } from '../engine/gistify.js';
import { repairWithModel } from '../engine/repairWithModel.js';
import type { AgentSummary } from '../model/agentSummary.js';
import type { Report } from '../model/report.js';
import type { TrajectoryEvent } from '../model/trajectory.js';
import type { ChosenAgent } from './agentOptions.js';

export interface AgentOutcome {
  /** Null where the agent left no file. */
  readonly report: Report | null;
  readonly summary: AgentSummary | null;
}

/** Runs the agent; with `repair` only where the built-in gist does not verify. */
export async function runChosenAgent(
  chosen: ChosenAgent,
  engine: EngineInput,
  trajectoryFile: string | null,
): Promise<AgentOutcome> {
  const { options, choice, price } = chosen;
  // Wrong use is said before the first run of the test.
  checkAgentOptions(options, choice?.name ?? null, price !== null);
  const keys = choice === null ? {} : await hostKeys();
  const model = choice === null ? null : await openModel(choice, { ...engine.env, ...keys });
  const write = trajectoryFile === null ? null : trajectoryWriter(trajectoryFile);
  const { task, host, installation, env, cwd } = engine;
  const input: AgentRunInput = {
    ...{ task, host, installation, env, cwd, agent: options, model, price },
    turns: createTurns(chosen.perMinute),
    secrets: Object.values(keys),
    onEvent(event) {
      write?.(event);
      tellHost({ gistify: 'event', event });
      const words = eventWords(event);
      if (words !== null) host.log(words);
    },
    onText: (delta) => tellHost({ gistify: 'said', delta }),
  };
  if (!chosen.repair) return outcome(await runAgent(input));
  const report = await gistify(engine);
  if (report.verified) {
    host.log('the built-in gist verifies: there is nothing to repair');
    return { report, summary: null };
  }
  const repaired = await repairWithModel(report, input);
  return { report: repaired.report, summary: repaired.attempt.summary };
}

function outcome({ report, summary }: AgentResult): AgentOutcome {
  return { report, summary };
}

/** One line of an event, for `--verbose`. */
function eventWords(event: TrajectoryEvent): string | null {
  switch (event.type) {
    case 'reply': {
      const calls = event.calls.map(({ name }) => name).join(', ');
      const cost = event.cost === null ? '' : `, $${event.cost.toFixed(4)}`;
      const text = event.text.replaceAll(/\s+/g, ' ').slice(0, 200);
      return `step ${event.step}: ${text}${calls === '' ? '' : ` [${calls}]`} (${event.usage.input} in, ${event.usage.output} out${cost})`;
    }
    case 'tool':
      return `step ${event.step}: ${event.name} ${event.status} in ${event.seconds.toFixed(1)} s`;
    default:
      return null;
  }
}

/** What a person reads of the agent's run. */
export function agentWords({
  end,
  detail,
  steps,
  spent,
  failure,
  repaired,
  options,
  model,
}: AgentSummary): string {
  const tokens = `${spent.input} tokens in (${spent.cachedInput} from the cache), ${spent.output} out`;
  const cost = spent.cost === null ? 'cost not known' : `$${spent.cost.toFixed(4)}`;
  const name =
    options.scaffold === 'command' ? options.command : `${options.scaffold} with ${model ?? 'no model'}`;
  const rows = [
    `agent ${name}${repaired ? ', as a repair' : ''}: ${end}${detail === '' ? '' : ` (${detail})`}, ${steps} ${steps === 1 ? 'step' : 'steps'}`,
    ...(options.scaffold === 'command' ? [] : [`${spent.requests} requests, ${tokens}, ${cost}`]),
    ...(failure === 'none' ? [] : [`failure: ${failure}`]),
  ];
  return `${rows.join('\n')}\n`;
}
