// A request of another program (a chat, an agent's tool) flows in, a Report flows out, or an Error with words that it can act
// on: in its own turn of the queue, and without opening anything.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { testSelector } from '../base/testSelector.js';
import type { Report } from '../model/report.js';
import type { RunTarget } from '../view/protocol.js';
import { runForTest, type Making } from './makeGist.js';
import { settingsFor } from './settings.js';

const t = vscode.l10n.t;

/** Whoever waits for the answer. */
export interface Caller {
  readonly token: vscode.CancellationToken;
  progress(message: string): void;
}

/** Makes the gist of a test, which the view of gists then has. */
export async function makeQuietly(
  target: RunTarget,
  caller: Caller,
  making: Making,
): Promise<{ readonly gist: vscode.Uri; readonly report: Report }> {
  const { layout } = settingsFor(vscode.Uri.file(target.repo));
  return inTurn(target, caller, making, async (run) => {
    const made = await making.store.placeForNew(target);
    await run(['run', target.nodeId, '--out', made.gist.fsPath, '--report', made.report, '--layout', layout]);
    return making.store.keep(made, { target, args: [] });
  });
}

/** Scores a text as a gist of a test; nothing of it is kept. */
export async function scoreQuietly(
  target: RunTarget,
  text: string,
  caller: Caller,
  making: Making,
): Promise<Report> {
  return inTurn(target, caller, making, async (run) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'gistify-tool-'));
    try {
      const report = path.join(folder, 'report.json');
      const file = path.join(folder, 'concise.py');
      await writeFile(file, text);
      await run(['score', file, '--node', target.nodeId, '--report', report]);
      return JSON.parse(await readFile(report, 'utf8')) as Report;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

/** Does the work when its turn has come; whoever asked may cancel it, and so may the user. */
async function inTurn<T>(
  target: RunTarget,
  caller: Caller,
  making: Making,
  work: (run: (args: readonly string[]) => Promise<void>) => Promise<T>,
): Promise<T> {
  const { queue, reporter } = making;
  if (!vscode.workspace.isTrusted)
    throw new Error(t('Gistify runs the test to see what it executes, so it needs a trusted workspace.'));
  const name = testSelector(target.nodeId);
  const key = `${target.repo}\0${target.nodeId}`;
  if (queue.jobs.has(key)) throw new Error(t('Gistify: {0} is being gistified already.', name));
  const faults: string[] = [];
  const quiet = { ...reporter, fail: (message: string) => void faults.push(message) };
  const outcome: { result?: T } = {};
  const listener = caller.token.onCancellationRequested(() => queue.jobs.get(key)?.controller.abort());
  try {
    await queue.run(key, `Gistify ${name}`, async (signal, progress) => {
      const told = {
        report(step: { message?: string; increment?: number }) {
          progress.report(step);
          if (step.message !== undefined) caller.progress(step.message);
        },
      };
      outcome.result = await work(async (args) => {
        const done = await runForTest(args, target, signal, told, { ...making, reporter: quiet });
        if (signal.aborted) throw new vscode.CancellationError();
        if (!done) throw new Error(faults.join('\n'));
      });
    });
  } finally {
    listener.dispose();
  }
  // Cancelled while it waited for its turn.
  if (outcome.result === undefined) throw new vscode.CancellationError();
  return outcome.result;
}

/** The codebase that a request without one means: the folder of the workspace that holds the test's file. */
export async function targetOf(nodeId: string, repo: string | undefined): Promise<RunTarget> {
  const [file = '', ...names] = nodeId.split('::');
  if (file === '' || names.length === 0 || names.includes(''))
    throw new Error(
      `${JSON.stringify(nodeId)} is no node id of one test: it reads path/to/test_file.py::test_name, relative to the codebase.`,
    );
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const places = repo === undefined ? folders.map(({ uri }) => uri.fsPath) : [repo];
  for (const place of places) {
    const found = await vscode.workspace.fs.stat(vscode.Uri.file(path.join(place, file))).then(
      () => true,
      () => false,
    );
    if (found) return { repo: place, nodeId };
  }
  const where = places.length === 0 ? 'this window, which has no folder open' : places.join(', ');
  throw new Error(`There is no file ${file} in ${where}.`);
}
