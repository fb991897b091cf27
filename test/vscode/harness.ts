// What all suites in the extension host share: opening files, waiting for a condition, making a gist once.
import type Mocha from 'mocha';
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TestApi } from '../../src/extension/main.js';
import type { Report } from '../../src/model/report.js';

export interface Made {
  readonly gist: vscode.Uri;
  readonly report: Report;
  readonly editor: vscode.TextEditor;
}

export interface Harness {
  readonly api: TestApi;
  /** The workspace's first folder. */
  readonly workspace: vscode.Uri;
  /** Opens a file of the workspace with the cursor on a line, or on the first line that holds a text. */
  readonly open: (file: string, at?: number | string) => Promise<vscode.TextEditor>;
  /** Makes the gist of a test as its user does, with the command at the cursor. */
  readonly gistify: (file: string, name: string) => Promise<Made>;
  /** The gist of a test, made only where no test before has made it. */
  readonly gistOf: (file: string, name: string) => Promise<Made>;
  /** Sets a setting for the time of the work. */
  readonly withSetting: (name: string, value: unknown, work: () => Promise<void>) => Promise<void>;
  /** Leaves out the test that runs, as this VS Code lacks what it needs. */
  readonly skip: (context: Mocha.Context, reason: string) => never;
  /** Says what the test that runs has measured. */
  readonly note: (context: Mocha.Context, words: string) => void;
  /** What is to be said of tests: why they were left out, what they measured. */
  readonly notes: ReadonlyMap<unknown, string>;
}

export function createHarness(api: TestApi, workspace: vscode.Uri): Harness {
  const made = new Map<string, Made>();
  const notes = new Map<unknown, string>();
  const harness: Harness = {
    api,
    workspace,
    notes,
    note: (context, words) => void notes.set(context.test, words),
    skip(context, reason) {
      notes.set(context.test, reason);
      return context.skip();
    },
    async open(file, at = 1) {
      const editor = await vscode.window.showTextDocument(vscode.Uri.joinPath(workspace, file));
      select(editor, typeof at === 'number' ? at : lineOf(editor.document, at));
      return editor;
    },
    async gistify(file, name) {
      await harness.open(file, `def ${name}`);
      await vscode.commands.executeCommand('gistify.run');
      const editor = vscode.window.activeTextEditor;
      const report = editor === undefined ? null : api.editors.reportOf(editor.document.uri);
      assert.ok(editor !== undefined && report !== null, `a gist; messages: ${api.shown.join(' | ')}`);
      const result = { gist: editor.document.uri, report, editor };
      made.set(`${file}::${name}`, result);
      return result;
    },
    async gistOf(file, name) {
      const known = made.get(`${file}::${name}`);
      if (known === undefined) return harness.gistify(file, name);
      await harness.open(file, `def ${name}`);
      const editor = await vscode.window.showTextDocument(known.gist, { viewColumn: vscode.ViewColumn.Two });
      const report = await until('the gist is known', () => api.editors.reportOf(known.gist) ?? undefined);
      return { gist: known.gist, report, editor };
    },
    async withSetting(name, value, work) {
      const settings = vscode.workspace.getConfiguration('gistify');
      await settings.update(name, value, vscode.ConfigurationTarget.Global);
      try {
        await work();
      } finally {
        await settings.update(name, undefined, vscode.ConfigurationTarget.Global);
      }
    },
  };
  return harness;
}

export function select(editor: vscode.TextEditor, line: number): void {
  const position = new vscode.Position(line - 1, 0);
  editor.selection = new vscode.Selection(position, position);
}

/** 1-based. */
export function lineOf(document: vscode.TextDocument, text: string): number {
  const offset = document.getText().indexOf(text);
  assert.notEqual(offset, -1, `${text} in ${document.fileName}`);
  return document.positionAt(offset).line + 1;
}

/** A line that was kept from the file. */
export function lineFrom(report: Report, file: string): number {
  const index = report.lines.findIndex(({ origin }) => origin.kind === 'kept' && origin.file === file);
  assert.notEqual(index, -1, `a line from ${file}`);
  return index + 1;
}

/** Asks again until there is an answer, for as long as a slow machine may take. */
export async function until<T>(what: string, ask: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + 45_000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`waited in vain until: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
