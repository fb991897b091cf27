// One editor tool with four commands, as SWE-agent's: view, create, str_replace, insert.
import { numberArgument, objectSchema, textArgument, type Arguments } from '../arguments.js';
import { cutText } from '../cutText.js';
import { shown, type Tool, type ToolResult } from '../scaffold.js';
import { readWorkspace } from '../workspace.js';
import { createFile, insertText, replaceText, type Editing } from './editFile.js';
import { linesOf, numbered } from './viewerTools.js';

export function editorTool(editing: Editing): Tool {
  return {
    spec: {
      name: 'str_replace_editor',
      description:
        'Views and edits files. view: shows a file with line numbers. create: makes a file or writes it anew with file_text. str_replace: puts new_str in the place of old_str, which must stand in the file exactly once. insert: puts new_str behind the line insert_line (0: at the start). Python files are not left with a syntax error.',
      parameters: objectSchema(
        {
          command: {
            type: 'string',
            description: 'What to do.',
            enum: ['view', 'create', 'str_replace', 'insert'],
          },
          path: { type: 'string', description: 'Path of the file, relative to the codebase.' },
          file_text: { type: 'string', description: 'For create: the whole text.' },
          old_str: { type: 'string', description: 'For str_replace: the text that goes.' },
          new_str: { type: 'string', description: 'For str_replace and insert: the text that comes.' },
          insert_line: { type: 'integer', description: 'For insert: the line before it.' },
        },
        ['command', 'path'],
      ),
    },
    async run(input, signal) {
      const path = textArgument(input, 'path');
      if ('wrong' in path) return shown(path.wrong, 'error');
      switch (input['command']) {
        case 'view':
          return view(editing, path.value, signal);
        case 'create': {
          const text = textArgument(input, 'file_text');
          if ('wrong' in text) return shown(text.wrong, 'error');
          return createFile(editing, path.value, text.value, signal);
        }
        case 'str_replace':
          return replace(editing, path.value, input, signal);
        case 'insert': {
          const text = textArgument(input, 'new_str');
          const line = numberArgument(input, 'insert_line', 0);
          if ('wrong' in text) return shown(text.wrong, 'error');
          if ('wrong' in line) return shown(line.wrong, 'error');
          return insertText(editing, path.value, line.value, text.value, signal);
        }
        default:
          return shown('command must be view, create, str_replace or insert.', 'error');
      }
    },
  };
}

async function view({ workspace }: Editing, path: string, signal: AbortSignal): Promise<ToolResult> {
  const found = await readWorkspace(workspace, path, signal);
  if ('wrong' in found) return shown(found.wrong, 'error');
  const { text, cut } = cutText(numbered(linesOf(found.text), 1));
  return { ...shown(text), cut };
}

async function replace(
  editing: Editing,
  path: string,
  input: Arguments,
  signal: AbortSignal,
): Promise<ToolResult> {
  const from = textArgument(input, 'old_str');
  if ('wrong' in from) return shown(from.wrong, 'error');
  // Models leave out an empty replacement.
  const to = input['new_str'] === undefined ? { value: '' } : textArgument(input, 'new_str');
  if ('wrong' in to) return shown(to.wrong, 'error');
  return replaceText(editing, path, from.value, to.value, signal);
}
