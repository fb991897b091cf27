// An open gist flows in, lenses above its test flow out: run it, debug it, see its report, compare it, export it.
import * as vscode from 'vscode';
import { commands } from '../view/protocol.js';
import type { GistDocuments } from './gistDocuments.js';
import { testLine } from './gistTests.js';
import { settingsFor } from './settings.js';

const t = vscode.l10n.t;

export function registerGistLenses(documents: GistDocuments): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changed.event,
    async provideCodeLenses(document) {
      const gist = await documents.follow(document);
      if (gist === null || !settingsFor(document.uri).lensesInGists) return [];
      const row = documents.survivors(gist).indexOf(testLine(gist.report));
      if (row === -1) return [];
      const range = new vscode.Range(row, 0, row, 0);
      const lens = (title: string, command: string): vscode.CodeLens =>
        new vscode.CodeLens(range, { title, command, arguments: [document.uri] });
      return [
        lens(`$(play) ${t('Run')}`, commands.runGist),
        lens(`$(debug-alt) ${t('Debug')}`, commands.debugGist),
        lens(`$(graph) ${t('Report')}`, commands.showReport),
        lens(`$(diff) ${t('Compare…')}`, commands.compareRuns),
        ...(gist.report.task.reduce === 'minimal'
          ? []
          : [lens(`$(fold) ${t('Minimal Repro')}`, commands.minimalRepro)]),
        lens(`$(export) ${t('Export…')}`, commands.export),
      ];
    },
  };
  return vscode.Disposable.from(
    changed,
    documents.onDidChange(() => {
      changed.fire();
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('gistify.codeLens')) changed.fire();
    }),
    vscode.languages.registerCodeLensProvider({ language: 'python', scheme: 'file' }, provider),
  );
}
