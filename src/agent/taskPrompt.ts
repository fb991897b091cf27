// An agent's task flows in, the words that every scaffold begins with flow out: the task, its four requirements, what may
// be run, how to go about it, and what is known beforehand.
import { testSelector } from '../base/testSelector.js';
import { mayRunGist, mayRunPython, type AgentTask } from './agentTask.js';

function executionPrompt({ options }: AgentTask): string {
  if (mayRunPython(options)) return 'execution-on';
  return mayRunGist(options) ? 'execution-edit' : 'execution-off';
}

/** The task in words. */
export function taskPrompt(task: AgentTask): string {
  const { prompts, nodeId, file, options, testBody, repair } = task;
  const test = testSelector(nodeId);
  const parts = [
    prompts('task', { nodeId, file, test }),
    prompts(executionPrompt(task), { file }),
    ...(options.strategy === 'tracing' ? [prompts('strategy-tracing')] : []),
    ...(options.strategy === 'reading' ? [prompts('strategy-reading')] : []),
    ...(testBody === null ? [] : [prompts('strategy-test-body', { testBody: fenced(testBody) })]),
    ...(repair === null ? [] : [prompts('repair', { file, failure: fenced(repair.failure) })]),
    prompts('untrusted'),
  ];
  return parts.join('\n\n');
}

/** In a fence that is longer than any within the text. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), (match) => match[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}
