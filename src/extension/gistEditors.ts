// Reports flow in by document; decorations, the status item, the hovers' server and the menus' context follow whichever editors show them.
// A gist that is opened again later, also in another session, gets its report from the store.
import * as vscode from 'vscode';
import type { Report } from '../model/report.js';
import { originTarget } from '../view/lineHover.js';
import { overlayOf, type Overlay } from '../view/overlay.js';
import type { OriginTarget } from '../view/protocol.js';
import { scoreStatus } from '../view/scoreStatus.js';
import { survivingLines } from '../view/survivingLines.js';
import { commands } from '../view/protocol.js';
import { createDecorator, type DecorationCounts } from './decorations.js';
import type { GistStore } from './gistStore.js';
import type { Server } from './languageClient.js';
import { settingsFor } from './settings.js';

export interface GistEditors {
  dispose(): void;
  /** Shows the gist beside the active editor, with its overlays. */
  show(gist: vscode.Uri, report: Report): Promise<void>;
  reportOf(gist: vscode.Uri): Report | null;
  /** What is decorated in the visible editors of the gist. */
  countsOf(gist: vscode.Uri): DecorationCounts | null;
  /** Where the line at the cursor comes from. */
  originAt(editor: vscode.TextEditor): OriginTarget | null;
}

interface Shown {
  readonly report: Report;
  readonly overlay: Overlay;
}

/** Follows the editors until disposed. */
export function createGistEditors(store: GistStore, server: Server): GistEditors {
  const decorator = createDecorator();
  const status = createStatus(store.root);
  const shown = new Map<string, Shown>();
  const counts = new Map<string, DecorationCounts>();

  const survivorsOf = (document: vscode.TextDocument, report: Report): readonly number[] =>
    survivingLines(report.gist.text, document.getText());

  const decorate = (editor: vscode.TextEditor): void => {
    const key = editor.document.uri.toString();
    const gist = shown.get(key);
    if (gist === undefined) return;
    const survivors = survivorsOf(editor.document, gist.report);
    const { highlight } = settingsFor(editor.document.uri);
    counts.set(key, decorator.apply(editor, gist.overlay, survivors, highlight));
  };

  const adopt = async (document: vscode.TextDocument, report: Report): Promise<void> => {
    shown.set(document.uri.toString(), { report, overlay: overlayOf(report) });
    await server.report(document, report);
  };

  const follow = async (editor: vscode.TextEditor): Promise<void> => {
    const { document } = editor;
    if (!shown.has(document.uri.toString())) {
      const report = await store.read(document.uri);
      if (report !== null) await adopt(document, report);
    }
    decorate(editor);
  };

  const activate = async (editor: vscode.TextEditor | undefined): Promise<void> => {
    if (editor !== undefined) await follow(editor);
    const report = shown.get(editor?.document.uri.toString() ?? '')?.report ?? null;
    if (report !== null) status.show(report);
    await vscode.commands.executeCommand('setContext', 'gistify.inGist', report !== null);
  };

  const visible = (document?: vscode.TextDocument): readonly vscode.TextEditor[] =>
    vscode.window.visibleTextEditors.filter(
      (editor) => document === undefined || editor.document === document,
    );

  const listeners = [
    vscode.window.onDidChangeActiveTextEditor(activate),
    vscode.window.onDidChangeVisibleTextEditors((editors) => {
      for (const editor of editors) void follow(editor);
    }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      for (const editor of visible(document)) decorate(editor);
    }),
    vscode.workspace.onDidCloseTextDocument((document) => {
      if (shown.delete(document.uri.toString())) void server.report(document, null);
      counts.delete(document.uri.toString());
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
      await vscode.commands.executeCommand('workbench.action.files.setActiveEditorReadonlyInSession');
      await adopt(document, report);
      await activate(editor);
    },
    reportOf: (gist) => shown.get(gist.toString())?.report ?? null,
    countsOf: (gist) => counts.get(gist.toString()) ?? null,
    originAt(editor) {
      const report = shown.get(editor.document.uri.toString())?.report;
      if (report === undefined) return null;
      return originTarget(report, survivorsOf(editor.document, report)[editor.selection.active.line] ?? 0);
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

/** The scores of the gist that is looked at, in the language status of gists alone. */
function createStatus(root: vscode.Uri): { show(report: Report): void; dispose(): void } {
  const selector: vscode.DocumentSelector = {
    language: 'python',
    scheme: 'file',
    pattern: new vscode.RelativePattern(root, '**/*.py'),
  };
  const item = vscode.languages.createLanguageStatusItem('gistify.scores', selector);
  item.name = 'Gistify scores';
  item.command = { command: commands.showLog, title: 'Show log' };
  return {
    show(report) {
      const { text, detail, severity } = scoreStatus(report);
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
