// static: one call, with every file that the test loads in the prompt; the reply itself holds the gist.
import type { AgentTask } from '../agentTask.js';
import type { Decision, Scaffold } from '../scaffold.js';
import { fenced, taskPrompt } from '../taskPrompt.js';

/** The longest fenced Python block of a reply; the whole reply where it is Python without a fence. */
function pythonBlock(text: string): string | null {
  const blocks = Array.from(
    text.matchAll(/^(`{3,}|~{3,})[ \t]*(?:python3?|py)?[ \t]*\n([\s\S]*?)^\1[ \t]*$/gm),
    (match) => match[2] ?? '',
  );
  const [longest] = blocks.toSorted((a, b) => b.length - a.length);
  if (longest !== undefined) return longest;
  // A reply that was cut off has an opening fence alone.
  const open = /^(`{3,})[ \t]*(?:python3?|py)[ \t]*\n([\s\S]*)$/m.exec(text);
  if (open !== null) return open[2] ?? null;
  return /^(import|from|def|class|@)\b/m.test(text) ? text : null;
}

function decide(text: string, words: string): Decision {
  const gist = pythonBlock(text);
  return gist === null ? { kind: 'unclear', words } : { kind: 'done', gist };
}

export function staticScaffold(task: AgentTask): Scaffold {
  const { prompts, goldFiles, file, repair } = task;
  const files = goldFiles.map(({ path, text }) => `${path}\n${fenced(text, 'python')}`).join('\n\n');
  const known = [
    ...(task.goldTrace === null ? [] : [prompts('static-trace', { trace: fenced(task.goldTrace) })]),
    ...(repair === null ? [] : [prompts('static-repair', { file, text: fenced(repair.text, 'python') })]),
  ].join('\n\n');
  return {
    first: [
      { role: 'system', text: prompts('static-system') },
      { role: 'user', text: `${taskPrompt(task)}\n\n${prompts('static', { file, files, known })}` },
    ],
    tools: [],
    calls: 'text',
    decide: ({ text }) => decide(text, prompts('static-unclear')),
  };
}
