// Scripted solvers: what a model that knows the answer would say to each scaffold, every tool that the options offer used
// once on the way. They act through the real tools, so a tool that does not work leaves them without a gist.
import type { AgentOptions } from '../../src/model/agentOptions.js';
import type { ScriptedCall, Turn } from './modelServer.js';

export interface Solution {
  readonly gist: string;
  readonly nodeId: string;
  readonly options: AgentOptions;
}

/** Turns that end with the gist submitted. */
export function solve(solution: Solution): readonly Turn[] {
  switch (solution.options.scaffold) {
    case 'mini':
      return mini(solution);
    case 'swe-agent':
      return sweAgent(solution);
    case 'copilot':
      return copilot(solution);
    case 'static':
      return [{ text: `Here it is.\n\n\`\`\`\`\`python\n${solution.gist}\`\`\`\`\`\n` }];
    case 'command':
      return [];
  }
}

const fileOf = (nodeId: string): string => nodeId.split('::')[0] ?? '';
const runs = ({ execution }: AgentOptions): boolean => execution === 'bash' || execution === 'on';
const edits = ({ execution }: AgentOptions): boolean => execution === 'edit' || execution === 'on';

function mini({ gist, nodeId, options }: Solution): readonly Turn[] {
  const commands = [
    `cat ${fileOf(nodeId)} && grep -rn "^def " shop | head -5`,
    ...(options.globalTools.includes('graph') ? ['search_graph checkout', 'search_graph no_such_name'] : []),
    ...(options.globalTools.includes('trace') ? ['gold_trace | head -20'] : []),
    `cat > concise.py <<'END_OF_GIST'\n${gist}END_OF_GIST`,
    runs(options) ? `python -m pytest -q concise.py` : 'python -m pytest -q concise.py; echo never',
    ...(edits(options) ? ['run_gist'] : []),
    'submit_gist',
  ];
  return commands.map((command) => ({ text: `I go on.\n\n\`\`\`bash\n${command}\n\`\`\`` }));
}

function turnsOf(calls: readonly ScriptedCall[]): readonly Turn[] {
  return calls.map((call) => ({ text: 'I go on.', calls: [call] }));
}

function optionalCalls({ gist, options }: Solution, bash: string): readonly ScriptedCall[] {
  return [
    ...(options.globalTools.includes('graph') ? [{ name: 'search_graph', input: { name: 'checkout' } }] : []),
    ...(options.globalTools.includes('trace') ? [{ name: 'gold_trace', input: {} }] : []),
    ...(runs(options) ? [{ name: bash, input: { command: 'python -m pytest -q concise.py' } }] : []),
    ...(edits(options) ? [{ name: 'write_and_run', input: { text: gist } }] : []),
  ];
}

function sweAgent(solution: Solution): readonly Turn[] {
  const { gist, nodeId } = solution;
  const lines = gist.split('\n');
  const first = lines.slice(0, 3).join('\n');
  const rest = lines.slice(3).join('\n');
  return turnsOf([
    { name: 'find_file', input: { name: 'test_*.py' } },
    { name: 'open', input: { path: fileOf(nodeId) } },
    { name: 'scroll_down' },
    { name: 'scroll_up' },
    { name: 'goto', input: { line: '10' } },
    { name: 'search_dir', input: { text: 'def checkout', path: 'shop' } },
    { name: 'submit' },
    {
      name: 'str_replace_editor',
      input: { command: 'create', path: 'concise.py', file_text: `${rest}\nTO_GO = 1\n` },
    },
    {
      name: 'str_replace_editor',
      input: { command: 'str_replace', path: 'concise.py', old_str: '\nTO_GO = 1\n' },
    },
    {
      name: 'str_replace_editor',
      input: { command: 'insert', path: 'concise.py', insert_line: 0, new_str: `${first}\n` },
    },
    { name: 'str_replace_editor', input: { command: 'view', path: 'concise.py' } },
    ...optionalCalls(solution, 'bash'),
    { name: 'submit' },
  ]);
}

function copilot(solution: Solution): readonly Turn[] {
  const { gist, nodeId } = solution;
  return [
    ...turnsOf([
      { name: 'list_dir' },
      { name: 'file_search', input: { name: '**/conftest.py' } },
      { name: 'read_file', input: { filePath: fileOf(nodeId), startLine: 1, endLine: 400 } },
      { name: 'grep_search', input: { text: 'class Cart' } },
      { name: 'create_file', input: { filePath: 'concise.py', content: `${gist}\n# to go\n` } },
      {
        name: 'replace_string_in_file',
        input: { filePath: 'concise.py', oldString: '\n# to go\n', newString: '' },
      },
      ...optionalCalls(solution, 'run_in_terminal'),
    ]),
    { text: 'The file is complete.' },
  ];
}
