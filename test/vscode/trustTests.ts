// Trusting a gist: problems and their verified fixes, the report, comparisons, running and debugging it.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { GistNode } from '../../src/extension/gistsView.js';
import { lineOf, select, until, type Harness, type Made } from './harness.js';

export function defineTrustTests({ api, workspace, gistOf }: Harness): void {
  const problemsAt = (gist: vscode.Uri): readonly vscode.Diagnostic[] =>
    vscode.languages.getDiagnostics(gist);
  const codes = (gist: vscode.Uri): string =>
    problemsAt(gist)
      .map(({ code, range }) => `${typeof code === 'string' ? code : ''} ${range.start.line}`)
      .sort()
      .join(', ');

  const insert = async ({ editor }: Made, after: string, text: string): Promise<void> => {
    const row = lineOf(editor.document, after);
    await editor.edit((edit) => {
      edit.insert(new vscode.Position(row, 0), text);
    });
  };

  const fix = async (made: Made, at: string, title: string): Promise<void> => {
    const { document } = made.editor;
    const line = document.lineAt(lineOf(document, at) - 1);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      made.gist,
      line.range,
      vscode.CodeActionKind.QuickFix.value,
    );
    const action = actions.find((one) => one.title.startsWith(title));
    assert.ok(
      action?.edit && action.command,
      `"${title}" among: ${actions.map((one) => one.title).join(' | ')}`,
    );
    assert.equal(await vscode.workspace.applyEdit(action.edit), true);
    await vscode.commands.executeCommand(action.command.command, ...(action.command.arguments as unknown[]));
  };

  const activeDiff = async (): Promise<{ title: string; left: string; right: string }> => {
    const tab = await until('a diff is open', () => {
      const active = vscode.window.tabGroups.activeTabGroup.activeTab;
      return active?.input instanceof vscode.TabInputTextDiff ? active : undefined;
    });
    const { original, modified } = tab.input as vscode.TabInputTextDiff;
    const text = async (uri: vscode.Uri): Promise<string> =>
      (await vscode.workspace.openTextDocument(uri)).getText();
    return { title: tab.label, left: await text(original), right: await text(modified) };
  };

  describe('trusting', () => {
    it('a clean gist has no problems', async () => {
      const { gist } = await gistOf('tests/test_money.py', 'test_order');
      await until('no problems', () => (problemsAt(gist).length === 0 ? true : undefined));
    });

    it('lines that are invented or did not run are problems, and their fixes are verified', async () => {
      const made = await gistOf('tests/test_money.py', 'test_order');
      const { gist, editor, report } = made;
      const original = 'self.currency = currency';
      await editor.edit((edit) => {
        const row = lineOf(editor.document, original) - 1;
        edit.insert(editor.document.lineAt(row).range.end, ' or ""');
      });
      await insert(made, original, '        if currency is None:\n            raise ValueError("none")\n');
      await vscode.commands.executeCommand('gistify.verify');
      const row = lineOf(editor.document, original) - 1;
      await until('the problems are known', () => (problemsAt(gist).length >= 4 ? true : undefined));
      assert.equal(
        codes(gist),
        `invented ${row}, invented ${row + 1}, invented ${row + 2}, unexecuted ${row + 2}`,
      );
      assert.equal(api.editors.reportOf(gist)?.verified, true);

      await fix(made, original, 'Put the original line in its place');
      assert.equal(codes(gist), `invented ${row + 1}, invented ${row + 2}, unexecuted ${row + 2}`);
      await fix(made, 'if currency is None', 'Remove the statement');
      assert.equal(codes(gist), '');
      assert.equal(editor.document.getText(), report.gist.text);
      assert.equal(editor.document.isDirty, false);
    });

    it('a test that was edited shows in its test F1, as the original is put in to verify', async () => {
      const made = await gistOf('tests/test_money.py', 'test_order');
      await insert(made, 'def test_order', '    assert False, "mine"\n');
      await vscode.commands.executeCommand('gistify.verify');
      assert.equal(api.editors.reportOf(made.gist)?.score.testF1 === 1, false);
      await made.editor.edit((edit) => {
        const row = lineOf(made.editor.document, 'assert False') - 1;
        edit.delete(new vscode.Range(row, 0, row + 1, 0));
      });
      await vscode.commands.executeCommand('gistify.verify');
      assert.equal(api.editors.reportOf(made.gist)?.score.testF1, 1);
    });

    it('the report is one page with a strict policy', async () => {
      await gistOf('tests/test_checkout.py', 'test_voucher');
      await vscode.commands.executeCommand('gistify.showReport');
      const page = await until('the page is shown', () => api.reports.pages().get('Report: test_voucher'));
      assert.match(
        page,
        /Content-Security-Policy"\s+content="default-src 'none'; style-src 'nonce-\w+'; script-src 'nonce-\w+'/,
      );
      for (const heading of [
        'Scores',
        'Files',
        'Calls',
        'Stages',
        'Held and noted',
        'Environment',
        'The gist',
      ])
        assert.match(page, new RegExp(`<h2 id="\\w+">\\s*${heading}\\s*</h2>`));
      assert.match(page, /data-file="shop\/cart\.py"\s+data-line="\d+"/);
    });

    it('compares a function with its original', async () => {
      const { editor } = await gistOf('tests/test_checkout.py', 'test_voucher');
      select(editor, lineOf(editor.document, 'def add(self') + 1);
      await vscode.commands.executeCommand('gistify.compareWithOriginal');
      const { title, left, right } = await activeDiff();
      assert.match(title, /^add: shop\/\w+\.py:\d+ ↔ gist$/);
      assert.match(left, /^def add\(/);
      assert.match(right, /^def add\(/);
    });

    it('compares a gist with an earlier one of the same test', async () => {
      const { gist } = await gistOf('tests/test_money.py', 'test_order');
      const find = async () =>
        (await api.store.list()).find((one) => one.gist.toString() === gist.toString());
      if ((await find())?.earlier.length === 0) await vscode.commands.executeCommand('gistify.runAgain');
      const stored = await find();
      assert.ok(stored);
      const node: GistNode = { stored: { ...stored, earlier: stored.earlier.slice(0, 1) }, isEarlier: false };
      const done = vscode.commands.executeCommand('gistify.compareWithEarlier', node);
      const diff = await until('a diff is open', async () => {
        const active = vscode.window.tabGroups.activeTabGroup.activeTab;
        if (active?.input instanceof vscode.TabInputTextDiff) return activeDiff();
        await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
        return undefined;
      });
      await done;
      assert.match(diff.title, /^test_order: .* ↔ now$/);
      assert.equal(diff.left, diff.right, 'nothing has changed between the two');
    });

    it('shows what a failing test runs that a passing one does not', async () => {
      const passing = await gistOf('tests/test_money.py', 'test_order');
      const failing = await gistOf('tests/test_bug_report.py', 'test_split_loses_no_cent');
      const done = vscode.commands.executeCommand('gistify.compareRuns', passing.gist);
      const { title, left, right } = await until('a diff is open', async () => {
        const active = vscode.window.tabGroups.activeTabGroup.activeTab;
        if (active?.input instanceof vscode.TabInputTextDiff) return activeDiff();
        // The failing ones come first: they are the other kind.
        await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
        return undefined;
      });
      await done;
      assert.match(title, /^test_order ↔ test_split_loses_no_cent: \d+ lines run only left, \d+ only right$/);
      assert.match(left, /def test_order/);
      assert.match(right, /def test_split_loses_no_cent/);
      assert.ok(failing.report.observed.tests.length > 0);
    });

    it('runs a gist under pytest, with results in the Test Explorer', async () => {
      const passing = await gistOf('tests/test_money.py', 'test_order');
      await vscode.commands.executeCommand('gistify.runGist');
      assert.equal(api.tests.results.get(passing.gist.toString()), 'passed');
      const failing = await gistOf('tests/test_bug_report.py', 'test_split_loses_no_cent');
      await vscode.commands.executeCommand('gistify.coverGist');
      assert.equal(api.tests.results.get(failing.gist.toString()), 'failed');
    });

    it('debugs a gist with the Python Debugger', async () => {
      await gistOf('tests/test_money.py', 'test_order');
      const ended = new Promise<void>((resolve) => {
        const listener = vscode.debug.onDidTerminateDebugSession(() => {
          listener.dispose();
          resolve();
        });
      });
      await vscode.commands.executeCommand('gistify.debugGist');
      await ended;
      const last = await vscode.commands.executeCommand<{ status: number; output: string }>(
        'gistifyTest.lastDebugged',
      );
      assert.equal(last.status, 0, last.output);
      assert.match(last.output, /1 passed/);
    });

    it('a lens above its test runs, debugs, reports, compares and exports', async () => {
      const { gist, editor } = await gistOf('tests/test_money.py', 'test_order');
      const lenses = await until('the lenses', async () => {
        const all = await vscode.commands.executeCommand<vscode.CodeLens[]>(
          'vscode.executeCodeLensProvider',
          gist,
          10,
        );
        return all.length >= 6 ? all : undefined;
      });
      assert.deepEqual(
        lenses.map(({ command }) => command?.title.replace(/^\$\([\w-]+\) /, '')),
        ['Run', 'Debug', 'Report', 'Compare…', 'Minimal Repro', 'Export…'],
      );
      assert.match(editor.document.lineAt(lenses[0]?.range.start.line ?? 0).text, /def test_order/);
      assert.ok(workspace);
    });
  });
}
