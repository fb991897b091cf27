// copilot: the tools and the manner of VS Code's agent mode; the model is done when it calls no tool any more.
import { mayRunPython, type AgentTask } from '../agentTask.js';
import type { Scaffold } from '../scaffold.js';
import { taskPrompt } from '../taskPrompt.js';
import { bashTool } from '../tools/bashTool.js';
import { copilotTools } from '../tools/copilotTools.js';
import { searchTools } from '../tools/searchTools.js';
import { nativeDecision } from './nativeDecision.js';
import { optionalTools } from './optionalTools.js';

export function copilotScaffold(task: AgentTask): Scaffold {
  const { prompts, workspace, options, checkSyntax, file } = task;
  return {
    first: [
      { role: 'system', text: prompts('copilot-system') },
      { role: 'user', text: `${taskPrompt(task)}\n\n${prompts('copilot', { file })}` },
    ],
    tools: [
      ...copilotTools({ workspace, checkSyntax }),
      ...searchTools(workspace, { find: 'file_search', search: 'grep_search' }),
      ...(mayRunPython(options) ? [bashTool('run_in_terminal', workspace, true)] : []),
      ...optionalTools(task),
    ],
    calls: 'native',
    decide: (reply) => nativeDecision(reply, { kind: 'done', gist: null }),
  };
}
