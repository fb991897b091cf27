// Two texts that belong together flow in (a function and its original, two gists, what two tests run), VS Code's own diff flows out.
import path from 'node:path';
import * as vscode from 'vscode';
import { testSelector } from '../base/testSelector.js';
import type { Report } from '../model/report.js';
import { entryText } from '../view/gistEntry.js';
import { runDifference, runListing } from '../view/runListing.js';
import type { GistDocuments } from './gistDocuments.js';
import { gistOf, isOfWorkspace } from './gistsView.js';
import type { GistStore, StoredGist } from './gistStore.js';
import type { Server } from './languageClient.js';
import type { Reporter } from './log.js';
import { currentText } from './openOrigin.js';

const t = vscode.l10n.t;
const scheme = 'gistify';

export interface Comparing {
  readonly documents: GistDocuments;
  readonly store: GistStore;
  readonly server: Server;
  readonly reporter: Reporter;
}

export interface Comparisons {
  dispose(): void;
  /** The function at the cursor beside its original as the codebase has it. */
  withOriginal(): Promise<void>;
  /** A gist beside an earlier one of the same test. */
  withEarlier(given: unknown): Promise<void>;
  /** What a test runs beside what another runs. */
  runs(given: unknown): Promise<void>;
}

export function createComparisons({ documents, store, server, reporter }: Comparing): Comparisons {
  const texts = new Map<string, string>();
  const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: (uri) => texts.get(uri.toString()) ?? '',
  });
  let made = 0;
  /** A document that exists only to be compared; its name ends so that it is shown as Python. */
  const virtual = (name: string, text: string): vscode.Uri => {
    const uri = vscode.Uri.from({ scheme, path: `/${name}.py`, query: String((made += 1)) });
    texts.set(uri.toString(), text);
    return uri;
  };
  const closed = vscode.workspace.onDidCloseTextDocument(({ uri }) => texts.delete(uri.toString()));
  const diff = async (left: vscode.Uri, right: vscode.Uri, title: string): Promise<void> => {
    await vscode.commands.executeCommand('vscode.diff', left, right, title);
  };
  const storedOf = async (gist: vscode.Uri | undefined): Promise<StoredGist | undefined> => {
    const all = await store.list();
    return all.find((one) => [one, ...one.earlier].some((each) => each.gist.toString() === gist?.toString()));
  };
  const reportOf = async (gist: vscode.Uri): Promise<Report | null> =>
    documents.get(gist)?.report ?? (await store.read(gist));

  return {
    async withOriginal() {
      const editor = vscode.window.activeTextEditor;
      const gist = editor === undefined ? null : documents.get(editor.document.uri);
      if (editor === undefined || gist === null) return;
      const row = editor.selection.active.line;
      const own = (await server.definition(editor.document.uri, row)) ?? { firstRow: row, lastRow: row };
      const survivors = documents.survivors(gist).slice(own.firstRow, own.lastRow + 1);
      const origin = survivors
        .map((line) => gist.report.lines[line - 1]?.origin)
        .find((one) => one !== undefined && one.kind !== 'added');
      if (origin === undefined) {
        reporter.warn(t('Gistify: this line is not from the codebase.'));
        return;
      }
      const uri = vscode.Uri.file(path.join(gist.report.task.repo, origin.file));
      const text = await currentText(uri);
      const theirs = await server.definition(uri, origin.line - 1);
      if (text === null || theirs === null) {
        reporter.warn(t('Gistify: the original of this function is gone from {0}.', origin.file));
        return;
      }
      const original = dedent(text.split(/\r?\n/).slice(theirs.firstRow, theirs.lastRow + 1));
      const mine = dedent(
        editor.document
          .getText()
          .split(/\r?\n/)
          .slice(own.firstRow, own.lastRow + 1),
      );
      const name = /(?:def|class)\s+(\w+)/.exec(mine)?.[1] ?? path.basename(origin.file, '.py');
      const title = t('{0}: {1} ↔ gist', name, `${origin.file}:${theirs.firstRow + 1}`);
      await diff(virtual(`${name} (original)`, original), virtual(`${name} (gist)`, mine), title);
    },

    async withEarlier(given) {
      const gist = gistOf(given);
      const stored = await storedOf(gist);
      if (stored === undefined || stored.earlier.length === 0) {
        reporter.warn(t('Gistify: there is no earlier gist of this test.'));
        return;
      }
      const asked = stored.earlier.find((one) => one.gist.toString() === gist?.toString());
      const earlier = asked ?? (await pick([...stored.earlier], t('Which earlier gist?'), true));
      if (earlier === null) return;
      const name = testSelector(stored.entry.nodeId);
      await diff(
        earlier.gist,
        stored.gist,
        t('{0}: {1} ↔ now', name, new Date(earlier.entry.madeAt).toLocaleString()),
      );
    },

    async runs(given) {
      const gist = gistOf(given);
      const stored = await storedOf(gist);
      const report = gist === undefined ? null : await reportOf(gist);
      if (stored === undefined || report === null) {
        reporter.warn(t('Gistify: this file is no gist with a report.'));
        return;
      }
      const others = (await store.list()).filter(
        (one) => isOfWorkspace(one) && one.gist.toString() !== stored.gist.toString(),
      );
      if (others.length === 0) {
        reporter.warn(t('Gistify: there is no gist of another test to compare with.'));
        return;
      }
      // The other kind is what one wants to see: a failing test beside a passing one.
      const sorted = others.toSorted(
        (a, b) =>
          Number(a.entry.failing === stored.entry.failing) - Number(b.entry.failing === stored.entry.failing),
      );
      const other = await pick(sorted, t('Which other test?'), false);
      const second = other === null ? null : await reportOf(other.gist);
      if (other === null || second === null) return;
      // The failing one stands on the right, where a diff shows what is new.
      const [left, right] = stored.entry.failing ? [second, report] : [report, second];
      const { onlyFirst, onlySecond } = runDifference(left, right);
      const [a, b] = [nameOf(left), nameOf(right)];
      const title = t(
        '{0} ↔ {1}: {2} lines run only left, {3} only right',
        a,
        b,
        onlyFirst.length,
        onlySecond.length,
      );
      await diff(virtual(a, runListing(left)), virtual(b, runListing(right)), title);
    },

    dispose() {
      for (const each of [provider, closed]) each.dispose();
    },
  };
}

function nameOf({ task }: Report): string {
  return task.nodeId
    .split('::')
    .slice(1)
    .join('.')
    .replace(/[^\w.[\]-]/g, '_');
}

async function pick(
  gists: readonly StoredGist[],
  placeHolder: string,
  byTime: boolean,
): Promise<StoredGist | null> {
  const [only] = gists;
  if (gists.length === 1 && only !== undefined) return only;
  const items = gists.map((stored) => ({
    label: byTime
      ? new Date(stored.entry.madeAt).toLocaleString()
      : `$(${stored.entry.failing ? 'error' : 'pass'}) ${stored.entry.nodeId.split('::').slice(1).join(' › ')}`,
    description: entryText(stored.entry, Date.now(), t),
    stored,
  }));
  return (
    (await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true }))?.stored ?? null
  );
}

function dedent(lines: readonly string[]): string {
  const indents = lines
    .filter((line) => line.trim() !== '')
    .map((line) => /^\s*/.exec(line)?.[0].length ?? 0);
  const least = Math.min(...indents, Infinity);
  return `${lines.map((line) => line.slice(Number.isFinite(least) ? least : 0)).join('\n')}\n`;
}
