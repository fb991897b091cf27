// A request for one gist flows in; the engine runs as a process of its own, and the gist is in the store and on screen, or there is one clear message.
import { existsSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { testSelector } from '../base/testSelector.js';
import { exitStatus } from '../base/gistifyError.js';
import type { Report } from '../model/report.js';
import { faultMessage } from '../view/faultMessage.js';
import type { RunTarget } from '../view/protocol.js';
import { runEngine, type EngineEnd, type EngineHost } from './engineProcess.js';
import type { GistEditors } from './gistEditors.js';
import type { GistStore } from './gistStore.js';
import { askForMore } from './askForMore.js';
import { interpreterFor } from './interpreter.js';
import type { Reporter } from './log.js';
import type { RunRequest } from './recentRuns.js';
import type { Progress, RunQueue } from './runQueue.js';
import { settingsFor } from './settings.js';

const t = vscode.l10n.t;

export interface Making {
  /** Absolute path of the bundled command line. */
  readonly cli: string;
  readonly store: GistStore;
  readonly editors: GistEditors;
  readonly reporter: Reporter;
  readonly queue: RunQueue;
  /** What answers one run's engine: language models and keys where an agent asks for them. */
  readonly listen: () => EngineHost['hear'];
}

/** Makes the gist when its turn has come. */
export async function makeGist(request: RunRequest, making: Making): Promise<void> {
  const { target } = request;
  const { queue, reporter } = making;
  const key = `${target.repo}\0${target.nodeId}`;
  const name = testSelector(target.nodeId);
  if (queue.jobs.has(key)) {
    reporter.warn(t('Gistify: {0} is being gistified already.', name));
    return;
  }
  await queue.run(key, `Gistify ${name}`, async (signal, progress) => {
    await produce(request, signal, progress, making);
  });
}

async function produce(
  request: RunRequest,
  signal: AbortSignal,
  progress: Progress,
  making: Making,
): Promise<void> {
  const { store, editors, reporter } = making;
  const { target } = request;
  // Unsaved text would give a gist of what is no longer on the screen.
  await saveFile(path.join(target.repo, fileOf(target)));
  const made = await store.placeForNew(target);
  const { layout, reduce } = settingsFor(vscode.Uri.file(target.repo));
  const place = ['--out', made.gist.fsPath, '--report', made.report];
  const args = ['run', target.nodeId, ...place, '--layout', layout, '--reduce', reduce];
  if (!(await runForTest([...args, ...request.args], target, signal, progress, making))) return;
  if (!existsSync(made.report)) {
    reporter.warn(t('Gistify: the agent left no file. Its steps in the output “Gistify Agent” say why.'));
    return;
  }
  const { gist, report } = await store.keep(made, request);
  await editors.show(gist, report);
  if (!report.verified) reporter.warn(notVerified(report));
}

function notVerified(report: Report): string {
  return t(
    'Gistify: this gist does not behave as the test does ({0}).',
    report.score.problems[0] ?? t('its outcome differs'),
  );
}

function fileOf({ nodeId }: RunTarget): string {
  return nodeId.split('::')[0] ?? '';
}

/** Saves a file that is open and was changed. */
export async function saveFile(file: string): Promise<void> {
  const document = vscode.workspace.textDocuments.find(
    ({ uri }) => uri.scheme === 'file' && uri.fsPath === file,
  );
  if (document?.isDirty === true) await document.save();
}

/**
 * Runs the command line for a test, with the codebase, the interpreter and the limits that hold for it.
 * @returns whether it made what it was asked for; where not, it was cancelled or the fault has been shown
 */
export async function runForTest(
  args: readonly string[],
  target: RunTarget,
  signal: AbortSignal,
  progress: Progress,
  { cli, reporter, listen }: Pick<Making, 'cli' | 'reporter' | 'listen'>,
): Promise<boolean> {
  const file = vscode.Uri.file(path.join(target.repo, fileOf(target)));
  const settings = settingsFor(file);
  const found = await pythonFor(target);
  // A container has an interpreter of its own.
  const here = settings.sandbox === 'local' || settings.sandbox === 'auto';
  if (found === null && here) {
    reporter.fail(
      t(
        'Gistify found no Python. Choose one with the Python extension or in the setting gistify.pythonPath.',
      ),
    );
    return false;
  }
  // What is given last holds: further arguments may say otherwise.
  const [command = '', ...rest] = args;
  const all = [
    ...[command, '--repo', target.repo, '--timeout', String(settings.timeout)],
    ...['--sandbox', settings.sandbox, ...(found === null || !here ? [] : ['--python', found.python])],
    ...rest,
  ];
  reporter.log.info(`Python from ${found?.source ?? 'the container'}.`);
  const end = await runCommandLine(all, target.repo, signal, progress, { cli, reporter, listen });
  // A reduction that is cancelled ends well, with the smallest so far.
  const endsWell = end.status === exitStatus.verified && args.includes('minimal');
  if ((signal.aborted && !endsWell) || end.status === exitStatus.cancelled) return false;
  if (end.status === exitStatus.verified || end.status === exitStatus.unverified) return true;
  const more = await askForMore(end.said);
  if (more !== null)
    return runForTest([...args, ...more], target, signal, progress, { cli, reporter, listen });
  reporter.fail(faultMessage(end.said, end.status, t));
  return false;
}

/** Runs the command line as it is given; what it says goes into the log. */
export async function runCommandLine(
  args: readonly string[],
  cwd: string,
  signal: AbortSignal,
  progress: Progress,
  { cli, reporter, listen }: Pick<Making, 'cli' | 'reporter' | 'listen'>,
): Promise<EngineEnd> {
  reporter.log.info(`gistify ${args.join(' ')}`);
  let reached = 0;
  const end = await runEngine(cli, args, cwd, {
    signal,
    hear: listen(),
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
  return end;
}

/** The interpreter that runs the tests of the codebase. */
export async function pythonFor(target: RunTarget): ReturnType<typeof interpreterFor> {
  const file = vscode.Uri.file(path.join(target.repo, fileOf(target)));
  const folder = vscode.workspace.getWorkspaceFolder(file)?.uri.fsPath ?? target.repo;
  return interpreterFor(file, [...new Set([folder, target.repo])], settingsFor(file).pythonPath);
}
