// A line's origin flows in from a hover or the cursor; the codebase's own file opens at that line, beside the gist.
import path from 'node:path';
import * as vscode from 'vscode';
import type { OriginTarget } from '../view/protocol.js';
import type { GistEditors } from './gistEditors.js';
import type { Reporter } from './log.js';

/** The command `gistify.openOrigin`. */
export async function openOrigin(given: unknown, editors: GistEditors, reporter: Reporter): Promise<void> {
  const active = vscode.window.activeTextEditor;
  const target = isOrigin(given) ? given : active === undefined ? null : editors.originAt(active);
  if (target === null) {
    reporter.warn('Gistify: this line is not from the codebase.');
    return;
  }
  const uri = vscode.Uri.file(path.join(target.repo, target.file));
  const position = new vscode.Position(target.line - 1, 0);
  try {
    const editor = await vscode.window.showTextDocument(uri, {
      viewColumn: otherColumn(),
      selection: new vscode.Range(position, position),
    });
    editor.revealRange(
      new vscode.Range(position, position),
      vscode.TextEditorRevealType.InCenterIfOutsideViewport,
    );
  } catch (error) {
    reporter.fail(
      `Gistify cannot open ${target.file}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function isOrigin(given: unknown): given is OriginTarget {
  return typeof given === 'object' && given !== null && 'file' in given && 'line' in given;
}

/** A group other than the active one, so that the gist stays in view. */
function otherColumn(): vscode.ViewColumn {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  return all.find((group) => group !== activeTabGroup)?.viewColumn ?? vscode.ViewColumn.Beside;
}
