// A gist that was edited, or came from elsewhere, flows in; it is run against its test and what was found out becomes its report.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Report } from '../model/report.js';
import type { RunTarget } from '../view/protocol.js';
import { survivingLines } from '../view/survivingLines.js';
import { pickWorkspaceTest } from './chooseTest.js';
import type { GistDocuments } from './gistDocuments.js';
import { gistOf, stalenessOf } from './gistsView.js';
import { runForTest, saveFile } from './makeGist.js';
import type { Running } from './runCommand.js';
import { guarded } from './runCommand.js';

const t = vscode.l10n.t;

export interface Verifying extends Running {
  readonly documents: GistDocuments;
}

/** The command `gistify.verify`: says whether the gist still behaves as the test does; what it was edited to can be undone. */
export async function verifyCommand(given: unknown, verifying: Verifying): Promise<void> {
  const gist = gistOf(given);
  await guarded(verifying, async () => {
    const known = gist === undefined ? null : await knownReport(gist, verifying);
    if (gist === undefined || known === null) {
      verifying.reporter.warn(t('Gistify: this file is no gist with a report.'));
      return;
    }
    const { repo, nodeId } = known.task;
    const report = await verify(gist, { repo, nodeId }, known, verifying);
    if (report === null) return;
    if (report.verified) {
      const say = t('The gist behaves as the test does.');
      vscode.window.setStatusBarMessage(`$(verified) ${say}`, 5000);
      verifying.reporter.log.info(say);
      return;
    }
    offerUndo(gist, report, verifying);
  });
}

/** The command `gistify.findReport`: a gist that lies anywhere, by whomever, gets the report that it lacks. */
export async function findReportCommand(verifying: Verifying): Promise<void> {
  await guarded(verifying, async () => {
    const document = vscode.window.activeTextEditor?.document;
    if (document === undefined) return;
    if ((await verifying.documents.follow(document)) !== null) return;
    const target = await pickWorkspaceTest(verifying);
    if (target !== null) await verify(document.uri, target, null, verifying);
  });
}

async function knownReport(gist: vscode.Uri, { documents, store }: Verifying): Promise<Report | null> {
  return documents.get(gist)?.report ?? (await store.read(gist));
}

function offerUndo(gist: vscode.Uri, report: Report, { reporter }: Verifying): void {
  const why = report.score.problems[0] ?? t('its outcome differs');
  const message = t('Gistify: this gist does not behave as the test does ({0}).', why);
  const undo = t('Undo the Edit');
  reporter.log.warn(message);
  const shown = vscode.window.showWarningMessage(message, undo);
  void shown.then(async (answer) => {
    if (answer !== undo) return;
    await vscode.window.showTextDocument(gist);
    await vscode.commands.executeCommand('undo');
    await saveFile(gist.fsPath);
    await vscode.commands.executeCommand('gistify.verify', gist);
  });
}

/** Runs the file against the test; null where that was cancelled or could not be done, which has been said. */
async function verify(
  gist: vscode.Uri,
  target: RunTarget,
  known: Report | null,
  verifying: Verifying,
): Promise<Report | null> {
  const { queue, store, documents } = verifying;
  await saveFile(gist.fsPath);
  let report: Report | null = null;
  const folder = await mkdtemp(path.join(os.tmpdir(), 'gistify-verify-'));
  try {
    const out = path.join(folder, 'report.json');
    const args = ['score', gist.fsPath, '--node', target.nodeId, '--report', out];
    const rest = known === null || known.task.pytestArgs.length === 0 ? [] : ['--', ...known.task.pytestArgs];
    const title = t('Verify {0}', path.basename(gist.fsPath));
    await queue.run(`verify\0${gist.toString()}`, title, async (signal, progress) => {
      if (!(await runForTest([...args, ...rest], target, signal, progress, verifying))) return;
      const found = JSON.parse(await readFile(out, 'utf8')) as Report;
      const merged = known === null ? found : await merge(gist, known, found, verifying);
      report = { ...merged, gist: { ...found.gist, file: gist.fsPath } };
      await store.setReport(gist, report);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const made = report as Report | null;
  if (made === null) return null;
  await documents.adopt(await vscode.workspace.openTextDocument(gist), made);
  return made;
}

/** What only the making of the gist could know (layout, why a line was added) holds for the lines that are as they were. */
async function merge(gist: vscode.Uri, known: Report, found: Report, { store }: Verifying): Promise<Report> {
  const kept = (await stalenessOf(gist, store)).length === 0;
  const survivors = survivingLines(known.gist.text, found.gist.text);
  const lines = found.lines.map((line, index) => {
    const before = known.lines[(survivors[index] ?? 0) - 1];
    return kept && before !== undefined ? { ...line, origin: before.origin } : line;
  });
  return { ...known, ...found, task: known.task, layout: known.layout, timings: known.timings, lines };
}
