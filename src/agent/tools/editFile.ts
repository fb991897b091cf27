// Edits of files by exact text: the text to replace must be there once, and no Python file is left with a syntax error
// that it did not have before.
import { shown, type ToolResult } from '../scaffold.js';
import { readWorkspace, writeWorkspace, type Workspace } from '../workspace.js';
import { linesOf, numbered } from './viewerTools.js';

/** The first syntax error of a Python text in words, null where there is none. */
export type CheckSyntax = (text: string) => string | null;

export interface Editing {
  readonly workspace: Workspace;
  readonly checkSyntax: CheckSyntax;
}

const around = 4;

function guard({ checkSyntax }: Editing, path: string, before: string | null, after: string): string | null {
  if (!path.endsWith('.py')) return null;
  const error = checkSyntax(after);
  if (error === null || (before !== null && checkSyntax(before) !== null)) return null;
  return `Nothing was written: the file would not be Python any more (${error}). Mend the edit and try again.`;
}

/** Makes a file, or writes it anew. */
export async function createFile(
  editing: Editing,
  path: string,
  text: string,
  signal: AbortSignal,
): Promise<ToolResult> {
  const wrong = guard(editing, path, null, text);
  if (wrong !== null) return shown(wrong, 'error');
  const failed = await writeWorkspace(editing.workspace, path, text, signal);
  if (failed !== null) return shown(failed, 'error');
  return shown(`${path} is written: ${linesOf(text).length} lines.`);
}

/** Puts one text in the place of another that stands in the file exactly once. */
export async function replaceText(
  editing: Editing,
  path: string,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<ToolResult> {
  const found = await readWorkspace(editing.workspace, path, signal);
  if ('wrong' in found) return shown(found.wrong, 'error');
  if (from === '') return shown('The text to replace is empty.', 'error');
  const parts = found.text.split(from);
  if (parts.length !== 2)
    return shown(
      parts.length === 1
        ? `The text to replace is not in ${path}: it must be given letter by letter, with its indentation.`
        : `The text to replace is in ${path} ${parts.length - 1} times: give more lines of it.`,
      'error',
    );
  return change(editing, path, found.text, parts.join(to), (parts[0] ?? '').split('\n').length, to, signal);
}

/** Puts a text behind a line; behind line 0 is the start of the file. */
export async function insertText(
  editing: Editing,
  path: string,
  line: number,
  text: string,
  signal: AbortSignal,
): Promise<ToolResult> {
  const found = await readWorkspace(editing.workspace, path, signal);
  if ('wrong' in found) return shown(found.wrong, 'error');
  const lines = linesOf(found.text);
  if (line < 0 || line > lines.length)
    return shown(`${path} has ${lines.length} lines: there is no line ${line}.`, 'error');
  const added = linesOf(text);
  const after = [...lines.slice(0, line), ...added, ...lines.slice(line)].join('\n');
  return change(editing, path, found.text, `${after}\n`, line + 1, text, signal);
}

async function change(
  editing: Editing,
  path: string,
  before: string,
  after: string,
  row: number,
  text: string,
  signal: AbortSignal,
): Promise<ToolResult> {
  const wrong = guard(editing, path, before, after);
  if (wrong !== null) return shown(wrong, 'error');
  const failed = await writeWorkspace(editing.workspace, path, after, signal);
  if (failed !== null) return shown(failed, 'error');
  const first = Math.max(1, row - around);
  const window = linesOf(after).slice(first - 1, row + text.split('\n').length - 1 + around);
  return shown(`${path} is written. It now reads:\n${numbered(window.slice(0, 60), first)}`);
}
