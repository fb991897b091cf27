// The extension's entry: makes the parts and ties commands to them. All work is done elsewhere.
import * as vscode from 'vscode';
import { commands } from '../view/protocol.js';
import { createGistEditors, type GistEditors } from './gistEditors.js';
import { createGistStore, type GistStore } from './gistStore.js';
import { createServer } from './languageClient.js';
import { createReporter } from './log.js';
import { openOrigin } from './openOrigin.js';
import { runCommand } from './runCommand.js';

/** What the tests in the extension host look at; nothing is exported otherwise. */
export interface TestApi {
  readonly editors: GistEditors;
  readonly store: GistStore;
  /** The messages shown so far. */
  readonly shown: readonly string[];
  /** One controller a run under way, as the progress notification's Cancel aborts it. */
  readonly running: ReadonlyMap<string, AbortController>;
}

export function activate(context: vscode.ExtensionContext): TestApi | undefined {
  const reporter = createReporter();
  const server = createServer(context, reporter.log);
  const store = createGistStore(context.globalStorageUri);
  // Commands and lenses wait for the server by themselves; the activation does not.
  server.start().catch((error: unknown) => {
    reporter.fail(`Gistify: the language server does not start: ${String(error)}`);
  });
  const editors = createGistEditors(store, server);
  const running = new Map<string, AbortController>();
  const cli = context.asAbsolutePath('dist/cli.js');
  const register = vscode.commands.registerCommand;
  context.subscriptions.push(
    reporter.log,
    server,
    editors,
    register(commands.run, async (given) =>
      runCommand(given, { cli, store, editors, server, reporter, running }),
    ),
    register(commands.openOrigin, async (given) => openOrigin(given, editors, reporter)),
    register(commands.showLog, () => {
      reporter.log.show();
    }),
    // A window that closes takes its runs with it.
    {
      dispose() {
        for (const run of running.values()) run.abort();
      },
    },
  );
  if (context.extensionMode !== vscode.ExtensionMode.Test) return undefined;
  return { editors, store, shown: reporter.shown, running };
}
