// The two tools that Gistify offers to other agents, in words and schemas.

export interface GistTool {
  readonly name: 'gistify_run' | 'gistify_score';
  readonly title: string;
  readonly description: string;
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, { readonly type: string; readonly description: string }>>;
    readonly required: readonly string[];
    readonly additionalProperties: false;
  };
}

const nodeId = {
  type: 'string',
  description:
    'pytest node id of one test, relative to the codebase, for example tests/test_cart.py::test_total or tests/test_cart.py::TestCart::test_total[2]. A parametrized test without [..] counts with all its instances.',
};
const repo = {
  type: 'string',
  description: 'Absolute path of the codebase. Leave it out for the one that is open.',
};

export const gistTools: readonly GistTool[] = [
  {
    name: 'gistify_run',
    title: 'Gistify a test',
    description:
      'Runs one pytest test of a Python codebase, watches which lines run, and gives back one self-contained Python file with only those lines, which behaves exactly as the test does without the codebase. Use it to see what really happens behind a test, or to turn a failing test into a minimal reproduction. It executes the test. Nothing is written into the codebase. The answer holds the file, whether it is verified, and its scores.',
    inputSchema: {
      type: 'object',
      properties: { nodeId, repo },
      required: ['nodeId'],
      additionalProperties: false,
    },
  },
  {
    name: 'gistify_score',
    title: 'Score a gist',
    description:
      'Judges a self-contained Python file that is meant to reproduce one pytest test of a codebase: puts the original test into it, runs it with the codebase blocked, and compares outcome and output (fidelity), the share of its lines that run (execution) and that stand in the codebase (existence). Use it to check a file you have written. It executes the test and the file. The answer names every difference and every line that is not of the codebase, with the nearest one that is.',
    inputSchema: {
      type: 'object',
      properties: {
        nodeId,
        text: { type: 'string', description: 'The whole text of the file to judge.' },
        repo,
      },
      required: ['nodeId', 'text'],
      additionalProperties: false,
    },
  },
];
