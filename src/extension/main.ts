// The extension's entry: makes the parts and ties commands to them. All work is done elsewhere.
import process from 'node:process';
import * as vscode from 'vscode';
import { commands } from '../view/protocol.js';
import { createAgentSteps, type AgentSteps } from './agentSteps.js';
import { createCodebaseMarks, type CodebaseMarks } from './codebaseMarks.js';
import { createComparisons } from './compareGists.js';
import { draftExport, exportCommand, minimalReproCommand, type Exporting } from './exportCommand.js';
import { createExportDrafts, type ExportDrafts } from './exportDrafts.js';
import { createGistDiagnostics } from './gistDiagnostics.js';
import { createGistDocuments } from './gistDocuments.js';
import { createGistEditors, type GistEditors } from './gistEditors.js';
import { createGistStore, type GistStore } from './gistStore.js';
import { registerGistLenses } from './gistLenses.js';
import { createGistTests, type GistTests } from './gistTests.js';
import { createGistsView, registerGistCommands, type GistsView } from './gistsView.js';
import { runWithCommand } from './gistifyWith.js';
import { createServer } from './languageClient.js';
import { createBridge } from './languageModelBridge.js';
import { registerForAgents } from './languageModelTools.js';
import { createReporter } from './log.js';
import { setModelKeyCommand, storedKeys } from './modelKeys.js';
import { openOrigin, peekOrigin } from './openOrigin.js';
import { registerOverlayToggles } from './overlayToggles.js';
import { createRecentRuns } from './recentRuns.js';
import { cancelCommand, pickTestCommand, runAgainCommand, runCommand, type Running } from './runCommand.js';
import { createReportPanels, type ReportPanels } from './reportPanel.js';
import { createRunQueue, type RunQueue } from './runQueue.js';
import { settingsFor } from './settings.js';
import { findReportCommand, verifyCommand } from './verifyGist.js';

/** What the tests in the extension host look at; nothing is exported otherwise. */
export interface TestApi {
  readonly editors: GistEditors;
  readonly store: GistStore;
  readonly view: GistsView;
  readonly marks: CodebaseMarks;
  readonly queue: RunQueue;
  readonly reports: ReportPanels;
  readonly tests: GistTests;
  readonly steps: AgentSteps;
  readonly drafts: ExportDrafts;
  readonly running: Running;
  readonly secrets: vscode.SecretStorage;
  /** The messages shown so far. */
  readonly shown: readonly string[];
  /** Milliseconds of processor time that the activation took: on a busy machine the clock tells of the others. */
  readonly activation: number;
}

export function activate(context: vscode.ExtensionContext): TestApi | undefined {
  const begun = process.cpuUsage();
  const { secrets, workspaceState } = context;
  const reporter = createReporter();
  const server = createServer(context, reporter.log);
  const store = createGistStore(context.globalStorageUri);
  // Commands and lenses wait for the server by themselves; the activation does not.
  server.start().catch((error: unknown) => {
    reporter.fail(vscode.l10n.t('Gistify: the language server does not start: {0}', String(error)));
  });
  const documents = createGistDocuments(store, server);
  const editors = createGistEditors(documents);
  const marks = createCodebaseMarks(documents, store, editors, reporter);
  const view = createGistsView(store);
  const queue = createRunQueue(() => settingsFor(undefined).parallelRuns);
  const recent = createRecentRuns(workspaceState);
  const steps = createAgentSteps();
  const running: Running = {
    ...{ store, editors, server, reporter, queue, recent },
    listen: () => createBridge(async () => storedKeys(secrets), steps.listen()),
    cli: context.asAbsolutePath('dist/cli.js'),
  };
  const reports = createReportPanels(context.extensionUri, documents, store, reporter);
  const comparisons = createComparisons({ documents, store, server, reporter });
  const helper = context.asAbsolutePath('dist/helper');
  const tests = createGistTests({ documents, store, reporter, helper });
  const verifying = { ...running, documents };
  const drafts = createExportDrafts({ reporter, redo: async (request) => draftExport(request, exporting) });
  const exporting: Exporting = { ...verifying, drafts };
  const register = vscode.commands.registerCommand;
  context.subscriptions.push(
    ...[
      reporter.log,
      server,
      store,
      documents,
      editors,
      marks,
      view,
      reports,
      comparisons,
      tests,
      steps,
      drafts,
    ],
    createGistDiagnostics(documents, server),
    registerGistLenses(documents),
    // A window that closes takes its runs with it.
    queue,
    ...registerOverlayToggles(),
    ...registerGistCommands(store),
    register(commands.run, async (...given: unknown[]) => runCommand(given, running)),
    register(commands.pickTest, async () => pickTestCommand(running)),
    register(commands.runAgain, async (given: unknown) => runAgainCommand(given, running)),
    register(commands.cancel, async () => cancelCommand(queue)),
    register(commands.openOrigin, async (given: unknown) => openOrigin(given, running)),
    register(commands.peekOrigin, async () => peekOrigin(running)),
    register(commands.showInGist, async () => marks.showInGist()),
    register(commands.showReport, async (given: unknown) => reports.show(given)),
    register(commands.verify, async (given: unknown) => verifyCommand(given, verifying)),
    register(commands.findReport, async () => findReportCommand(verifying)),
    register(commands.compareWithOriginal, async () => comparisons.withOriginal()),
    register(commands.compareWithEarlier, async (given: unknown) => comparisons.withEarlier(given)),
    register(commands.compareRuns, async (given: unknown) => comparisons.runs(given)),
    register(commands.runGist, async (given: unknown) => tests.start('run', given)),
    register(commands.debugGist, async (given: unknown) => tests.start('debug', given)),
    register(commands.coverGist, async (given: unknown) => tests.start('cover', given)),
    register(commands.runWith, async (...given: unknown[]) => runWithCommand(given, running, workspaceState)),
    register(commands.export, async (...given: unknown[]) => exportCommand(given, exporting)),
    register(commands.minimalRepro, async (...given: unknown[]) => minimalReproCommand(given, exporting)),
    register(commands.setModelKey, async () => setModelKeyCommand(secrets, reporter)),
    ...registerForAgents(context.extension, running),
    register(commands.showLog, () => {
      reporter.log.show();
    }),
  );
  void vscode.commands.executeCommand('setContext', 'gistify.active', true);
  const { user, system } = process.cpuUsage(begun);
  const activation = (user + system) / 1000;
  reporter.log.debug(`Activated in ${activation.toFixed(1)} ms.`);
  if (context.extensionMode !== vscode.ExtensionMode.Test) return undefined;
  const { shown } = reporter;
  const testApi = { editors, store, view, marks, queue, reports, tests, steps, drafts, running, secrets };
  return { ...testApi, shown, activation };
}
