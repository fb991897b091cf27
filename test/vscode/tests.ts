// What runs inside VS Code's extension host: mocha over the one suite, its results left in a file for run.mjs.
import Mocha from 'mocha';
import { writeFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import process from 'node:process';
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TestApi } from '../../src/extension/main.js';
import { defineAgentTests } from './agentTests.js';
import { defineEntryTests } from './entryTests.js';
import { defineExportTests } from './exportTests.js';
import { defineExtensionTests } from './extensionTests.js';
import { createHarness, type Harness } from './harness.js';
import { defineReadingTests } from './readingTests.js';
import { defineTrustTests } from './trustTests.js';

interface Result {
  readonly title: string;
  readonly error: string | null;
  readonly seconds: number;
  /** It could not run here. */
  readonly skipped: boolean;
  /** Why it could not, or what it measured. */
  readonly note?: string;
}

async function startExtension(): Promise<Harness> {
  const workspace = vscode.workspace.workspaceFolders?.[0]?.uri;
  assert.ok(workspace, 'a folder is open');
  const extension = vscode.extensions.getExtension<TestApi | undefined>('gistify.gistify');
  assert.ok(extension, 'the extension is installed');
  const api = await extension.activate();
  assert.ok(api, 'the extension gives its test interface to tests');
  return createHarness(api, workspace);
}

/** Called by VS Code; a failure is in the results and ends the host with a fault too. */
export async function run(): Promise<void> {
  const file = process.env['GISTIFY_TEST_RESULTS'];
  if (file === undefined) throw new Error('GISTIFY_TEST_RESULTS names no file');
  const mocha = new Mocha({ ui: 'bdd', timeout: 120_000, reporter: 'min' });
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  const harness = await startExtension();
  mocha.suite.afterEach(async () => {
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  const suites = [
    ...[
      defineExtensionTests,
      defineEntryTests,
      defineReadingTests,
      defineTrustTests,
      defineExportTests,
      defineAgentTests,
    ],
  ];
  for (const define of suites) define(harness);
  const only = process.env['GISTIFY_VSCODE_ONLY'];
  if (only !== undefined) mocha.grep(new RegExp(only));
  const results: Result[] = [];
  const resultOf = (test: Mocha.Runnable, error: string | null): Result => {
    const note = harness.notes.get(test);
    const { title, duration = 0 } = test;
    const words = note === undefined ? {} : { note };
    return { title, error, seconds: duration / 1000, skipped: test.isPending(), ...words };
  };
  /** What is known so far, for the case that the rest never ends. */
  const keep = (result: Result): void => {
    results.push(result);
    writeFileSync(`${file}.part`, JSON.stringify(results));
  };
  await new Promise<void>((resolve) => {
    mocha
      .run(() => {
        resolve();
      })
      .on('pass', (test) => {
        keep(resultOf(test, null));
      })
      .on('pending', (test) => {
        keep(resultOf(test, null));
      })
      .on('fail', (test, error: Error) => {
        keep(resultOf(test, error.stack ?? error.message));
      });
  });
  // In one step, so that a reader never sees half of it.
  await writeFile(`${file}.part`, JSON.stringify(results));
  await rename(`${file}.part`, file);
  if (results.some(({ error }) => error !== null)) throw new Error('tests failed');
}
