// Gists that are open flow in; the lines of the codebase that they use get a light mark, and `Show in Gist` leads back from them.
import path from 'node:path';
import * as vscode from 'vscode';
import type { Report } from '../model/report.js';
import { lineMoves } from '../view/lineMoves.js';
import type { GistDocuments } from './gistDocuments.js';
import { isOfWorkspace } from './gistsView.js';
import type { GistEditors } from './gistEditors.js';
import type { GistStore } from './gistStore.js';
import type { Reporter } from './log.js';
import { settingsFor } from './settings.js';

const t = vscode.l10n.t;

export interface CodebaseMarks {
  dispose(): void;
  /** The lines (1-based) that are marked in the visible editors of a file. */
  markedLines(file: vscode.Uri): readonly number[];
  /** The command `gistify.showInGist`: the line at the cursor in the gist, or in one of the gists, that use it. */
  showInGist(): Promise<void>;
}

interface Use {
  readonly gist: vscode.Uri;
  readonly report: Report;
  /** 1-based line of the gist. */
  readonly gistLine: number;
  /** 1-based line of the codebase's file as it is now. */
  readonly line: number;
}

export function createCodebaseMarks(
  documents: GistDocuments,
  store: GistStore,
  editors: GistEditors,
  reporter: Reporter,
): CodebaseMarks {
  const mark = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    borderStyle: 'dotted',
    borderWidth: '0 0 0 2px',
    borderColor: new vscode.ThemeColor('gistify.usedLine'),
    overviewRulerColor: new vscode.ThemeColor('gistify.usedLine'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
  const marked = new Map<string, readonly number[]>();

  const decorate = async (editor: vscode.TextEditor): Promise<void> => {
    const { document } = editor;
    if (document.languageId !== 'python' || documents.get(document.uri) !== null) return;
    const { codebaseMarks } = settingsFor(document.uri);
    const open = codebaseMarks
      ? documents.all().map((gist) => ({ gist: gist.document.uri, report: gist.report }))
      : [];
    const lines = [...new Set((await usesIn(document, open, store)).map(({ line }) => line))].sort(
      (a, b) => a - b,
    );
    const key = document.uri.toString();
    if (lines.length === 0 && !marked.has(key)) return;
    editor.setDecorations(
      mark,
      lines.map((line) => new vscode.Range(line - 1, 0, line - 1, 0)),
    );
    marked.set(key, lines);
  };
  /** The menus offer to show a line in a gist only in files that some gist is from. */
  const tellMenus = async (): Promise<void> => {
    const gists = (await store.list()).filter(isOfWorkspace);
    const files = gists.flatMap(({ entry }) => entry.files.map((file) => path.join(entry.repo, file)));
    await vscode.commands.executeCommand('setContext', 'gistify.usedFiles', [...new Set(files)]);
  };
  const all = (): void => {
    for (const editor of vscode.window.visibleTextEditors) void decorate(editor);
  };
  let timer: NodeJS.Timeout | undefined;
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(all, 150);
  };
  const listeners = [
    mark,
    documents.onDidChange(soon),
    store.onDidChange(tellMenus),
    vscode.window.onDidChangeVisibleTextEditors(all),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (marked.has(document.uri.toString())) soon();
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('gistify.codebaseMarks')) all();
    }),
  ];

  void tellMenus();

  return {
    markedLines: (file) => marked.get(file.toString()) ?? [],
    async showInGist() {
      const editor = vscode.window.activeTextEditor;
      if (editor === undefined) return;
      const { document, selection } = editor;
      const line = selection.active.line + 1;
      const stored = (await store.list()).filter(isOfWorkspace);
      const reports = await Promise.all(
        stored.map(async ({ gist }) => ({ gist, report: await store.read(gist) })),
      );
      const known = reports.flatMap(({ gist, report }) => (report === null ? [] : [{ gist, report }]));
      const uses = (await usesIn(document, known, store)).filter((use) => use.line === line);
      const use = await pickUse(uses);
      if (use === null) {
        if (uses.length === 0) reporter.warn(t('Gistify: no gist uses this line.'));
        return;
      }
      const shown = await editors.show(use.gist, use.report);
      const position = new vscode.Position(use.gistLine - 1, 0);
      shown.selection = new vscode.Selection(position, position);
      shown.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenter);
    },
    dispose() {
      clearTimeout(timer);
      for (const each of listeners) each.dispose();
    },
  };
}

/** A gist that holds a line several times is led to at the first. */
async function pickUse(uses: readonly Use[]): Promise<Use | null> {
  const byGist = new Map(uses.toReversed().map((use) => [use.gist.toString(), use]));
  const [only, ...others] = byGist.values();
  if (only === undefined || others.length === 0) return only ?? null;
  const items = [...byGist.values()].map((use) => ({
    label: use.report.task.nodeId.split('::').slice(1).join(' › '),
    description: t('line {0}', use.gistLine),
    use,
  }));
  const placeHolder = t('Several gists use this line.');
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.use ?? null;
}

async function usesIn(
  document: vscode.TextDocument,
  gists: readonly { readonly gist: vscode.Uri; readonly report: Report }[],
  store: GistStore,
): Promise<readonly Use[]> {
  const uses: Use[] = [];
  for (const { gist, report } of gists) {
    const file = path.relative(report.task.repo, document.uri.fsPath).split(path.sep).join('/');
    if (!report.lines.some(({ origin }) => origin.kind !== 'added' && origin.file === file)) continue;
    const before = (await store.sources(gist))[file];
    const text = document.getText();
    const moves = before === undefined || before === text ? null : lineMoves(before, text);
    report.lines.forEach(({ origin }, index) => {
      if (origin.kind === 'added' || origin.file !== file) return;
      const line = moves === null ? origin.line : (moves[origin.line - 1] ?? 0);
      if (line !== 0) uses.push({ gist, report, gistLine: index + 1, line });
    });
  }
  return uses;
}
