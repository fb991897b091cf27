// swe-agent: a windowed viewer, search of files and folders, an editor that guards the syntax, and submit.
import { mayRunPython, type AgentTask } from '../agentTask.js';
import { objectSchema } from '../arguments.js';
import { shown, type Scaffold, type Tool } from '../scaffold.js';
import { taskPrompt } from '../taskPrompt.js';
import { bashTool } from '../tools/bashTool.js';
import { editorTool } from '../tools/editorTool.js';
import { searchTools } from '../tools/searchTools.js';
import { viewerTools } from '../tools/viewerTools.js';
import { readWorkspace } from '../workspace.js';
import { nativeDecision } from './nativeDecision.js';
import { optionalTools } from './optionalTools.js';

function submitTool({ workspace, file }: AgentTask): Tool {
  return {
    spec: {
      name: 'submit',
      description: `Ends the work: ${file} is taken as it is.`,
      parameters: objectSchema({}, []),
    },
    async run(_input, signal) {
      const found = await readWorkspace(workspace, file, signal);
      if ('wrong' in found) return shown(`${file} is not there yet: write it first. ${found.wrong}`, 'error');
      return { ...shown('Submitted.'), submitted: true };
    },
  };
}

export function sweAgentScaffold(task: AgentTask): Scaffold {
  const { prompts, workspace, options, checkSyntax } = task;
  const words = prompts('swe-agent-unclear');
  return {
    first: [
      { role: 'system', text: prompts('swe-agent-system') },
      { role: 'user', text: `${taskPrompt(task)}\n\n${prompts('swe-agent')}` },
    ],
    tools: [
      ...viewerTools(workspace),
      ...searchTools(workspace, { find: 'find_file', search: 'search_dir' }),
      editorTool({ workspace, checkSyntax }),
      ...(mayRunPython(options) ? [bashTool('bash', workspace, true)] : []),
      ...optionalTools(task),
      submitTool(task),
    ],
    calls: 'native',
    decide: (reply) => nativeDecision(reply, { kind: 'unclear', words }),
  };
}
