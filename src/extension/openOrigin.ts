// A line's origin flows in from a hover or the cursor; the codebase's own line is opened beside the gist, or shown in
// place. Lines that have moved since the gist was made are followed.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { lineMoves } from '../view/lineMoves.js';
import type { OriginTarget } from '../view/protocol.js';
import type { GistEditors } from './gistEditors.js';
import type { GistStore } from './gistStore.js';
import type { Reporter } from './log.js';

const t = vscode.l10n.t;

export interface Origins {
  readonly editors: GistEditors;
  readonly store: GistStore;
  readonly reporter: Reporter;
}

/** The command `gistify.openOrigin`. */
export async function openOrigin(given: unknown, { editors, store, reporter }: Origins): Promise<void> {
  const active = vscode.window.activeTextEditor;
  const target = isOrigin(given) ? given : active === undefined ? null : editors.originAt(active);
  if (target === null) {
    reporter.warn(t('Gistify: this line is not from the codebase.'));
    return;
  }
  const place = await placeNow(target, active?.document.uri, store);
  try {
    const editor = await vscode.window.showTextDocument(place.uri, {
      viewColumn: otherColumn(),
      selection: place.range,
    });
    editor.revealRange(place.range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  } catch (error) {
    reporter.fail(
      t('Gistify cannot open {0}: {1}', target.file, error instanceof Error ? error.message : String(error)),
    );
  }
}

/** The command `gistify.peekOrigin`: the origin of the line at the cursor, shown in the gist. */
export async function peekOrigin({ editors, store, reporter }: Origins): Promise<void> {
  const active = vscode.window.activeTextEditor;
  const target = active === undefined ? null : editors.originAt(active);
  if (active === undefined || target === null) {
    reporter.warn(t('Gistify: this line is not from the codebase.'));
    return;
  }
  const { uri } = active.document;
  const place = await placeNow(target, uri, store);
  await vscode.commands.executeCommand(
    'editor.action.peekLocations',
    uri,
    active.selection.active,
    [place],
    'peek',
  );
}

/** Where the line is now; where it was, if it is gone or nothing is known of then. */
async function placeNow(
  { repo, file, line }: OriginTarget,
  gist: vscode.Uri | undefined,
  store: GistStore,
): Promise<vscode.Location> {
  const uri = vscode.Uri.file(path.join(repo, file));
  const before = gist === undefined ? undefined : (await store.sources(gist))[file];
  const now = before === undefined ? null : await currentText(uri);
  const moved =
    before === undefined || now === null || before === now ? line : lineMoves(before, now)[line - 1];
  const position = new vscode.Position((moved === undefined || moved === 0 ? line : moved) - 1, 0);
  return new vscode.Location(uri, new vscode.Range(position, position));
}

/** The text in the editor where the file is open, else that on disk. */
export async function currentText(uri: vscode.Uri): Promise<string | null> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  return open?.getText() ?? (await readFile(uri.fsPath, 'utf8').catch(() => null));
}

function isOrigin(given: unknown): given is OriginTarget {
  return typeof given === 'object' && given !== null && 'file' in given && 'line' in given;
}

/** A group other than the active one, so that the gist stays in view. */
function otherColumn(): vscode.ViewColumn {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  return all.find((group) => group !== activeTabGroup)?.viewColumn ?? vscode.ViewColumn.Beside;
}
