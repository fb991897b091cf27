// mini: bash and nothing else. The model writes one command in a fenced block, gets its output, and submits by a
// command; no tool calls of the service are needed, so any model can take part.
import { mayRunGist, mayRunPython, type AgentTask } from '../agentTask.js';
import type { Decision, Scaffold } from '../scaffold.js';
import { taskPrompt } from '../taskPrompt.js';
import { bashTool } from '../tools/bashTool.js';

/** The command that ends the run. */
const submitCommand = 'submit_gist';

/** Fenced blocks of a reply that are commands; a fence ends at one that is as long. */
function bashBlocks(text: string): readonly string[] {
  const blocks: string[] = [];
  let fence = '';
  let block: string[] | null = null;
  for (const line of text.split('\n')) {
    if (fence === '') {
      const start = /^\s*(`{3,}|~{3,})\s*(\w*)\s*$/.exec(line);
      if (start === null) continue;
      fence = start[1] ?? '';
      block = /^(bash|sh|shell)$/.test(start[2] ?? '') ? [] : null;
    } else if (line.trim() === fence) {
      if (block !== null) blocks.push(block.join('\n'));
      fence = '';
    } else block?.push(line);
  }
  return blocks;
}

function decide(text: string, unclearWords: string): Decision {
  const blocks = bashBlocks(text);
  const [command] = blocks;
  if (command === undefined || blocks.length > 1) return { kind: 'unclear', words: unclearWords };
  if (command.trim() === submitCommand) return { kind: 'done', gist: null };
  return { kind: 'act', actions: [{ id: '', name: 'bash', input: { command }, malformed: '' }] };
}

export function miniScaffold(task: AgentTask): Scaffold {
  const { prompts, workspace, options, file } = task;
  const knowledge = [
    ...(task.searchGraph === null ? [] : [prompts('mini-graph')]),
    ...(task.goldTrace === null ? [] : [prompts('mini-trace')]),
    ...(mayRunGist(options) ? [prompts('mini-run', { file })] : []),
  ].join('\n');
  const unclear = prompts('mini-unclear', { submit: submitCommand });
  return {
    first: [
      { role: 'system', text: prompts('mini-system', { submit: submitCommand }) },
      {
        role: 'user',
        text: `${taskPrompt(task)}\n\n${prompts('mini', { submit: submitCommand, knowledge })}`,
      },
    ],
    tools: [bashTool('bash', workspace, mayRunPython(options))],
    calls: 'text',
    decide: ({ text }) => decide(text, unclear),
  };
}
