// A test flows in from a lens, a menu or the palette; a gist on screen flows out, or one clear message.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { exitStatus } from '../base/gistifyError.js';
import { reportSchema, type Report } from '../model/report.js';
import { faultMessage } from '../view/faultMessage.js';
import type { RunTarget } from '../view/protocol.js';
import { testAt } from '../view/testLens.js';
import { runEngine } from './engineProcess.js';
import type { GistEditors } from './gistEditors.js';
import type { GistStore } from './gistStore.js';
import { interpreterFor } from './interpreter.js';
import type { Server } from './languageClient.js';
import type { Reporter } from './log.js';
import { settingsFor } from './settings.js';

export interface RunDependencies {
  /** Absolute path of the bundled command line. */
  readonly cli: string;
  readonly store: GistStore;
  readonly editors: GistEditors;
  readonly server: Server;
  readonly reporter: Reporter;
  /** Cancels each run that is under way. */
  readonly running: Map<string, AbortController>;
}

/** The command `gistify.run`: of the target a lens hands over, else of the test at the cursor. */
export async function runCommand(given: unknown, deps: RunDependencies): Promise<void> {
  const { reporter } = deps;
  if (!vscode.workspace.isTrusted) {
    const manage = 'Manage Workspace Trust';
    const why = 'Gistify runs the test to see what it executes, so it needs a trusted workspace.';
    if ((await vscode.window.showWarningMessage(why, manage)) === manage) {
      await vscode.commands.executeCommand('workbench.trust.manage');
    }
    return;
  }
  try {
    const target = isTarget(given) ? given : await targetAtCursor(deps.server, reporter);
    if (target !== null) await run(target, deps);
  } catch (error) {
    reporter.fail(`Gistify: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function isTarget(given: unknown): given is RunTarget {
  return typeof given === 'object' && given !== null && 'nodeId' in given && 'repo' in given;
}

async function targetAtCursor(server: Server, reporter: Reporter): Promise<RunTarget | null> {
  const editor = vscode.window.activeTextEditor;
  const tests = editor === undefined ? null : await server.tests(editor.document);
  if (editor === undefined || tests === null || tests.items.length === 0) {
    reporter.warn('Gistify: there is no pytest test in the active editor.');
    return null;
  }
  const { repo, items } = tests;
  const here = testAt(items, editor.selection.active.line + 1);
  if (here !== null) return { repo, nodeId: here.nodeId };
  const placeHolder = 'The cursor is in no test: which one shall be gistified?';
  const picked = await vscode.window.showQuickPick(
    items.map(({ nodeId, line }) => ({
      label: nodeId.split('::').slice(1).join(' › '),
      description: `line ${line}`,
      nodeId,
    })),
    { placeHolder },
  );
  return picked === undefined ? null : { repo, nodeId: picked.nodeId };
}

async function run(target: RunTarget, deps: RunDependencies): Promise<void> {
  const key = `${target.repo}\0${target.nodeId}`;
  const { reporter, running } = deps;
  const name = target.nodeId.split('::').slice(1).join('::');
  if (running.has(key)) {
    reporter.warn(`Gistify: ${name} is being gistified already.`);
    return;
  }
  const controller = new AbortController();
  running.set(key, controller);
  try {
    // Unsaved text would give a gist of what is no longer on the screen.
    await saveTest(target);
    const title = `Gistify ${name}`;
    await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      async (progress, token) => {
        token.onCancellationRequested(() => {
          controller.abort();
        });
        await produce(target, controller.signal, progress, deps);
      },
    );
  } finally {
    running.delete(key);
  }
}

async function saveTest({ repo, nodeId }: RunTarget): Promise<void> {
  const file = path.join(repo, nodeId.split('::')[0] ?? '');
  const document = vscode.workspace.textDocuments.find(
    ({ uri }) => uri.scheme === 'file' && uri.fsPath === file,
  );
  if (document?.isDirty === true) await document.save();
}

async function produce(
  target: RunTarget,
  signal: AbortSignal,
  progress: vscode.Progress<{ message?: string; increment?: number }>,
  { cli, store, editors, reporter }: RunDependencies,
): Promise<void> {
  const file = vscode.Uri.file(path.join(target.repo, target.nodeId.split('::')[0] ?? ''));
  const settings = settingsFor(file);
  const folder = vscode.workspace.getWorkspaceFolder(file)?.uri.fsPath ?? target.repo;
  const found = await interpreterFor(file, [...new Set([folder, target.repo])], settings.pythonPath);
  if (found === null) {
    reporter.fail(
      'Gistify found no Python. Choose one with the Python extension or in the setting gistify.pythonPath.',
    );
    return;
  }
  const place = await store.placeFor(target);
  const args = [
    ...['run', target.nodeId, '--repo', target.repo, '--python', found.python],
    ...['--out', place.gist.fsPath, '--report', place.report],
    ...['--layout', settings.layout, '--timeout', String(settings.timeout)],
  ];
  reporter.log.info(`gistify ${args.join(' ')} (Python from ${found.source})`);
  let reached = 0;
  const end = await runEngine(cli, args, target.repo, {
    signal,
    progress(fraction, message) {
      progress.report({ message, increment: Math.max(0, fraction - reached) * 100 });
      reached = Math.max(reached, fraction);
      reporter.log.debug(message);
    },
    log: (line) => {
      reporter.log.info(line);
    },
  });
  reporter.log.info(`Ended with status ${end.status}.`);
  if (signal.aborted || end.status === exitStatus.cancelled) return;
  if (end.status !== exitStatus.verified && end.status !== exitStatus.unverified) {
    reporter.fail(faultMessage(end.said, end.status));
    return;
  }
  const report = await readReport(place.report);
  await editors.show(place.gist, report);
  if (!report.verified) {
    const why = report.score.problems[0] ?? 'its outcome differs';
    reporter.warn(`Gistify: this gist does not behave as the test does (${why}).`);
  }
}

async function readReport(file: string): Promise<Report> {
  const report = JSON.parse(await readFile(file, 'utf8')) as Report | { readonly schema: unknown };
  if (report.schema !== reportSchema) throw new Error(`the report has schema ${String(report.schema)}`);
  return report as Report;
}
