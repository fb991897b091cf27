// A run's events and the model's text flow in as they happen, a channel that a person reads along flows out: thoughts, tool
// calls with their outcome, tokens and cost, step by step.
import * as vscode from 'vscode';
import type { TrajectoryEvent } from '../model/trajectory.js';

export interface StepListener {
  onText(delta: string): void;
  onEvent(event: TrajectoryEvent): void;
}

export interface AgentSteps {
  dispose(): void;
  /** Listens to one run; the channel is there and shown when the agent starts. */
  listen(): StepListener;
  show(): void;
  /** What stands in the channel, for tests. */
  text(): string;
}

const shownCharacters = 1500;

export function createAgentSteps(): AgentSteps {
  let channel: vscode.OutputChannel | undefined;
  let text = '';
  const append = (more: string): void => {
    text += more;
    channel?.append(more);
  };
  return {
    listen() {
      let streamed = false;
      return {
        onText(delta) {
          append(streamed ? delta : `\n${delta}`);
          streamed = true;
        },
        onEvent(event) {
          if (event.type === 'start') {
            channel ??= vscode.window.createOutputChannel(vscode.l10n.t('Gistify Agent'));
            channel.show(true);
          }
          const words = eventWords(event, streamed);
          if (event.type === 'reply') streamed = false;
          if (words !== '') append(`${words}\n`);
        },
      };
    },
    show: () => channel?.show(true),
    text: () => text,
    dispose: () => channel?.dispose(),
  };
}

function short(text: string): string {
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}\n[…]` : text;
}

/** @param streamed whether the text of the reply stands there already, as it came while it was written */
function eventWords(event: TrajectoryEvent, streamed: boolean): string {
  const seconds = 'seconds' in event ? `${event.seconds.toFixed(1)} s` : '';
  switch (event.type) {
    case 'start': {
      const tools = event.tools.length === 0 ? '' : `\n${event.tools.join(', ')}`;
      return `\n══ ${event.nodeId}: ${event.agent}${event.model === null ? '' : `, ${event.model}`}${tools}`;
    }
    case 'message':
      // The prompt is long, the same each time, and stands in the report.
      return event.step === 0 ? '' : `\n[to the model] ${short(event.text)}`;
    case 'reply': {
      const text = streamed ? '' : `\n${event.text}`;
      return `${text}\n── step ${event.step}: ${spentWords({ ...event.usage, cost: event.cost })}, ${seconds}`;
    }
    case 'retry':
      return `── ${event.fault}: ${event.message}; again in ${event.wait.toFixed(1)} s`;
    case 'tool': {
      const input = Object.entries(event.input)
        .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
        .join('\n');
      return `▸ ${event.name} (${event.status}, ${seconds})\n${short(input)}\n◂ ${short(event.output)}`;
    }
    case 'end': {
      const detail = event.detail === '' ? '' : ` (${event.detail})`;
      return `\n══ ${event.end}${detail}: ${event.steps} steps, ${spentWords(event.spent)}, ${seconds}`;
    }
  }
}

function spentWords(spent: {
  readonly input: number;
  readonly output: number;
  readonly cost: number | null;
}): string {
  const cost = spent.cost === null ? '' : `, $${spent.cost.toFixed(4)}`;
  return `${spent.input} tokens in, ${spent.output} out${cost}`;
}
