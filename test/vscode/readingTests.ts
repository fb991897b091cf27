// Reading a gist: the view of gists, what is out of date, overlays, the way to the codebase and back.
import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { lineFrom, lineOf, select, until, type Harness } from './harness.js';

export function defineReadingTests({ api, workspace, open, gistOf }: Harness): void {
  const file = (name: string): vscode.Uri => vscode.Uri.joinPath(workspace, name);

  /** Changes a file of the workspace for the time of the work. */
  const withText = async (
    name: string,
    change: (text: string) => string,
    work: () => Promise<void>,
  ): Promise<void> => {
    const place = file(name).fsPath;
    const write = async (text: string): Promise<void> => {
      await writeFile(place, text);
      // An editor that has the file open reads it again a moment later.
      await until('open editors show the file as it is', () =>
        vscode.workspace.textDocuments.every(
          (document) => document.uri.fsPath !== place || document.getText() === text,
        )
          ? true
          : undefined,
      );
    };
    const text = await readFile(place, 'utf8');
    await write(change(text));
    try {
      await work();
    } finally {
      await write(text);
    }
  };

  describe('reading', () => {
    it('the view lists gists newest first, with scores and age', async () => {
      await gistOf('tests/test_checkout.py', 'test_voucher');
      const shown = await api.view.shown();
      const madeAt = (await api.store.list()).map(({ entry }) => entry.madeAt);
      assert.deepEqual(
        madeAt,
        madeAt.toSorted((a, b) => b - a),
      );
      const row = shown.find(({ label }) => label === 'test_voucher');
      assert.match(
        row?.description ?? '',
        /^\d+(\.\d)?% executed · \d+(\.\d)?% existing · (just now|\d+ minutes? ago)$/,
      );
      assert.equal(row?.stale, false);
    });

    it('a gist is out of date when its code changes, not when it only moves', async () => {
      await gistOf('tests/test_checkout.py', 'test_voucher');
      const state = async (): Promise<string> => {
        const row = (await api.view.shown()).find(({ label }) => label === 'test_voucher');
        return `${String(row?.stale)} ${row?.description ?? ''}`;
      };
      await withText(
        'shop/cart.py',
        (text) => `# moved\n\n${text}`,
        async () => {
          assert.match(await state(), /^false/);
        },
      );
      await withText(
        'shop/cart.py',
        (text) => text.replace('self.voucher = None', 'self.voucher = 0'),
        async () => {
          assert.match(await state(), /^true out of date/);
        },
      );
    });

    it('the origin of a line is found where it is now', async () => {
      const { report, editor } = await gistOf('tests/test_checkout.py', 'test_voucher');
      const line = lineFrom(report, 'shop/cart.py');
      select(editor, line);
      await withText(
        'shop/cart.py',
        (text) => `# moved\n\n${text}`,
        async () => {
          await vscode.commands.executeCommand('gistify.openOrigin');
          const active = vscode.window.activeTextEditor;
          assert.equal(active?.document.uri.fsPath, file('shop/cart.py').fsPath);
          const text = active.document.lineAt(active.selection.active.line).text;
          assert.equal(text.trim(), report.gist.text.split('\n')[line - 1]?.trim());
        },
      );
    });

    it('marks lines that an open gist uses, and leads from them into the gist', async () => {
      const { report, gist } = await gistOf('tests/test_checkout.py', 'test_voucher');
      const origins = report.lines.flatMap(({ origin }) =>
        origin.kind !== 'added' && origin.file === 'shop/cart.py' ? [origin.line] : [],
      );
      const editor = await vscode.window.showTextDocument(file('shop/cart.py'), {
        viewColumn: vscode.ViewColumn.One,
      });
      const lines = await until('lines are marked', () => {
        const marked = api.marks.markedLines(file('shop/cart.py'));
        return marked.length > 0 ? marked : undefined;
      });
      assert.deepEqual(
        lines,
        [...new Set(origins)].sort((a, b) => a - b),
      );
      select(editor, origins[0] ?? 1);
      const done = vscode.commands.executeCommand('gistify.showInGist');
      const shown = await until('a gist is active', async () => {
        const active = vscode.window.activeTextEditor;
        if (active !== undefined && api.editors.reportOf(active.document.uri) !== null) return active;
        await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
        return undefined;
      });
      await done;
      const origin = api.editors.reportOf(shown.document.uri)?.lines[shown.selection.active.line]?.origin;
      assert.ok(origin !== undefined && origin.kind !== 'added');
      assert.equal(`${origin.file}:${origin.line}`, `shop/cart.py:${origins[0] ?? 0}`);
      assert.ok(gist);
    });

    it('a line that is edited loses its claim, and gets it back', async () => {
      const { gist, editor, report } = await gistOf('tests/test_checkout.py', 'test_voucher');
      const before = await until('it is decorated', () => api.editors.countsOf(gist) ?? undefined);
      const line = lineOf(editor.document, 'class Cart') - 1;
      await editor.edit((edit) => {
        edit.insert(new vscode.Position(line, 0), '# mine\n');
        edit.insert(new vscode.Position(line, 5), '  ');
      });
      await until('one line fewer', () =>
        api.editors.countsOf(gist)?.executed === before.executed - 1 ? true : undefined,
      );
      // Not by a command that acts on whichever editor has the focus.
      const all = new vscode.Range(0, 0, editor.document.lineCount, 0);
      await editor.edit((edit) => {
        edit.replace(all, report.gist.text);
      });
      await editor.document.save();
      await until('all lines again', () =>
        api.editors.countsOf(gist)?.executed === before.executed ? true : undefined,
      );
    });

    it('overlays are toggled each alone, and stay as they were left', async () => {
      const { gist } = await gistOf('tests/test_checkout.py', 'test_voucher');
      const before = await until('it is decorated', () => api.editors.countsOf(gist) ?? undefined);
      await vscode.commands.executeCommand('gistify.toggleProvenance');
      try {
        const after = await until('no stripes', () => {
          const counts = api.editors.countsOf(gist);
          return counts?.files === 0 ? counts : undefined;
        });
        assert.deepEqual(after, { ...before, files: 0, margins: 0 });
        const setting = vscode.workspace.getConfiguration('gistify').inspect('highlight.provenance');
        assert.equal(setting?.globalValue, false);
      } finally {
        await vscode.commands.executeCommand('gistify.toggleProvenance');
      }
      await until('stripes again', () =>
        api.editors.countsOf(gist)?.files === before.files ? true : undefined,
      );
    });

    it('a copy of a gist elsewhere is known by its text', async () => {
      const { report } = await gistOf('tests/test_checkout.py', 'test_voucher');
      const copy = path.join(os.tmpdir(), `gistify-copy-${process.pid}.py`);
      await writeFile(copy, report.gist.text);
      try {
        await vscode.window.showTextDocument(vscode.Uri.file(copy));
        const known = await until(
          'its report is found',
          () => api.editors.reportOf(vscode.Uri.file(copy)) ?? undefined,
        );
        assert.equal(known.task.nodeId, report.task.nodeId);
      } finally {
        await rm(copy);
      }
    });

    it('Peek Origin shows the codebase inside of the gist', async () => {
      const { report, editor } = await gistOf('tests/test_checkout.py', 'test_voucher');
      select(editor, lineFrom(report, 'shop/cart.py'));
      await vscode.commands.executeCommand('gistify.peekOrigin');
      await until('the file is shown', () =>
        vscode.window.visibleTextEditors.some(
          ({ document }) => document.uri.fsPath === file('shop/cart.py').fsPath,
        ) || vscode.workspace.textDocuments.some(({ uri }) => uri.fsPath === file('shop/cart.py').fsPath)
          ? true
          : undefined,
      );
      assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), editor.document.uri.toString());
      await vscode.commands.executeCommand('closeReferenceSearch');
      await open('tests/test_checkout.py');
    });
  });
}
