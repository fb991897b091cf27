// The extension as its user meets it, through VS Code's own commands; the extension's test interface only tells what is on screen.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Report } from '../../src/model/report.js';
import { lineFrom, until, type Harness } from './harness.js';

const lensTitle = 'Gistify this test';

/** Registers the suite with mocha. */
export function defineExtensionTests(harness: Harness): void {
  const { api, workspace, open, gistify, gistOf, withSetting } = harness;
  describe('Gistify in VS Code', () => {
    const placeOf = (nodeId: string): vscode.Uri =>
      api.store.placeFor({ repo: workspace.fsPath, nodeId }).gist;

    const lensesOf = async (file: string): Promise<vscode.CodeLens[]> => {
      const { document } = await open(file);
      const all = await until('lenses', async () => {
        const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
          'vscode.executeCodeLensProvider',
          document.uri,
          100,
        );
        return lenses.length > 0 ? lenses : undefined;
      });
      return all.filter(({ command }) => command?.title === lensTitle);
    };

    it('shows a lens above every test, decorators included', async () => {
      const lenses = await lensesOf('tests/test_money.py');
      const { document } = await open('tests/test_money.py');
      const lines = lenses.map(({ range }) => document.lineAt(range.start.line).text);
      assert.deepEqual(lines, [
        '@pytest.mark.parametrize(',
        'def test_currencies_do_not_mix():',
        '@pytest.mark.parametrize("rate, expected", [(10, "1.00"), (19, "1.90"), ("5.5", "0.55")])',
        'def test_order():',
      ]);
    });

    it('shows no lens outside of tests, nor where the setting turns them off', async () => {
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        (await open('shop/cart.py')).document.uri,
      );
      assert.deepEqual(lenses, []);
      await withSetting('codeLens.enabled', false, async () => {
        const { uri } = (await open('tests/test_money.py')).document;
        await until('no lenses', async () => {
          const left = await vscode.commands.executeCommand<vscode.CodeLens[]>(
            'vscode.executeCodeLensProvider',
            uri,
          );
          return left.length === 0 ? true : undefined;
        });
      });
    });

    it('makes a verified gist from a lens, with overlays, beside the test', async () => {
      const lens = (await lensesOf('tests/test_checkout.py'))[0];
      assert.ok(lens?.command);
      await vscode.commands.executeCommand(lens.command.command, ...(lens.command.arguments as unknown[]));
      const gist = placeOf('tests/test_checkout.py::test_total_of_a_cart');
      const report = api.editors.reportOf(gist);
      assert.ok(report, `a report; messages: ${api.shown.join(' | ')}`);
      assert.equal(report.verified, true);
      assert.equal(report.score.fidelity, 1);

      const editor = vscode.window.activeTextEditor;
      assert.equal(editor?.document.uri.toString(), gist.toString());
      assert.equal(editor.document.getText(), report.gist.text);
      assert.equal(editor.viewColumn, vscode.ViewColumn.Two);

      const counts = api.editors.countsOf(gist);
      assert.ok(counts);
      assert.equal(counts.executed, report.lines.filter(({ ran }) => ran === 'yes').length);
      assert.equal(counts.unexecuted, report.lines.filter(({ ran }) => ran === 'no').length);
      assert.ok(counts.files >= report.lines.filter(({ origin }) => origin.kind !== 'added').length);
      assert.ok(counts.margins > 2, 'several files are named in the margin');
    });

    it('hovers name the origin of a line and link to it', async () => {
      const { gist, report } = await gistOf('tests/test_checkout.py', 'test_voucher');
      const line = lineFrom(report, 'shop/cart.py');
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        gist,
        new vscode.Position(line - 1, 2),
      );
      const text = hovers.flatMap(({ contents }) => contents.map(markdownOf)).join('\n');
      const link = /From \[shop\/cart\.py:(\d+)\]\(command:gistify\.openOrigin\?([^ )]+)/.exec(text);
      assert.ok(link, `a link in: ${text}`);
      const args = JSON.parse(decodeURIComponent(link[2] ?? '')) as unknown[];
      await vscode.commands.executeCommand('gistify.openOrigin', ...args);
      await atOrigin(report, line);
    });

    it('goes to the origin of the line at the cursor', async () => {
      const { report } = await gistOf('tests/test_checkout.py', 'test_voucher');
      const line = lineFrom(report, 'shop/money.py');
      const editor = vscode.window.activeTextEditor;
      assert.ok(editor);
      editor.selection = new vscode.Selection(line - 1, 0, line - 1, 0);
      await vscode.commands.executeCommand('gistify.openOrigin');
      await atOrigin(report, line);
    });

    it('gistifies a method of a test class at the cursor', async () => {
      const { report } = await gistify('tests/test_receipt.py', 'test_rows_are_aligned');
      assert.equal(report.task.nodeId, 'tests/test_receipt.py::TestText::test_rows_are_aligned');
      assert.equal(report.verified, true);
    });

    it('asks the Python extension for the interpreter, and goes on without it where that hangs', async () => {
      const name = async (): Promise<string> =>
        path.basename((await gistify('tests/test_money.py', 'test_order')).report.task.python);
      assert.equal(await name(), 'python');
      await vscode.commands.executeCommand('gistifyTest.pythonExtensionHangs', true);
      try {
        assert.equal(await name(), 'python3', 'the first name that is looked for on PATH');
      } finally {
        await vscode.commands.executeCommand('gistifyTest.pythonExtensionHangs', false);
      }
    });

    it('highlights follow their settings', async () => {
      const { gist } = await gistOf('tests/test_money.py', 'test_order');
      await withSetting('highlight.executed', false, async () => {
        await until('executed lines are plain', () =>
          api.editors.countsOf(gist)?.executed === 0 ? true : undefined,
        );
        assert.ok((api.editors.countsOf(gist)?.files ?? 0) > 0);
      });
    });

    it('a cancelled run leaves no process, no gist and no message', async () => {
      const messages = api.shown.length;
      await open('tests/test_slow.py', 'def test_slow');
      const run = vscode.commands.executeCommand('gistify.run');
      const controller = await until('the run starts', () => [...api.queue.jobs.values()][0]?.controller);
      const started = await until('Python runs the test', () => {
        const processes = descendants(process.pid);
        return processes.some(({ args }) => args.includes('test_slow') && /python/i.test(args))
          ? processes
          : undefined;
      });
      const engine = started.filter(({ args }) => args.includes('cli.js') || /python/i.test(args));
      controller.abort();
      await run;
      await until('all processes are gone', () =>
        engine.some(({ pid }) => isAlive(pid)) ? undefined : true,
      );
      assert.equal(api.queue.jobs.size, 0);
      assert.equal(api.shown.length, messages);
      assert.equal(existsSync(placeOf('tests/test_slow.py::test_slow').fsPath), false);
    });

    it('a test that cannot be collected gives one clear message', async () => {
      const messages = api.shown.length;
      await open('tests/test_broken.py', 'def test_never_collected');
      await vscode.commands.executeCommand('gistify.run');
      const shown = api.shown.slice(messages);
      assert.equal(shown.length, 1, shown.join(' | '));
      assert.match(shown[0] ?? '', /^Gistify: /);
      assert.match(shown[0] ?? '', /a_package_that_is_not_installed|collect/);
    });

    it('a failing test has a gist that fails alike', async () => {
      const { report } = await gistify('tests/test_bug_report.py', 'test_split_loses_no_cent');
      assert.equal(report.verified, true);
      assert.equal(
        report.observed.tests[0]?.phases.some(({ outcome }) => outcome === 'failed'),
        true,
      );
    });

    async function atOrigin(report: Report, line: number): Promise<void> {
      const origin = report.lines[line - 1]?.origin;
      assert.ok(origin !== undefined && origin.kind !== 'added');
      const editor = await until('the origin is open', () => {
        const active = vscode.window.activeTextEditor;
        return active?.document.uri.fsPath === path.join(report.task.repo, origin.file) ? active : undefined;
      });
      assert.equal(editor.selection.active.line + 1, origin.line);
      const gistLine = report.gist.text.split('\n')[line - 1]?.trim();
      assert.equal(editor.document.lineAt(origin.line - 1).text.trim(), gistLine);
    }
  });
}

function markdownOf(part: vscode.Hover['contents'][number]): string {
  return part instanceof vscode.MarkdownString ? part.value : '';
}

interface Process {
  readonly pid: number;
  readonly args: string;
}

function descendants(ancestor: number): Process[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .flatMap((match) =>
      match === null ? [] : [{ pid: Number(match[1]), parent: Number(match[2]), args: match[3] ?? '' }],
    );
  const found = new Set([ancestor]);
  for (let size = 0; size < found.size;) {
    size = found.size;
    for (const { pid, parent } of rows) if (found.has(parent)) found.add(pid);
  }
  return rows.filter(({ pid }) => pid !== ancestor && found.has(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
