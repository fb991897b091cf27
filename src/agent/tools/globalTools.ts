// Knowledge of the whole codebase as tools: the code graph around a name, and the trace of the original run.
import { numberArgument, objectSchema, textArgument } from '../arguments.js';
import { cutText } from '../cutText.js';
import { shown, type Tool } from '../scaffold.js';
import { linesOf } from './viewerTools.js';

/** The neighbourhood of a name in the code graph, in words; null where the codebase has no such name. */
export type SearchGraph = (name: string) => string | null;

export function graphTool(search: SearchGraph): Tool {
  return {
    spec: {
      name: 'search_graph',
      description:
        'Looks a class, function, method or module-level name up in a graph of the codebase: where it is defined, with its text, what it refers to, and what refers to it.',
      parameters: objectSchema({ name: { type: 'string', description: 'The name.' } }, ['name']),
    },
    run(input) {
      const name = textArgument(input, 'name');
      if ('wrong' in name) return Promise.resolve(shown(name.wrong, 'error'));
      const found = search(name.value);
      if (found === null)
        return Promise.resolve(shown(`The codebase defines nothing called ${name.value}.`, 'error'));
      const { text, cut } = cutText(found);
      return Promise.resolve({ ...shown(text), cut });
    },
  };
}

const pageLines = 200;

export function traceTool(trace: string): Tool {
  const lines = linesOf(trace);
  return {
    spec: {
      name: 'gold_trace',
      description: `What really ran when the test was run in the codebase: by file the functions with how often each was called, and the lines that ran. ${lines.length} lines, ${pageLines} at a time.`,
      parameters: objectSchema({ from: { type: 'integer', description: 'First line to show (1).' } }, []),
    },
    run(input) {
      const from = numberArgument(input, 'from', 1);
      if ('wrong' in from) return Promise.resolve(shown(from.wrong, 'error'));
      const first = Math.max(1, from.value);
      const page = lines.slice(first - 1, first - 1 + pageLines);
      const rest = lines.length - (first - 1) - page.length;
      return Promise.resolve(
        shown(page.join('\n') + (rest > 0 ? `\n(${rest} more lines, from ${first + pageLines})` : '')),
      );
    },
  };
}
