// What Gistify is to other agents in the editor: tools of VS Code's agent mode, a chat participant and an MCP server. A host
// that has no interface for one of them goes without, and the log says so.
import process from 'node:process';
import * as vscode from 'vscode';
import { runAnswer, scoreAnswer } from '../view/toolAnswer.js';
import { answerChat } from './chatParticipant.js';
import type { Caller } from './quietRun.js';
import { makeQuietly, scoreQuietly, targetOf } from './quietRun.js';
import type { Running } from './runCommand.js';

const t = vscode.l10n.t;

interface RunInput {
  readonly nodeId: string;
  readonly repo?: string;
}

interface ScoreInput extends RunInput {
  readonly text: string;
}

/** The parts of VS Code that a fork of it may lack. */
export type ModelHost = Partial<Pick<typeof vscode, 'lm' | 'chat'>>;

/** Registers what the host has an interface for; package.json describes it. */
export function registerForAgents(
  extension: Pick<vscode.ExtensionContext['extension'], 'extensionUri' | 'packageJSON'>,
  running: Running,
  { lm, chat }: ModelHost = vscode,
): readonly vscode.Disposable[] {
  const { log } = running.reporter;
  const registered: vscode.Disposable[] = [];
  if (typeof lm?.registerTool === 'function')
    registered.push(
      lm.registerTool('gistify_run', runTool(running)),
      lm.registerTool('gistify_score', scoreTool(running)),
    );
  else log.info('This editor has no interface for language-model tools: Gistify is none here.');
  if (typeof lm?.registerMcpServerDefinitionProvider === 'function') {
    const { version } = extension.packageJSON as { readonly version: string };
    const provider = { provideMcpServerDefinitions: () => mcpServers(running.cli, version) };
    registered.push(lm.registerMcpServerDefinitionProvider('gistify.mcp', provider));
  } else log.info('This editor has no interface for MCP servers: `gistify mcp` can be added by hand.');
  if (typeof chat?.createChatParticipant === 'function') {
    const participant = chat.createChatParticipant(
      'gistify.participant',
      async (request, _context, stream, token) => answerChat(request, stream, token, running),
    );
    participant.iconPath = vscode.Uri.joinPath(extension.extensionUri, 'media', 'icon.png');
    registered.push(vscode.Disposable.from(participant));
  } else log.info('This editor has no interface for chats: @gistify is not there.');
  return registered;
}

function runTool(running: Running): vscode.LanguageModelTool<RunInput> {
  return {
    prepareInvocation: ({ input }) => confirm(t('Gistify a test'), input.nodeId),
    async invoke({ input }, token) {
      const target = await targetOf(input.nodeId, input.repo);
      return words(runAnswer((await makeQuietly(target, callerOf(token), running)).report));
    },
  };
}

function scoreTool(running: Running): vscode.LanguageModelTool<ScoreInput> {
  return {
    prepareInvocation: ({ input }) => confirm(t('Score a gist'), input.nodeId),
    async invoke({ input }, token) {
      const target = await targetOf(input.nodeId, input.repo);
      return words(scoreAnswer(await scoreQuietly(target, input.text, callerOf(token), running)));
    },
  };
}

function callerOf(token: vscode.CancellationToken): Caller {
  return { token, progress: () => undefined };
}

function words(text: string): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
}

function confirm(title: string, nodeId: string): vscode.PreparedToolInvocation {
  return {
    invocationMessage: t('Running {0}', nodeId),
    confirmationMessages: { title, message: t('This executes the code of the test {0}.', nodeId) },
  };
}

/** `gistify mcp` for each folder of a trusted workspace. */
export function mcpServers(cli: string, version: string): vscode.McpStdioServerDefinition[] {
  if (!vscode.workspace.isTrusted) return [];
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return folders.map(({ uri, name }) => {
    const label = folders.length === 1 ? 'Gistify' : `Gistify (${name})`;
    const args = [cli, 'mcp', '--repo', uri.fsPath];
    const env = { ELECTRON_RUN_AS_NODE: '1' };
    return new vscode.McpStdioServerDefinition(label, process.execPath, args, env, version);
  });
}
