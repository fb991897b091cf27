// The ways in: palette, Test Explorer, explorer, keys' commands, the queue. Lists are answered through VS Code's own commands.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { lineOf, until, type Harness } from './harness.js';

export function defineEntryTests({ api, workspace, open, gistOf, note }: Harness): void {
  const file = (name: string): vscode.Uri => vscode.Uri.joinPath(workspace, name);
  const run = async (...given: unknown[]): Promise<void> =>
    vscode.commands.executeCommand('gistify.run', ...given);
  const activeTask = (): string | undefined => {
    const editor = vscode.window.activeTextEditor;
    return editor === undefined ? undefined : api.editors.reportOf(editor.document.uri)?.task.nodeId;
  };

  describe('entries', () => {
    it('activates in less than 100 ms', function () {
      note(this, `${api.activation.toFixed(1)} ms of processor time`);
      assert.ok(api.activation < 100, `${api.activation.toFixed(1)} ms`);
    });

    it('shows the lenses of a file of 5,000 lines', async function () {
      const folder = await mkdtemp(path.join(os.tmpdir(), 'gistify-long-'));
      try {
        const long = vscode.Uri.file(path.join(folder, 'test_long.py'));
        const tests = Array.from({ length: 1000 }, (_, n) => [
          ...[`@pytest.mark.parametrize("value", [${n}])`, `def test_${n}(value):`, '    total = 0'],
          ...['    total += value', `    assert total == ${n}`],
        ]);
        await writeFile(path.join(folder, 'pytest.ini'), '[pytest]\n');
        await writeFile(long.fsPath, ['import pytest', ...tests.flat()].join('\n'));
        const editor = await vscode.window.showTextDocument(long);
        const ask = async (): Promise<{ readonly count: number; readonly ms: number }> => {
          const begun = performance.now();
          const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
            'vscode.executeCodeLensProvider',
            long,
          );
          return { count: lenses.length, ms: performance.now() - begun };
        };
        const first = await until('the server knows the file', async () => {
          const asked = await ask();
          return asked.count > 0 ? asked : undefined;
        });
        assert.equal(first.count, 1000);
        const again: number[] = [];
        for (let times = 0; times < 5; times += 1) {
          await editor.edit((edit) => {
            edit.insert(new vscode.Position(0, 0), '# edited\n');
          });
          again.push((await ask()).ms);
        }
        const fastest = Math.min(...again).toFixed(0);
        note(this, `1,000 lenses, first in ${first.ms.toFixed(0)} ms, after an edit in ${fastest} ms`);
        await editor.document.save();
      } finally {
        await rm(folder, { recursive: true });
      }
    });

    it('the palette lists the tests of the workspace, the last ones first', async () => {
      await gistOf('tests/test_money.py', 'test_order');
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      const done = vscode.commands.executeCommand('gistify.pickTest');
      // The list opens with the last test chosen.
      await until('the gist opens', async () => {
        await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
        return api.queue.jobs.size > 0 || activeTask() !== undefined ? true : undefined;
      });
      await done;
      assert.match(activeTask() ?? '', /^tests\/test_/);
    });

    it('the Test Explorer hands over tests of other extensions, whatever their ids look like', async () => {
      const controller = vscode.tests.createTestController('someone', 'Someone');
      try {
        const uri = file('tests/test_money.py');
        const document = await vscode.workspace.openTextDocument(uri);
        const id = `pytest:${uri.fsPath}::test_rounding[0.005-0.01]`;
        const name = /def (test_\w+)\(/.exec(document.getText())?.[1] ?? '';
        const item = controller.createTestItem(id.replace('test_rounding[0.005-0.01]', name), name, uri);
        const line = lineOf(document, `def ${name}`) - 1;
        item.range = new vscode.Range(line, 0, line, 10);
        controller.items.add(item);
        await run(item);
        assert.equal(activeTask(), `tests/test_money.py::${name}`);
      } finally {
        controller.dispose();
      }
    });

    it('runs wait for their turn, and each is cancelled alone', async () => {
      await open('tests/test_slow.py', 'def test_slow');
      const first = run();
      const running = await until('the first runs', () =>
        [...api.queue.jobs.values()].find(({ state }) => state === 'running'),
      );
      const nodeId = 'tests/test_checkout.py::test_voucher';
      const second = run({ repo: workspace.fsPath, nodeId });
      const waiting = await until('the second waits', () =>
        [...api.queue.jobs.values()].find(({ state }) => state === 'waiting'),
      );
      const third = run({ repo: workspace.fsPath, nodeId: 'tests/test_money.py::test_order' });
      await until('three are known', () => (api.queue.jobs.size === 3 ? true : undefined));
      waiting.controller.abort();
      await second;
      assert.equal(api.queue.jobs.size, 2, 'the others stay');
      running.controller.abort();
      await first;
      await third;
      assert.equal(activeTask(), 'tests/test_money.py::test_order');
      assert.equal(api.queue.jobs.size, 0);
    });

    it('Gistify Again makes the last gist anew, and keeps the one before', async () => {
      const { gist } = await gistOf('tests/test_money.py', 'test_order');
      const before = (await api.store.list()).find((one) => one.gist.fsPath === gist.fsPath);
      await vscode.commands.executeCommand('gistify.runAgain');
      const after = (await api.store.list()).find((one) => one.gist.fsPath === gist.fsPath);
      assert.ok(before !== undefined && after !== undefined);
      assert.ok(after.entry.madeAt > before.entry.madeAt);
      assert.equal(after.earlier[0]?.entry.madeAt, before.entry.madeAt);
      assert.ok(existsSync(after.earlier[0].gist.fsPath));
      assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, gist.fsPath, 'in the same tab');
    });
  });
}
