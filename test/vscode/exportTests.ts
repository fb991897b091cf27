// Exports: the draft that is looked at, what leaves from it, secrets, the smallest gist, and GitHub's interface for gists.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Draft, ExportForm } from '../../src/extension/exportDrafts.js';
import { postGist } from '../../src/extension/secretGist.js';
import { until, type Harness } from './harness.js';

export function defineExportTests({ api, gistOf, skip }: Harness): void {
  const draftOf = async (gist: vscode.Uri, form: ExportForm): Promise<Draft> => {
    await vscode.commands.executeCommand('gistify.export', gist, form);
    return activeDraft();
  };
  /** What is on screen is what leaves. */
  const activeDraft = (): Draft => {
    const document = vscode.window.activeTextEditor?.document;
    const draft = document === undefined ? undefined : api.drafts.get(document.uri);
    assert.ok(draft !== undefined, `a draft; messages: ${api.shown.join(' | ')}`);
    assert.equal(document?.getText(), draft.text);
    return draft;
  };
  const lensesOf = async ({ uri }: Draft): Promise<string[]> =>
    until('the lenses', async () => {
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        uri,
        10,
      );
      const titles = lenses.map(({ command }) => command?.title.replace(/^\$\([\w-]+\) /, '') ?? '');
      return titles.length > 0 ? titles : undefined;
    });

  describe('exports', () => {
    it('shows the file that leaves, and saves and copies exactly that, which runs elsewhere', async () => {
      const { gist } = await gistOf('tests/test_money.py', 'test_order');
      const draft = await draftOf(gist, 'py');
      assert.match(draft.text, /^# \/\/\/ script$/m);
      assert.match(
        (await lensesOf(draft)).join(' | '),
        /^Save… \| Copy \| Secret GitHub Gist \| masked|nothing/,
      );
      await vscode.commands.executeCommand('gistify.export.copy', draft.uri);
      assert.equal(await vscode.env.clipboard.readText(), draft.text);
      const folder = await mkdtemp(path.join(os.tmpdir(), 'gistify-saved-'));
      try {
        const file = path.join(folder, 'repro.py');
        await vscode.commands.executeCommand('gistify.export.save', draft.uri, vscode.Uri.file(file));
        assert.equal(await readFile(file, 'utf8'), draft.text);
        const python = process.env['GISTIFY_TEST_PYTHON'] ?? '';
        assert.match(execFileSync(python, [file], { cwd: folder, encoding: 'utf8' }), /1 passed/);
      } finally {
        await rm(folder, { recursive: true });
      }
    });

    it('an issue names its repository, and an archive shows all its files', async () => {
      const { gist } = await gistOf('tests/test_money.py', 'test_order');
      const issue = await draftOf(gist, 'md');
      assert.match(issue.text, /### Steps to reproduce[\s\S]*def test_order/);
      assert.equal(issue.exported.facts.repository, 'https://github.com/gistify-test/shop');
      assert.ok((await lensesOf(issue)).includes('New Issue'));
      const archive = await draftOf(gist, 'zip');
      for (const name of ['README.md', 'repro.py', 'requirements.txt', 'ISSUE.md'])
        assert.ok(archive.text.includes(`════ ${name}\n`), name);
      const file = path.join(os.tmpdir(), `gistify-export-${process.pid}.zip`);
      try {
        await vscode.commands.executeCommand('gistify.export.save', archive.uri, vscode.Uri.file(file));
        const python = process.env['GISTIFY_TEST_PYTHON'] ?? '';
        const names = execFileSync(python, ['-m', 'zipfile', '-l', file], { encoding: 'utf8' });
        assert.match(names, /ISSUE\.md[\s\S]*repro\.py/);
      } finally {
        await rm(file, { force: true });
      }
    });

    it('masks what looks like a secret until its user keeps it', async () => {
      const { gist, report } = await gistOf('tests/test_token.py', 'test_token_is_kept');
      const token = /"([0-9a-f]{40})"/.exec(report.gist.text)?.[1] ?? '';
      assert.equal(token.length, 40);
      const draft = await draftOf(gist, 'py');
      assert.equal(draft.text.includes(token), false);
      const lenses = await lensesOf(draft);
      assert.match(
        lenses.join(' | '),
        /Keep What Looks Like a Secret \| masked: .*what looks like a secret ×\d/,
      );
      await vscode.commands.executeCommand('gistify.export.secrets', draft.uri);
      const kept = await until('the export is made anew', () => {
        const now = api.drafts.get(draft.uri);
        return now?.request.secrets === 'keep' ? now : undefined;
      });
      assert.ok(kept.text.includes(token));
    });

    it('makes the smallest gist that fails alike', async () => {
      const { gist, report } = await gistOf('tests/test_bug_report.py', 'test_split_loses_no_cent');
      await vscode.commands.executeCommand('gistify.minimalRepro', gist);
      const small = api.editors.reportOf(gist);
      assert.equal(small?.task.reduce, 'minimal');
      assert.equal(small.verified, true);
      assert.ok(small.lines.length < report.lines.length, `${small.lines.length} of ${report.lines.length}`);
      assert.equal(vscode.window.activeTextEditor?.document.getText(), small.gist.text);
    });

    it('speaks GitHub’s interface for gists', async () => {
      const seen: { url: string | undefined; token: string | undefined; body: unknown }[] = [];
      const server = createServer((request, response) => {
        void (async () => {
          let text = '';
          for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
          const token = request.headers.authorization;
          seen.push({ url: request.url, token, body: JSON.parse(text) });
          const isKnown = token === 'Bearer known';
          response.writeHead(isKnown ? 201 : 401, { 'Content-Type': 'application/json' });
          response.end(
            JSON.stringify(
              isKnown ? { html_url: 'https://gist.github.com/1' } : { message: 'Bad credentials' },
            ),
          );
        })();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      try {
        assert.equal(await postGist(api, 'known', { 'repro.py': 'x' }, 'title'), 'https://gist.github.com/1');
        assert.deepEqual(seen[0], {
          ...{ url: '/gists', token: 'Bearer known' },
          body: { description: 'title', public: false, files: { 'repro.py': { content: 'x' } } },
        });
        await assert.rejects(
          postGist(api, 'other', { a: 'x' }, ''),
          /GitHub made no gist: 401 Bad credentials/,
        );
      } finally {
        server.close();
      }
    });

    it('signs in to GitHub for a secret gist', function () {
      skip(this, 'that needs a person with an account at github.com; the rest of the way is the test above');
    });
  });
}
