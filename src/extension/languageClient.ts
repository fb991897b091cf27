// The language server's process is started and spoken to here; lenses and hovers flow from it straight into the editor.
import * as vscode from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import type { Report } from '../model/report.js';
import { commands, reportNotification, testsRequest } from '../view/protocol.js';
import type {
  InitializationOptions,
  ReportParams,
  ServerSettings,
  TestsParams,
  TestsResult,
} from '../view/protocol.js';
import { settingsFor } from './settings.js';

export interface Server {
  dispose(): void;
  start(): Promise<void>;
  /** The tests of an open document and the codebase that they belong to. */
  tests(document: vscode.TextDocument): Promise<TestsResult | null>;
  /** Says which report the document's hovers are from. */
  report(document: vscode.TextDocument, report: Report | null): Promise<void>;
}

/** A client of `dist/server.js`; it starts the server where that is not running. */
export function createServer(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): Server {
  const module = context.asAbsolutePath('dist/server.js');
  const run = { module, transport: TransportKind.ipc };
  const initializationOptions: InitializationOptions = { codeLens: settingsFor(undefined).codeLens };
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
  const settingsChanged = vscode.workspace.onDidChangeConfiguration((change) => {
    if (!change.affectsConfiguration('gistify.codeLens') || !client.isRunning()) return;
    const settings: ServerSettings = { codeLens: settingsFor(undefined).codeLens };
    void client.sendNotification('workspace/didChangeConfiguration', { settings });
  });
  return {
    start: async () => client.start(),
    tests: async (document) => {
      const params: TestsParams = { uri: uriOf(client, document) };
      return client.sendRequest<TestsResult | null>(testsRequest, params);
    },
    report: async (document, report) => {
      const params: ReportParams = { uri: uriOf(client, document), report };
      await client.sendNotification(reportNotification, params);
    },
    dispose() {
      settingsChanged.dispose();
      void client.dispose();
    },
  };
}

function uriOf(client: LanguageClient, document: vscode.TextDocument): string {
  return client.code2ProtocolConverter.asUri(document.uri);
}
