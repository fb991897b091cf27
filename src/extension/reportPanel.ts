// The report of a gist flows into a webview beside it; a click on a place of the codebase flows back and opens it.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { testSelector } from '../base/testSelector.js';
import type { Report } from '../model/report.js';
import { reportPage } from '../report/reportPage.js';
import { commands, type OriginTarget } from '../view/protocol.js';
import type { GistDocuments } from './gistDocuments.js';
import type { GistStore } from './gistStore.js';
import { gistOf } from './gistsView.js';
import type { Reporter } from './log.js';

const t = vscode.l10n.t;

export interface ReportPanels {
  dispose(): void;
  /** The command `gistify.showReport`: of a node of the tree, a file, or the gist that is looked at. */
  show(given: unknown): Promise<void>;
  /** The pages that are shown, by title, for tests. */
  pages(): ReadonlyMap<string, string>;
}

export function createReportPanels(
  extension: vscode.Uri,
  documents: GistDocuments,
  store: GistStore,
  reporter: Reporter,
): ReportPanels {
  const panels = new Map<string, vscode.WebviewPanel>();
  const media = vscode.Uri.joinPath(extension, 'dist', 'webview');

  const fill = (panel: vscode.WebviewPanel, report: Report): void => {
    const script = panel.webview.asWebviewUri(vscode.Uri.joinPath(media, 'report.js')).toString();
    const nonce = randomBytes(16).toString('hex');
    panel.webview.html = reportPage(report, { t, language: vscode.env.language, nonce, script });
  };

  const open = (gist: vscode.Uri, report: Report): vscode.WebviewPanel => {
    const name = testSelector(report.task.nodeId);
    const title = t('Report: {0}', name);
    const column = { viewColumn: vscode.ViewColumn.Active, preserveFocus: false };
    const options = { enableScripts: true, localResourceRoots: [media], enableFindWidget: true };
    const panel = vscode.window.createWebviewPanel('gistify.report', title, column, options);
    panel.webview.onDidReceiveMessage(async (message: Pick<OriginTarget, 'file' | 'line'>) => {
      const target: OriginTarget = {
        repo: report.task.repo,
        file: message.file,
        line: Math.max(1, message.line),
      };
      await vscode.commands.executeCommand(commands.openOrigin, target);
    });
    panel.onDidDispose(() => panels.delete(gist.toString()));
    panels.set(gist.toString(), panel);
    return panel;
  };

  const listener = documents.onDidChange((uri) => {
    const panel = panels.get(uri.toString());
    const report = documents.get(uri)?.report;
    if (panel !== undefined && report !== undefined) fill(panel, report);
  });

  return {
    async show(given) {
      const gist = gistOf(given);
      const report = gist === undefined ? null : (documents.get(gist)?.report ?? (await store.read(gist)));
      if (gist === undefined || report === null) {
        reporter.warn(t('Gistify: this file is no gist with a report.'));
        return;
      }
      const known = panels.get(gist.toString());
      known?.reveal();
      fill(known ?? open(gist, report), report);
    },
    pages: () => new Map([...panels.values()].map(({ title, webview }) => [title, webview.html])),
    dispose() {
      listener.dispose();
      for (const panel of panels.values()) panel.dispose();
    },
  };
}
