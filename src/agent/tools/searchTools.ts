// Names and texts to look for flow in, files and lines of the codebase flow out, a limited number of them with the rest
// counted.
import { objectSchema, optionalText, textArgument } from '../arguments.js';
import { cutText } from '../cutText.js';
import { shown, type Tool, type ToolResult } from '../scaffold.js';
import { runScript, type Workspace } from '../workspace.js';

const mostHits = 100;

/** Ends with 97 where the folder or file `$1` is not inside the copy, and goes on with `$1` relative to it. */
const inside = `
root=$(pwd -P)
real=$(readlink -f -- "$1") || exit 96
[ -e "$real" ] || exit 96
case $real in "$root") set -- . "$2" ;; "$root"/*) set -- "\${real#"$root"/}" "$2" ;; *) exit 97 ;; esac
`;
/** Folders that hold no code of the codebase. */
const skipped = "-name .git -o -name __pycache__ -o -name node_modules -o -name '*.pyc'";

async function listing(
  workspace: Workspace,
  script: string,
  args: readonly [string, string],
  none: string,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { status, stdout, stderr } = await runScript(workspace, inside + script, args, signal);
  if (status === 97)
    return shown(`${args[0]} is outside of the codebase's folder: only files in it can be seen.`, 'error');
  if (status === 96) return shown(`There is no file or folder ${args[0]}.`, 'error');
  if (status === null) return shown('The search took too long: look in a smaller folder.', 'timeout');
  const hits = stdout.split('\n').filter((line) => line !== '');
  if (hits.length === 0) return shown(stderr.trim() === '' ? none : stderr.trim());
  const first = hits
    .slice(0, mostHits)
    .map((line) => (line.length > 300 ? `${line.slice(0, 300)} […]` : line));
  const rest =
    hits.length > mostHits ? `\n… and ${hits.length - mostHits} more: look for something narrower.` : '';
  const { text, cut } = cutText(`${first.join('\n')}${rest}`);
  return { ...shown(text), cut };
}

export interface SearchNames {
  readonly find: string;
  readonly search: string;
}

/** Finding files by name and lines by text, under the names that a scaffold gives them. */
export function searchTools(workspace: Workspace, names: SearchNames): readonly Tool[] {
  const place = {
    type: 'string',
    description: 'Folder or file to look in, relative to the codebase; all of it where absent.',
  };
  return [
    {
      spec: {
        name: names.find,
        description: 'Finds files by name; * and ? stand for any characters.',
        parameters: objectSchema(
          { name: { type: 'string', description: 'For example test_*.py' }, path: place },
          ['name'],
        ),
      },
      async run(input, signal) {
        const name = textArgument(input, 'name');
        if ('wrong' in name) return shown(name.wrong, 'error');
        // A pattern with folders in it (`**/conftest.py`) is matched by its last part.
        const last = name.value.split('/').at(-1) ?? name.value;
        const script = `find "$1" \\( ${skipped} \\) -prune -o -type f -name "$2" -print | sort`;
        const folder = optionalText(input, 'path') ?? '.';
        return listing(workspace, script, [folder, last], `No file is called ${name.value}.`, signal);
      },
    },
    {
      spec: {
        name: names.search,
        description:
          'Finds lines that hold a text, letter by letter, in the files of a folder or in one file.',
        parameters: objectSchema({ text: { type: 'string', description: 'The text.' }, path: place }, [
          'text',
        ]),
      },
      async run(input, signal) {
        const wanted = textArgument(input, 'text');
        if ('wrong' in wanted) return shown(wanted.wrong, 'error');
        const script =
          'grep -rnIF --exclude-dir=.git --exclude-dir=__pycache__ --exclude-dir=node_modules -e "$2" -- "$1"; [ $? -le 1 ]';
        const folder = optionalText(input, 'path') ?? '.';
        const none = `No line holds ${JSON.stringify(wanted.value)}.`;
        return listing(workspace, script, [folder, wanted.value], none, signal);
      },
    },
  ];
}
