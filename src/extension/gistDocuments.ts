// Open documents flow in, those that are gists get their reports from the store; whoever shows something of a gist asks
// here, and is told when a gist came, changed or went.
import * as vscode from 'vscode';
import type { Report } from '../model/report.js';
import { overlayOf, type Overlay } from '../view/overlay.js';
import { survivingLines } from '../view/survivingLines.js';
import type { GistStore } from './gistStore.js';
import type { Server } from './languageClient.js';

export interface GistDocument {
  readonly document: vscode.TextDocument;
  readonly report: Report;
  readonly overlay: Overlay;
}

export interface GistDocuments {
  dispose(): void;
  /** A gist that is open. */
  get(uri: vscode.Uri): GistDocument | null;
  /** All gists that are open. */
  all(): readonly GistDocument[];
  /** For each line of the document the line of the gist it still is, or 0. */
  survivors(gist: GistDocument): readonly number[];
  /** Takes the document for a gist with this report. */
  adopt(document: vscode.TextDocument, report: Report): Promise<void>;
  /** Takes it for a gist where the store knows it as one. */
  follow(document: vscode.TextDocument): Promise<GistDocument | null>;
  /** Tells that the gist came, its text changed, or it went. */
  readonly onDidChange: vscode.Event<vscode.Uri>;
}

/** Follows the documents until disposed. */
export function createGistDocuments(store: GistStore, server: Server): GistDocuments {
  const gists = new Map<string, GistDocument>();
  const looked = new Map<string, number>();
  const survivors = new Map<string, { readonly version: number; readonly lines: readonly number[] }>();
  const changed = new vscode.EventEmitter<vscode.Uri>();

  const listeners = [
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (gists.has(document.uri.toString())) changed.fire(document.uri);
    }),
    vscode.workspace.onDidCloseTextDocument((document) => {
      const key = document.uri.toString();
      looked.delete(key);
      survivors.delete(key);
      if (!gists.delete(key)) return;
      void server.report(document.uri, null);
      changed.fire(document.uri);
    }),
  ];

  const documents: GistDocuments = {
    onDidChange: changed.event,
    get: (uri) => gists.get(uri.toString()) ?? null,
    all: () => [...gists.values()],
    survivors({ document, report }) {
      const key = document.uri.toString();
      const known = survivors.get(key);
      if (known?.version === document.version) return known.lines;
      const lines = survivingLines(report.gist.text, document.getText());
      survivors.set(key, { version: document.version, lines });
      return lines;
    },
    async adopt(document, report) {
      const key = document.uri.toString();
      survivors.delete(key);
      gists.set(key, { document, report, overlay: overlayOf(report, vscode.l10n.t) });
      await server.report(document.uri, report);
      changed.fire(document.uri);
    },
    async follow(document) {
      const key = document.uri.toString();
      const known = gists.get(key);
      if (known !== undefined) return known;
      // Most Python files are no gists: each is looked up once as it lies on the disk, and not at every key.
      const last = looked.get(key);
      const isKnown = last === document.version || (last !== undefined && document.isDirty);
      if (document.languageId !== 'python' || isKnown) return null;
      looked.set(key, document.version);
      const report = await store.read(document.uri);
      if (report === null) return null;
      await documents.adopt(document, report);
      return documents.get(document.uri);
    },
    dispose() {
      for (const each of [...listeners, changed]) each.dispose();
    },
  };
  return documents;
}
