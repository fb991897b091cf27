// Tools in the shape that VS Code's agent mode gives to models: absolute or relative paths, line ranges, one call a change.
import { numberArgument, objectSchema, optionalText, textArgument } from '../arguments.js';
import { cutText } from '../cutText.js';
import { shown, type Tool } from '../scaffold.js';
import { readWorkspace, runScript } from '../workspace.js';
import { createFile, replaceText, type Editing } from './editFile.js';
import { linesOf, numbered } from './viewerTools.js';

const path = { type: 'string', description: 'Path of the file, relative to the codebase.' };
const mostLines = 400;

export function copilotTools(editing: Editing): readonly Tool[] {
  const { workspace } = editing;
  return [
    {
      spec: {
        name: 'read_file',
        description: `Reads lines of a file, with their numbers: at most ${mostLines} at a time.`,
        parameters: objectSchema(
          {
            filePath: path,
            startLine: { type: 'integer', description: 'First line (1).' },
            endLine: { type: 'integer', description: 'Last line.' },
          },
          ['filePath'],
        ),
      },
      async run(input, signal) {
        const file = textArgument(input, 'filePath');
        const start = numberArgument(input, 'startLine', 1);
        if ('wrong' in file) return shown(file.wrong, 'error');
        if ('wrong' in start) return shown(start.wrong, 'error');
        const end = numberArgument(input, 'endLine', start.value + mostLines - 1);
        if ('wrong' in end) return shown(end.wrong, 'error');
        const found = await readWorkspace(workspace, file.value, signal);
        if ('wrong' in found) return shown(found.wrong, 'error');
        const lines = linesOf(found.text);
        const first = Math.max(1, start.value);
        const last = Math.min(lines.length, end.value, first + mostLines - 1);
        const { text, cut } = cutText(numbered(lines.slice(first - 1, last), first));
        const head = `[${file.value}, lines ${first} to ${last} of ${lines.length}]\n`;
        return { ...shown(head + text), cut };
      },
    },
    {
      spec: {
        name: 'list_dir',
        description: 'Lists the files and folders in a folder; folders end in /.',
        parameters: objectSchema(
          {
            path: { type: 'string', description: 'Folder, relative to the codebase; its root where absent.' },
          },
          [],
        ),
      },
      async run(input, signal) {
        const folder = optionalText(input, 'path') ?? '.';
        const script = `
root=$(pwd -P)
real=$(readlink -f -- "$1") || exit 96
case $real in "$root" | "$root"/*) ;; *) exit 97 ;; esac
[ -d "$real" ] || exit 96
ls -1Ap -- "$real"`;
        const { status, stdout } = await runScript(workspace, script, [folder], signal);
        if (status === 0) return shown(cutText(stdout === '' ? '(empty)' : stdout).text);
        const why = status === 97 ? 'is outside of the codebase' : 'is no folder';
        return shown(`${folder} ${why}.`, 'error');
      },
    },
    {
      spec: {
        name: 'create_file',
        description: 'Makes a file with the content given, or writes it anew.',
        parameters: objectSchema(
          { filePath: path, content: { type: 'string', description: 'The whole text.' } },
          ['filePath', 'content'],
        ),
      },
      async run(input, signal) {
        const file = textArgument(input, 'filePath');
        const content = textArgument(input, 'content');
        if ('wrong' in file) return shown(file.wrong, 'error');
        if ('wrong' in content) return shown(content.wrong, 'error');
        return createFile(editing, file.value, content.value, signal);
      },
    },
    {
      spec: {
        name: 'replace_string_in_file',
        description: 'Puts newString in the place of oldString, which must stand in the file exactly once.',
        parameters: objectSchema(
          {
            filePath: path,
            oldString: { type: 'string', description: 'The text that goes, letter by letter.' },
            newString: { type: 'string', description: 'The text that comes.' },
          },
          ['filePath', 'oldString', 'newString'],
        ),
      },
      async run(input, signal) {
        const file = textArgument(input, 'filePath');
        const from = textArgument(input, 'oldString');
        const to = textArgument(input, 'newString');
        for (const read of [file, from, to]) if ('wrong' in read) return shown(read.wrong, 'error');
        if ('wrong' in file || 'wrong' in from || 'wrong' in to) return shown('', 'error');
        return replaceText(editing, file.value, from.value, to.value, signal);
      },
    },
  ];
}
