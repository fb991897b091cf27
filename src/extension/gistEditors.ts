// Gists flow in; decorations, the status item and the menus' context follow whichever editors show them.
import path from 'node:path';
import * as vscode from 'vscode';
import type { Report } from '../model/report.js';
import { originTarget } from '../view/lineHover.js';
import type { OriginTarget } from '../view/protocol.js';
import { scoreStatus } from '../view/scoreStatus.js';
import { commands } from '../view/protocol.js';
import { createDecorator, type DecorationCounts } from './decorations.js';
import type { GistDocuments } from './gistDocuments.js';
import { settingsFor } from './settings.js';

export interface GistEditors {
  dispose(): void;
  /** Shows the gist beside the active editor, with its overlays. */
  show(gist: vscode.Uri, report: Report): Promise<vscode.TextEditor>;
  reportOf(gist: vscode.Uri): Report | null;
  /** What is decorated in the visible editors of the gist. */
  countsOf(gist: vscode.Uri): DecorationCounts | null;
  /** Where the line at the cursor comes from. */
  originAt(editor: vscode.TextEditor): OriginTarget | null;
}

/** Follows the editors until disposed. */
export function createGistEditors(documents: GistDocuments): GistEditors {
  const decorator = createDecorator();
  const status = createStatus();
  const counts = new Map<string, DecorationCounts>();

  const decorate = (editor: vscode.TextEditor): void => {
    const gist = documents.get(editor.document.uri);
    if (gist === null) return;
    const { highlight } = settingsFor(editor.document.uri);
    const applied = decorator.apply(editor, gist.overlay, documents.survivors(gist), highlight);
    counts.set(editor.document.uri.toString(), applied);
  };

  const follow = async (editor: vscode.TextEditor): Promise<void> => {
    await documents.follow(editor.document);
    decorate(editor);
  };

  const activate = async (editor: vscode.TextEditor | undefined): Promise<void> => {
    if (editor !== undefined) await follow(editor);
    const report = editor === undefined ? null : (documents.get(editor.document.uri)?.report ?? null);
    status.show(report, editor?.document.uri);
    await vscode.commands.executeCommand('setContext', 'gistify.inGist', report !== null);
  };

  const visible = (uri?: vscode.Uri): readonly vscode.TextEditor[] =>
    vscode.window.visibleTextEditors.filter(
      ({ document }) => uri === undefined || document.uri.toString() === uri.toString(),
    );

  const listeners = [
    vscode.window.onDidChangeActiveTextEditor(activate),
    vscode.window.onDidChangeVisibleTextEditors((editors) => {
      for (const editor of editors) void follow(editor);
    }),
    documents.onDidChange((uri) => {
      if (documents.get(uri) === null) counts.delete(uri.toString());
      for (const editor of visible(uri)) decorate(editor);
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('gistify.highlight')) for (const editor of visible()) decorate(editor);
    }),
  ];
  for (const editor of visible()) void follow(editor);
  void activate(vscode.window.activeTextEditor);

  return {
    async show(gist, report) {
      const document = await vscode.workspace.openTextDocument(gist);
      const editor = await vscode.window.showTextDocument(document, {
        viewColumn: columnOf(gist) ?? vscode.ViewColumn.Beside,
        preview: false,
      });
      // A document that was open already is read again only when VS Code notices the new file.
      if (document.getText() !== report.gist.text)
        await vscode.commands.executeCommand('workbench.action.files.revert');
      await documents.adopt(document, report);
      await activate(editor);
      return editor;
    },
    reportOf: (gist) => documents.get(gist)?.report ?? null,
    countsOf: (gist) => counts.get(gist.toString()) ?? null,
    originAt(editor) {
      const gist = documents.get(editor.document.uri);
      if (gist === null) return null;
      return originTarget(gist.report, documents.survivors(gist)[editor.selection.active.line] ?? 0);
    },
    dispose() {
      for (const each of [...listeners, status, decorator]) each.dispose();
    },
  };
}

/** The column that shows the file already, so that a second run does not open it twice. */
function columnOf(uri: vscode.Uri): vscode.ViewColumn | undefined {
  const shows = (tab: vscode.Tab): boolean =>
    tab.input instanceof vscode.TabInputText && tab.input.uri.toString() === uri.toString();
  return vscode.window.tabGroups.all.find((group) => group.tabs.some(shows))?.viewColumn;
}

function fileOnly(file: vscode.Uri): vscode.RelativePattern {
  return new vscode.RelativePattern(vscode.Uri.joinPath(file, '..'), path.basename(file.fsPath));
}

/** The scores of the gist that is looked at, in the language status of that file alone. */
function createStatus(): {
  show(report: Report | null, gist: vscode.Uri | undefined): void;
  dispose(): void;
} {
  const item = vscode.languages.createLanguageStatusItem('gistify.scores', []);
  item.name = vscode.l10n.t('Gistify scores');
  item.command = { command: commands.showReport, title: vscode.l10n.t('Report') };
  return {
    show(report, gist) {
      item.selector =
        report === null || gist === undefined ? [] : { scheme: gist.scheme, pattern: fileOnly(gist) };
      if (report === null) return;
      const { text, detail, severity } = scoreStatus(report, vscode.l10n.t);
      item.text = `$(${severity === 'info' ? 'verified' : 'warning'}) ${text}`;
      item.detail = detail;
      item.severity =
        severity === 'info'
          ? vscode.LanguageStatusSeverity.Information
          : vscode.LanguageStatusSeverity.Warning;
    },
    dispose() {
      item.dispose();
    },
  };
}
