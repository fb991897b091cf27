// A shell command flows in, its output and exit status flow out: each in a fresh shell in the copy of the codebase.
import { objectSchema, textArgument } from '../arguments.js';
import { cutText } from '../cutText.js';
import { refusal, refusedStatus, refuseExecution } from '../executionGuard.js';
import { shown, type Tool, type ToolResult } from '../scaffold.js';
import type { Workspace } from '../workspace.js';

/** Runs one command. `mayExecute`: whether it may run Python. */
async function runBash(
  workspace: Workspace,
  command: string,
  mayExecute: boolean,
  signal: AbortSignal,
): Promise<ToolResult> {
  if (!mayExecute) {
    const refused = refuseExecution(command);
    if (refused !== null) return shown(refused, 'refused');
  }
  const { sandbox, root: cwd, env, timeout } = workspace;
  const argv = ['bash', '-c', `exec 2>&1\n${command}`];
  const ended = await sandbox.run({ argv, cwd, env, timeout }, signal);
  const { text, cut } = cutText(ended.stdout + ended.stderr);
  if (ended.status === null)
    return { ...shown(`${text}\nStopped: the command ran longer than ${timeout} s.`, 'timeout'), cut };
  if (!mayExecute && ended.status === refusedStatus && text.includes(refusal))
    return { ...shown(text, 'refused'), cut };
  const status = ended.status === 0 ? 'ok' : 'error';
  return { ...shown(`exit status ${ended.status}\n${text}`, status), cut };
}

/** The tool under the name that a scaffold gives it. */
export function bashTool(name: string, workspace: Workspace, mayExecute: boolean): Tool {
  const execution = mayExecute ? 'It may run Python and pytest.' : 'Python and pytest are turned off.';
  return {
    spec: {
      name,
      description: `Runs a shell command in the folder of the codebase and gives its output. ${execution} Each command has a fresh shell: variables and changes of folder do not last.`,
      parameters: objectSchema({ command: { type: 'string', description: 'The command.' } }, ['command']),
    },
    async run(input, signal) {
      const command = textArgument(input, 'command');
      return 'wrong' in command
        ? shown(command.wrong, 'error')
        : runBash(workspace, command.value, mayExecute, signal);
    },
  };
}
