// A task and an agent's options flow in; the original's trace, a copy of the codebase to work in, and what the options ask
// for flow out. First of all the original runs: a test that cannot be run costs no tokens.
import { join } from 'node:path';
import type { AgentTask, RepairTask } from '../agent/agentTask.js';
import { loadPrompts } from '../agent/prompts.js';
import { writeWorkspace, type Workspace } from '../agent/workspace.js';
import type { AgentOptions } from '../model/agentOptions.js';
import type { Host } from '../model/progress.js';
import type { Task } from '../model/task.js';
import type { Trace } from '../model/trace.js';
import type { PythonParser } from '../python/parse.js';
import type { OpenedSandbox } from '../sandbox/sandbox.js';
import { findDefinition, testNames } from '../score/findTest.js';
import { graphText, makeWorkspace } from './agentWorkspace.js';
import { createCodeGraph } from './codeGraph.js';
import { goldTraceText } from './goldTrace.js';
import { makeRunner } from './makeRunner.js';
import { pythonPathEntries, rootInside, topNames, traceInSafety } from './originalRun.js';
import { loadParser, makeShadow, readCodebase, readTraced, type Installation } from './sources.js';

export interface PreparationInput {
  readonly task: Task;
  readonly agent: AgentOptions;
  readonly host: Host;
  readonly installation: Installation;
  readonly cwd: string;
  readonly repair?: RepairTask;
}

export interface Preparation {
  readonly trace: Trace;
  readonly task: AgentTask;
  readonly workspace: Workspace;
}

/** Traces the original, copies the codebase, and gathers what the options ask for. */
export async function prepareAgent(input: PreparationInput, opened: OpenedSandbox): Promise<Preparation> {
  const { sandbox, python, env } = opened;
  const { agent, host, installation, cwd } = input;
  const task: Task = { ...input.task, python };
  const codebase = rootInside(sandbox, task.repo);
  const runner = await makeRunner(opened, { host, installation, timeout: task.timeout });
  const pythonPath = pythonPathEntries(sandbox, env, cwd);
  const { trace } = await traceInSafety(sandbox, runner, task, pythonPath, host);
  const parser = await loadParser(installation);
  const texts = await readTraced(task.repo, trace);
  const graph = agent.globalTools.includes('graph')
    ? createCodeGraph(parser, await readCodebase(task.repo))
    : null;
  const goldTrace = agent.globalTools.includes('trace') ? goldTraceText(parser, trace, texts) : null;
  const file = texts.has('concise.py') ? 'concise_gist.py' : 'concise.py';
  const shellOnly = agent.scaffold === 'mini' || agent.scaffold === 'command';
  let graphFile: string | null = null;
  if (graph !== null && shellOnly) {
    graphFile = `${await sandbox.folder('graph')}/graph.txt`;
    await sandbox.write(graphFile, graphText(graph.names, graph.around));
  }
  const workspace = await makeWorkspace(
    {
      ...{ sandbox, task, codebase, options: agent, env, pythonPath, helper: runner.helper, file, graphFile },
      block: topNames(trace, file),
      shadow: await makeShadow(sandbox, codebase, trace),
      traceText: shellOnly ? goldTrace : null,
    },
    host.signal,
  );
  if (input.repair !== undefined) await writeWorkspace(workspace, file, input.repair.text, host.signal);
  return {
    trace,
    workspace,
    task: {
      ...{ nodeId: task.nodeId, file, options: agent, workspace, goldTrace },
      prompts: await loadPrompts(join(installation.root, 'prompts')),
      checkSyntax: (text) => syntaxError(parser, text),
      searchGraph: graph === null ? null : (name) => graph.around(name),
      testBody: agent.strategy === 'test-body' ? testBody(parser, task.nodeId, texts) : null,
      goldFiles: goldFiles(trace, texts),
      repair: input.repair ?? null,
    },
  };
}

/** The first place where a text is no Python, in words. */
function syntaxError(parser: PythonParser, text: string): string | null {
  const tree = parser.parse(text);
  try {
    if (!tree.rootNode.hasError) return null;
    const faults = tree.rootNode.descendantsOfType('ERROR');
    const row = faults[0]?.startPosition.row;
    return row === undefined ? 'something is missing' : `syntax error at line ${row + 1}`;
  } finally {
    tree.delete();
  }
}

function testBody(parser: PythonParser, nodeId: string, texts: ReadonlyMap<string, string>): string | null {
  const text = texts.get(nodeId.split('::')[0] ?? '');
  if (text === undefined) return null;
  const tree = parser.parse(text);
  try {
    const found = findDefinition(tree.rootNode, testNames(nodeId));
    return found === null
      ? null
      : text
          .split('\n')
          .slice(found.firstRow, found.lastRow + 1)
          .join('\n');
  } finally {
    tree.delete();
  }
}

/** The test's file first, then the others in the order in which they were loaded. */
function goldFiles(trace: Trace, texts: ReadonlyMap<string, string>): AgentTask['goldFiles'] {
  return trace.files.flatMap(({ path }) => {
    const text = texts.get(path);
    return text === undefined || text.trim() === '' ? [] : [{ path, text }];
  });
}
