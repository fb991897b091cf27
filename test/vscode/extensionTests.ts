// The extension as its user meets it, through VS Code's own commands; the extension's test interface only tells what is on screen.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { TestApi } from '../../src/extension/main.js';
import type { Report } from '../../src/model/report.js';

const lensTitle = 'Gistify this test';

/** Registers the suite with mocha. */
export function defineExtensionTests(): void {
  describe('Gistify in VS Code', () => {
    let api: TestApi;
    const workspace = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(workspace);

    before(async () => {
      const extension = vscode.extensions.getExtension<TestApi | undefined>('gistify.gistify');
      assert.ok(extension, 'the extension is installed');
      const given = await extension.activate();
      assert.ok(given, 'the extension gives its test interface to tests');
      api = given;
    });

    afterEach(async () => {
      await vscode.commands.executeCommand('notifications.clearAll');
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    });

    const open = async (file: string, line = 1): Promise<vscode.TextEditor> => {
      const editor = await vscode.window.showTextDocument(vscode.Uri.joinPath(workspace, file));
      editor.selection = new vscode.Selection(line - 1, 0, line - 1, 0);
      return editor;
    };

    const gistOf = async (nodeId: string): Promise<vscode.Uri> =>
      (await api.store.placeFor({ repo: workspace.fsPath, nodeId })).gist;

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
      const settings = vscode.workspace.getConfiguration('gistify');
      await settings.update('codeLens.enabled', false, vscode.ConfigurationTarget.Global);
      try {
        const { uri } = (await open('tests/test_money.py')).document;
        await until('no lenses', async () => {
          const left = await vscode.commands.executeCommand<vscode.CodeLens[]>(
            'vscode.executeCodeLensProvider',
            uri,
          );
          return left.length === 0 ? true : undefined;
        });
      } finally {
        await settings.update('codeLens.enabled', undefined, vscode.ConfigurationTarget.Global);
      }
    });

    it('makes a verified gist from a lens, with overlays, beside the test', async () => {
      const lens = (await lensesOf('tests/test_checkout.py'))[0];
      assert.ok(lens?.command);
      await vscode.commands.executeCommand(lens.command.command, ...(lens.command.arguments as unknown[]));
      const gist = await gistOf('tests/test_checkout.py::test_total_of_a_cart');
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
      const { gist, report } = await gistify('tests/test_checkout.py', 'test_voucher');
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
      const { report } = await gistify('tests/test_checkout.py', 'test_voucher');
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
      const { gist } = await gistify('tests/test_money.py', 'test_order');
      const settings = vscode.workspace.getConfiguration('gistify');
      await settings.update('highlight.executed', false, vscode.ConfigurationTarget.Global);
      try {
        await until('executed lines are plain', () =>
          api.editors.countsOf(gist)?.executed === 0 ? true : undefined,
        );
        assert.ok((api.editors.countsOf(gist)?.files ?? 0) > 0);
      } finally {
        await settings.update('highlight.executed', undefined, vscode.ConfigurationTarget.Global);
      }
    });

    it('a cancelled run leaves no process, no gist and no message', async () => {
      const messages = api.shown.length;
      const { document } = await open('tests/test_slow.py');
      cursorTo(document, 'def test_slow');
      const run = vscode.commands.executeCommand('gistify.run');
      const controller = await until('the run starts', () => [...api.running.values()][0]);
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
      assert.equal(api.running.size, 0);
      assert.equal(api.shown.length, messages);
      assert.equal(existsSync((await gistOf('tests/test_slow.py::test_slow')).fsPath), false);
    });

    it('a test that cannot be collected gives one clear message', async () => {
      const messages = api.shown.length;
      const { document } = await open('tests/test_broken.py');
      cursorTo(document, 'def test_never_collected');
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

    async function gistify(file: string, name: string): Promise<{ gist: vscode.Uri; report: Report }> {
      const { document } = await open(file);
      cursorTo(document, `def ${name}`);
      await vscode.commands.executeCommand('gistify.run');
      const gist = vscode.window.activeTextEditor?.document.uri;
      const report = gist === undefined ? null : api.editors.reportOf(gist);
      assert.ok(gist !== undefined && report !== null, `a gist; messages: ${api.shown.join(' | ')}`);
      return { gist, report };
    }

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

/** A line that was kept from the file and is not blank. */
function lineFrom(report: Report, file: string): number {
  const index = report.lines.findIndex(({ origin }) => origin.kind === 'kept' && origin.file === file);
  assert.notEqual(index, -1, `a line from ${file}`);
  return index + 1;
}

function cursorTo(document: vscode.TextDocument, text: string): void {
  const offset = document.getText().indexOf(text);
  assert.notEqual(offset, -1, `${text} in ${document.fileName}`);
  const position = document.positionAt(offset);
  const editor = vscode.window.activeTextEditor;
  assert.equal(editor?.document, document);
  editor.selection = new vscode.Selection(position, position);
}

/** Asks again until there is an answer, for as long as a slow machine may take. */
async function until<T>(what: string, ask: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`waited in vain until: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
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
