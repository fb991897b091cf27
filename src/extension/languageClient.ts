// The language server's process is started and spoken to here; lenses and hovers flow from it straight into the editor.
import * as vscode from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import type { Report } from '../model/report.js';
import {
  commands,
  definitionRequest,
  removalRequest,
  reportNotification,
  testsRequest,
  workspaceTestsRequest,
} from '../view/protocol.js';
import type {
  InitializationOptions,
  LineParams,
  Removal,
  ReportParams,
  Rows,
  ServerSettings,
  TestsParams,
  TestsResult,
  WorkspaceTestsResult,
} from '../view/protocol.js';
import { settingsFor } from './settings.js';

export interface Server {
  dispose(): void;
  start(): Promise<void>;
  /** The tests of a file and the codebase that they belong to. */
  tests(file: vscode.Uri): Promise<TestsResult | null>;
  /** All tests of the workspace, by codebase. */
  workspaceTests(token: vscode.CancellationToken): Promise<WorkspaceTestsResult>;
  /** The edit that takes the statement on a row (0-based) away; null where it cannot go. */
  removal(file: vscode.Uri, row: number): Promise<Removal | null>;
  /** The rows of the innermost definition around a row. */
  definition(file: vscode.Uri, row: number): Promise<Rows | null>;
  /** Says which report the hovers of a gist are from. */
  report(gist: vscode.Uri, report: Report | null): Promise<void>;
}

/** A client of `dist/server.js`; it starts the server where that is not running. */
export function createServer(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): Server {
  const module = context.asAbsolutePath('dist/server.js');
  const run = { module, transport: TransportKind.ipc };
  const serverSettings = (): ServerSettings => ({
    codeLens: settingsFor(undefined).codeLens,
    trusted: vscode.workspace.isTrusted,
  });
  const initializationOptions: InitializationOptions = {
    ...serverSettings(),
    messages: vscode.l10n.bundle ?? {},
  };
  const client = new LanguageClient(
    'gistify',
    'Gistify',
    { run, debug: run },
    {
      documentSelector: [{ scheme: 'file', language: 'python' }],
      outputChannel: log,
      initializationOptions,
      markdown: { isTrusted: { enabledCommands: [commands.openOrigin] } },
    },
  );
  const tell = (): void => {
    if (!client.isRunning()) return;
    void client.sendNotification('workspace/didChangeConfiguration', { settings: serverSettings() });
  };
  const listeners = [
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('gistify.codeLens')) tell();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(tell),
  ];
  return {
    start: async () => client.start(),
    tests: async (file) => {
      const params: TestsParams = { uri: uriOf(client, file) };
      return client.sendRequest<TestsResult | null>(testsRequest, params);
    },
    workspaceTests: async (token) => client.sendRequest<WorkspaceTestsResult>(workspaceTestsRequest, token),
    removal: async (file, row) => client.sendRequest(removalRequest, lineParams(client, file, row)),
    definition: async (file, row) => client.sendRequest(definitionRequest, lineParams(client, file, row)),
    report: async (gist, report) => {
      const params: ReportParams = { uri: uriOf(client, gist), report };
      await client.sendNotification(reportNotification, params);
    },
    dispose() {
      for (const listener of listeners) listener.dispose();
      void client.dispose();
    },
  };
}

function lineParams(client: LanguageClient, file: vscode.Uri, row: number): LineParams {
  return { uri: uriOf(client, file), row };
}

function uriOf(client: LanguageClient, uri: vscode.Uri): string {
  return client.code2ProtocolConverter.asUri(uri);
}
