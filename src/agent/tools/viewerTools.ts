// A windowed viewer, as SWE-agent's: one open file of which a window of lines is shown, moved by line or by page.
import { numberArgument, objectSchema, textArgument } from '../arguments.js';
import { shown, type Tool, type ToolResult } from '../scaffold.js';
import { readWorkspace, type Workspace } from '../workspace.js';

/** Lines shown at once; two are seen again after a page. */
const windowLines = 100;
const overlap = 2;

interface View {
  path: string;
  /** 1-based first line of the window. */
  first: number;
}

/** Lines with their numbers, cut where a single one would fill the window. */
export function numbered(lines: readonly string[], first: number): string {
  return lines
    .map((line, index) => {
      const text = line.length > 500 ? `${line.slice(0, 500)} […]` : line;
      return `${String(first + index).padStart(5)}  ${text}`;
    })
    .join('\n');
}

/** Lines of a text; a last line break ends the last line. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

async function showWindow(workspace: Workspace, view: View, signal: AbortSignal): Promise<ToolResult> {
  if (view.path === '') return shown('No file is open: use open first.', 'error');
  const found = await readWorkspace(workspace, view.path, signal);
  if ('wrong' in found) return shown(found.wrong, 'error');
  const lines = linesOf(found.text);
  view.first = Math.max(1, Math.min(view.first, lines.length - windowLines + 1));
  const window = lines.slice(view.first - 1, view.first - 1 + windowLines);
  const above = view.first - 1;
  const below = lines.length - above - window.length;
  return shown(
    [
      `[${view.path}, ${lines.length} lines]`,
      ...(above > 0 ? [`(${above} lines above)`] : []),
      numbered(window, view.first),
      ...(below > 0 ? [`(${below} lines below)`] : []),
    ].join('\n'),
  );
}

/** `open`, `goto`, `scroll_up`, `scroll_down` over one shared window. */
export function viewerTools(workspace: Workspace): readonly Tool[] {
  const view: View = { path: '', first: 1 };
  const scroll = (name: string, direction: 1 | -1, words: string): Tool => ({
    spec: { name, description: words, parameters: objectSchema({}, []) },
    run(_input, signal) {
      view.first += direction * (windowLines - overlap);
      return showWindow(workspace, view, signal);
    },
  });
  return [
    {
      spec: {
        name: 'open',
        description: `Opens a file and shows ${windowLines} lines of it, from its start or around a line.`,
        parameters: objectSchema(
          {
            path: { type: 'string', description: 'Path of the file, relative to the codebase.' },
            line: { type: 'integer', description: 'Line to show in the middle.' },
          },
          ['path'],
        ),
      },
      async run(input, signal) {
        const path = textArgument(input, 'path');
        const line = numberArgument(input, 'line', 1);
        if ('wrong' in path) return shown(path.wrong, 'error');
        if ('wrong' in line) return shown(line.wrong, 'error');
        const before = { ...view };
        Object.assign(view, { path: path.value, first: line.value - Math.floor(windowLines / 2) });
        const result = await showWindow(workspace, view, signal);
        if (result.status === 'error') Object.assign(view, before);
        return result;
      },
    },
    {
      spec: {
        name: 'goto',
        description: 'Moves the window so that a line of the open file is in its middle.',
        parameters: objectSchema({ line: { type: 'integer', description: 'The line.' } }, ['line']),
      },
      async run(input, signal) {
        const line = numberArgument(input, 'line', 1);
        if ('wrong' in line) return shown(line.wrong, 'error');
        view.first = line.value - Math.floor(windowLines / 2);
        return showWindow(workspace, view, signal);
      },
    },
    scroll('scroll_up', -1, 'Moves the window of the open file up by a page.'),
    scroll('scroll_down', 1, 'Moves the window of the open file down by a page.'),
  ];
}
