// Any command-line coding agent flows in, its run in the copy of the codebase flows out: it gets the task on standard
// input and as a file, works by itself, and what it leaves is picked up.
import type { AgentEnd, TrajectoryEvent } from '../model/trajectory.js';
import type { AgentTask } from './agentTask.js';
import { cutText } from './cutText.js';
import { taskPrompt } from './taskPrompt.js';

export interface CommandEnd {
  readonly end: AgentEnd;
  readonly detail: string;
}

/** The command finds the task's file by this variable. */
const promptVariable = 'GISTIFY_PROMPT_FILE';

/** Runs the command to its end or to the limit of the run. */
export async function runCommandAgent(
  task: AgentTask,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
  record: (event: TrajectoryEvent) => void,
): Promise<CommandEnd> {
  const { workspace, options } = task;
  const text = taskPrompt(task);
  const prompt = `${workspace.staging}/task.md`;
  await workspace.sandbox.write(prompt, `${text}\n`);
  record({ type: 'message', step: 0, role: 'user', text });
  const start = performance.now();
  // In braces, so that the task reaches the first program of whatever the command is.
  const script = `{ ${options.command}\n} < "$${promptVariable}"`;
  const ended = await workspace.sandbox.run(
    {
      argv: ['sh', '-c', script],
      cwd: workspace.root,
      env: { ...workspace.env, ...env, [promptVariable]: prompt },
      timeout: options.totalSeconds,
    },
    signal,
  );
  const { text: output, cut } = cutText(ended.stdout + ended.stderr, 200_000);
  const status = ended.status === null ? 'timeout' : ended.status === 0 ? 'ok' : 'error';
  record({
    ...{ type: 'tool', step: 1, id: '', name: 'command', output, status, cut },
    input: { command: options.command },
    seconds: Math.round(performance.now() - start) / 1000,
  });
  if (ended.status === null) return { end: 'time-limit', detail: `${options.totalSeconds} s are over` };
  if (ended.status !== 0) {
    const last = output.trim().split('\n').at(-1) ?? '';
    return { end: 'command-failed', detail: `exit status ${ended.status}: ${last}` };
  }
  return { end: 'submitted', detail: '' };
}
