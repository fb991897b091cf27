// Tools that every tool-calling scaffold adds where its options ask for them: running the gist, and global knowledge.
import { mayRunGist, type AgentTask } from '../agentTask.js';
import type { Tool } from '../scaffold.js';
import { graphTool, traceTool } from '../tools/globalTools.js';
import { runGistTool } from '../tools/runGistTool.js';

export function optionalTools({
  options,
  workspace,
  file,
  searchGraph,
  goldTrace,
}: AgentTask): readonly Tool[] {
  return [
    ...(mayRunGist(options) ? [runGistTool(workspace, file)] : []),
    ...(searchGraph === null ? [] : [graphTool(searchGraph)]),
    ...(goldTrace === null ? [] : [traceTool(goldTrace)]),
  ];
}
