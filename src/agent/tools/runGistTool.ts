// The edit-and-execute tool: a whole gist flows in, is written, and what pytest says of it flows out. The gist is run
// alone in a folder of its own, so that it cannot lean on the codebase.
import { objectSchema, optionalText } from '../arguments.js';
import { cutText } from '../cutText.js';
import { shown, type Tool } from '../scaffold.js';
import { writeWorkspace, type Workspace } from '../workspace.js';

/** The shell command on the tools' PATH that runs the gist. */
export const runGistCommand = 'run_gist';

export function runGistTool(workspace: Workspace, file: string): Tool {
  return {
    spec: {
      name: 'write_and_run',
      description: `Writes ${file} with the text given (or takes it as it is, where none is given), runs the test in it with the codebase out of reach, and gives pytest's output.`,
      parameters: objectSchema({ text: { type: 'string', description: 'The whole file.' } }, []),
    },
    async run(input, signal) {
      const text = optionalText(input, 'text');
      if (text !== null) {
        const failed = await writeWorkspace(workspace, file, text, signal);
        if (failed !== null) return shown(failed, 'error');
      }
      const { sandbox, root: cwd, env, timeout } = workspace;
      const ended = await sandbox.run({ argv: ['sh', '-c', runGistCommand], cwd, env, timeout }, signal);
      const { text: said, cut } = cutText(ended.stdout + ended.stderr);
      if (ended.status === null)
        return { ...shown(`${said}\nStopped: the run took longer than ${timeout} s.`, 'timeout'), cut };
      const status = ended.status === 0 ? 'ok' : 'error';
      return { ...shown(`exit status ${ended.status}\n${said}`, status), cut };
    },
  };
}
