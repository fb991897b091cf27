// Gists that are open flow in; lines that the codebase lacks or that did not run become problems, with fixes that are verified.
import * as vscode from 'vscode';
import { gistProblems, type GistProblem } from '../view/gistProblems.js';
import { commands } from '../view/protocol.js';
import type { GistDocument, GistDocuments } from './gistDocuments.js';
import type { Server } from './languageClient.js';
import { settingsFor } from './settings.js';

const t = vscode.l10n.t;
const source = 'Gistify';

/** Keeps the problems of open gists until disposed. */
export function createGistDiagnostics(documents: GistDocuments, server: Server): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('gistify');
  const update = (uri: vscode.Uri): void => {
    const gist = documents.get(uri);
    const wanted = gist !== null && settingsFor(uri).diagnostics;
    collection.set(uri, wanted ? problemsOf(gist, documents).map(({ diagnostic }) => diagnostic) : undefined);
  };
  const provider: vscode.CodeActionProvider = {
    async provideCodeActions(document, range) {
      const gist = documents.get(document.uri);
      if (gist === null) return [];
      const here = problemsOf(gist, documents).filter(({ diagnostic }) =>
        diagnostic.range.intersection(range),
      );
      return (await Promise.all(here.map(async (problem) => fixesOf(document, problem, server)))).flat();
    },
  };
  const listeners = [
    collection,
    documents.onDidChange(update),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('gistify.diagnostics'))
        for (const { document } of documents.all()) update(document.uri);
    }),
    vscode.languages.registerCodeActionsProvider({ language: 'python', scheme: 'file' }, provider, {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    }),
  ];
  return vscode.Disposable.from(...listeners);
}

interface Placed {
  readonly problem: GistProblem;
  readonly diagnostic: vscode.Diagnostic;
}

/** The problems of the lines that are still the gist's. */
function problemsOf(gist: GistDocument, documents: GistDocuments): readonly Placed[] {
  const rows = new Map(documents.survivors(gist).map((line, row) => [line, row]));
  return gistProblems(gist.report, t).flatMap((problem) => {
    const row = rows.get(problem.line);
    if (row === undefined || row >= gist.document.lineCount) return [];
    const line = gist.document.lineAt(row);
    const range = new vscode.Range(row, line.firstNonWhitespaceCharacterIndex, row, line.text.length);
    const { Information, Hint } = vscode.DiagnosticSeverity;
    const diagnostic = new vscode.Diagnostic(
      range,
      problem.message,
      problem.kind === 'invented' ? Information : Hint,
    );
    diagnostic.source = source;
    diagnostic.code = problem.kind;
    if (problem.kind === 'unexecuted') diagnostic.tags = [vscode.DiagnosticTag.Unnecessary];
    return [{ problem, diagnostic }];
  });
}

async function fixesOf(
  document: vscode.TextDocument,
  { problem, diagnostic }: Placed,
  server: Server,
): Promise<readonly vscode.CodeAction[]> {
  const fixes: vscode.CodeAction[] = [];
  const add = (title: string, edit: vscode.WorkspaceEdit, preferred: boolean): void => {
    const fix = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    fix.edit = edit;
    fix.diagnostics = [diagnostic];
    fix.isPreferred = preferred;
    // Runs when the edit is done: an edit of a gist is worth what its verification says.
    fix.command = { command: commands.verify, title: t('Verify Gist'), arguments: [document.uri] };
    fixes.push(fix);
  };
  if (problem.nearest !== null) {
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, diagnostic.range, problem.nearest);
    add(t('Put the original line in its place: {0}', problem.nearest), edit, true);
  }
  const removal = await server.removal(document.uri, diagnostic.range.start.line);
  if (removal !== null) {
    const edit = new vscode.WorkspaceEdit();
    const { firstRow, lastRow, text } = removal;
    const rows = new vscode.Range(firstRow, 0, lastRow + 1, 0);
    edit.replace(document.uri, rows, text === null ? '' : `${text}\n`);
    add(t('Remove the statement and verify'), edit, problem.nearest === null);
  }
  return fixes;
}
