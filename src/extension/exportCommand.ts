// A gist flows in; a draft of what would leave this machine flows out, to be looked at: masked, verified as it is, and exactly
// the text that its lenses then save, copy or send. Nothing leaves without one of them.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { testSelector } from '../base/testSelector.js';
import { exitStatus } from '../base/gistifyError.js';
import type { Exported } from '../engine/exportGist.js';
import type { Report } from '../model/report.js';
import { faultMessage } from '../view/faultMessage.js';
import { commands } from '../view/protocol.js';
import { chooseTest } from './chooseTest.js';
import type { ExportDrafts, ExportForm, ExportRequest } from './exportDrafts.js';
import { gistOf } from './gistsView.js';
import { makeGist, runCommandLine } from './makeGist.js';
import { guarded } from './runCommand.js';
import type { Verifying } from './verifyGist.js';

const t = vscode.l10n.t;

export interface Exporting extends Verifying {
  readonly drafts: ExportDrafts;
}

/** The command `gistify.export`: of the gist that is looked at or was pointed at; the form may be handed over. */
export async function exportCommand(given: readonly unknown[], exporting: Exporting): Promise<void> {
  await guarded(exporting, async () => {
    const gist = gistOf(given[0]);
    const named = given.find((one): one is ExportForm => one === 'py' || one === 'md' || one === 'zip');
    if (gist === undefined || (await currentReport(gist, exporting)) === null) {
      exporting.reporter.warn(t('Gistify: this file is no gist with a report.'));
      return;
    }
    const form = named ?? (await pickForm());
    if (form !== null) await draftExport({ gist, form, secrets: 'mask' }, exporting);
  });
}

/** The command `gistify.minimalRepro`: the smallest gist of the test that keeps its outcome. */
export async function minimalReproCommand(given: readonly unknown[], exporting: Exporting): Promise<void> {
  await guarded(exporting, async () => {
    const gist = gistOf(given[0]);
    const task = gist === undefined ? undefined : (await currentReport(gist, exporting))?.task;
    const target =
      task === undefined ? await chooseTest(given, exporting) : { repo: task.repo, nodeId: task.nodeId };
    if (target === null) return;
    const request = { target, args: ['--reduce', 'minimal'] };
    await exporting.recent.add(request);
    await makeGist(request, exporting);
  });
}

/** Makes the draft and shows it; a draft of the same gist and form takes the place of the last one. */
export async function draftExport(request: ExportRequest, exporting: Exporting): Promise<void> {
  const { gist } = request;
  const { queue, drafts, documents } = exporting;
  // What was edited since is verified first: an export holds what stands in the editor.
  const open = documents.get(gist);
  if (open !== null && open.document.getText() !== open.report.gist.text)
    await vscode.commands.executeCommand(commands.verify, gist);
  const report = await currentReport(gist, exporting);
  if (report === null) return;
  const name = testSelector(report.task.nodeId);
  await queue.run(`export\0${gist.toString()}`, t('Export {0}', name), async (signal, progress) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'gistify-export-'));
    try {
      const files = { report: path.join(folder, 'report.json'), out: path.join(folder, 'repro.json') };
      await writeFile(files.report, JSON.stringify(report));
      const args = ['export', gist.fsPath, '--report', files.report, '--as', 'json', '--out', files.out];
      const all = [...args, '--secrets', request.secrets];
      const { status, said } = await runCommandLine(all, report.task.repo, signal, progress, exporting);
      if (signal.aborted || status === exitStatus.cancelled) return;
      if (status !== exitStatus.verified) {
        exporting.reporter.fail(faultMessage(said, status, t));
        return;
      }
      const exported = JSON.parse(await readFile(files.out, 'utf8')) as Exported;
      await drafts.show(request, exported);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

async function currentReport(gist: vscode.Uri, { documents, store }: Exporting): Promise<Report | null> {
  return documents.get(gist)?.report ?? (await store.read(gist));
}

async function pickForm(): Promise<ExportForm | null> {
  const items: readonly (vscode.QuickPickItem & { readonly form: ExportForm })[] = [
    { label: t('Python file'), description: t('runs anywhere, with its packages pinned'), form: 'py' },
    { label: t('Issue'), description: t('steps, code, traceback and versions in Markdown'), form: 'md' },
    { label: t('Archive'), description: t('both, with copies of small data files'), form: 'zip' },
  ];
  const placeHolder = t('In which form? You see what it holds before it goes anywhere.');
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.form ?? null;
}
