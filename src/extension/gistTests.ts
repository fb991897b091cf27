// The stored gists flow into the Test Explorer as tests of their own; run, debug and coverage flow out, the last only where it is asked for.
import path from 'node:path';
import process from 'node:process';
import * as vscode from 'vscode';
import { testSelector } from '../base/testSelector.js';
import { runGistFile, type GistFileRun } from '../engine/runGistFile.js';
import type { TestOutcome } from '../model/outcome.js';
import type { Report } from '../model/report.js';
import type { GistDocuments } from './gistDocuments.js';
import { gistOf, isOfWorkspace } from './gistsView.js';
import type { GistStore } from './gistStore.js';
import type { Reporter } from './log.js';
import { pythonFor, saveFile } from './makeGist.js';
import { guarded } from './runCommand.js';
import { settingsFor } from './settings.js';

const t = vscode.l10n.t;

export interface GistTestsHost {
  readonly documents: GistDocuments;
  readonly store: GistStore;
  readonly reporter: Reporter;
  /** Folder of the helper's files. */
  readonly helper: string;
}

export type GistRunKind = 'run' | 'debug' | 'cover';

export interface GistTests {
  dispose(): void;
  /** Runs, debugs or covers a gist: a node of the tree, a file, or what is looked at. */
  start(kind: GistRunKind, given: unknown): Promise<void>;
  /** What became of each test that was run, by its id, for tests. */
  readonly results: ReadonlyMap<string, string>;
}

export function createGistTests(host: GistTestsHost): GistTests {
  const { documents, store, reporter } = host;
  const controller = vscode.tests.createTestController('gistify.gists', t('Gists'));
  const results = new Map<string, string>();
  const details = new WeakMap<vscode.FileCoverage, readonly vscode.StatementCoverage[]>();

  const itemFor = (gist: vscode.Uri, report: Report): vscode.TestItem => {
    const id = gist.toString();
    const name = report.task.nodeId.split('::').slice(1).join(' › ');
    const item = controller.items.get(id) ?? controller.createTestItem(id, name, gist);
    item.description = t('gist');
    const line = testLine(report);
    item.range = new vscode.Range(line - 1, 0, line - 1, 0);
    controller.items.add(item);
    return item;
  };

  const refresh = async (): Promise<void> => {
    const stored = (await store.list()).filter(isOfWorkspace);
    const known = new Set(stored.map(({ gist }) => gist.toString()));
    controller.items.forEach((item) => {
      if (!known.has(item.id)) controller.items.delete(item.id);
    });
    for (const { gist } of stored) {
      const report = await store.read(gist);
      if (report !== null) itemFor(gist, report);
    }
  };
  controller.resolveHandler = async (item) => {
    if (item === undefined) await refresh();
  };
  controller.refreshHandler = refresh;
  const listener = store.onDidChange(() => {
    if (controller.items.size > 0) void refresh();
  });

  const handler =
    (kind: GistRunKind) =>
    async (request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> => {
      if (request.include === undefined) await refresh();
      const items = request.include ?? [...controller.items].map(([, item]) => item);
      const wanted = items.filter((item) => request.exclude?.includes(item) !== true);
      await guarded(host, async () => {
        if (kind === 'debug') await debugItems(wanted, host);
        else await runItems(request, wanted, token, kind === 'cover');
      });
    };

  const runItems = async (
    request: vscode.TestRunRequest,
    items: readonly vscode.TestItem[],
    token: vscode.CancellationToken,
    cover: boolean,
  ): Promise<void> => {
    const run = controller.createTestRun(request);
    const aborting = new AbortController();
    const cancelled = vscode.Disposable.from(
      token.onCancellationRequested(() => {
        aborting.abort();
      }),
      run.token.onCancellationRequested(() => {
        aborting.abort();
      }),
    );
    try {
      for (const item of items) run.enqueued(item);
      for (const item of items) {
        if (aborting.signal.aborted) break;
        run.started(item);
        const state = await runItem(item, run, aborting.signal, cover);
        results.set(item.id, state);
      }
    } finally {
      cancelled.dispose();
      run.end();
    }
  };

  const runItem = async (
    item: vscode.TestItem,
    run: vscode.TestRun,
    signal: AbortSignal,
    cover: boolean,
  ): Promise<string> => {
    const gist = item.uri;
    const report = gist === undefined ? null : (documents.get(gist)?.report ?? (await store.read(gist)));
    const python = report === null ? null : await pythonFor(report.task);
    if (gist === undefined || report === null || python === null) {
      run.errored(item, new vscode.TestMessage(t('The report or the Python of this gist is not found.')));
      return 'errored';
    }
    await saveFile(gist.fsPath);
    const text = (await vscode.workspace.openTextDocument(gist)).getText();
    const begun = Date.now();
    const ended = await runGistFile({
      ...{ text, python: python.python, helper: host.helper, signal },
      fileName: path.basename(gist.fsPath),
      test: testSelector(report.task.nodeId),
      env: plainEnvironment(),
      timeout: settingsFor(gist).timeout,
      log: (line) => {
        reporter.log.debug(line);
      },
    });
    run.appendOutput(`${ended.printed.replaceAll(/\r?\n/g, '\r\n')}\r\n`, undefined, item);
    if (cover && ended.lines !== null) {
      const { statements, executed } = ended.lines;
      const ran = new Set(executed);
      const file = vscode.FileCoverage.fromDetails(
        gist,
        statements.map(
          (line) => new vscode.StatementCoverage(ran.has(line), new vscode.Position(line - 1, 0)),
        ),
      );
      details.set(
        file,
        statements.map(
          (line) => new vscode.StatementCoverage(ran.has(line), new vscode.Position(line - 1, 0)),
        ),
      );
      run.addCoverage(file);
    }
    return show(item, run, ended, text, Date.now() - begun);
  };

  const profiles = [
    controller.createRunProfile(t('Run Gist'), vscode.TestRunProfileKind.Run, handler('run'), true),
    controller.createRunProfile(t('Debug Gist'), vscode.TestRunProfileKind.Debug, handler('debug'), true),
    controller.createRunProfile(
      t('Run Gist with Coverage'),
      vscode.TestRunProfileKind.Coverage,
      handler('cover'),
      true,
    ),
  ] as const;
  profiles[2].loadDetailedCoverage = async (_run, file) => Promise.resolve([...(details.get(file) ?? [])]);

  return {
    results,
    async start(kind, given) {
      const gist = gistOf(given);
      const report = gist === undefined ? null : (documents.get(gist)?.report ?? (await store.read(gist)));
      if (gist === undefined || report === null) {
        reporter.warn(t('Gistify: this file is no gist with a report.'));
        return;
      }
      const item = itemFor(gist, report);
      const profile = profiles[{ run: 0, debug: 1, cover: 2 }[kind]];
      const stop = new vscode.CancellationTokenSource();
      await handler(kind)(new vscode.TestRunRequest([item], undefined, profile), stop.token);
      stop.dispose();
    },
    dispose() {
      listener.dispose();
      controller.dispose();
    },
  };
}

/** 1-based line of the test's `def`, or of the file's first line where it is not found. */
export function testLine({ task, gist, calls }: Report): number {
  const name = task.nodeId.replace(/\[.*$/s, '').split('::').slice(1);
  const known = calls?.functions.find((one) => one.name === name.join('.'))?.line;
  if (known !== undefined) return known;
  const last = name.at(-1) ?? '';
  const row = gist.text
    .split('\n')
    .findIndex((line) => new RegExp(`^\\s*(async )?def ${last}\\b`).test(line));
  return row + 1 || 1;
}

function show(
  item: vscode.TestItem,
  run: vscode.TestRun,
  { outcome, printed, timedOut }: GistFileRun,
  text: string,
  milliseconds: number,
): string {
  const message = (words: string, line: number | null): vscode.TestMessage => {
    const said = new vscode.TestMessage(words);
    if (item.uri !== undefined && line !== null)
      said.location = new vscode.Location(item.uri, new vscode.Position(line, 0));
    return said;
  };
  if (timedOut || outcome === null || outcome.tests.length === 0) {
    const words = timedOut ? t('The gist did not end in time.') : (outcome?.collectErrors[0] ?? printed);
    run.errored(item, message(words, null), milliseconds);
    return 'errored';
  }
  const failures = outcome.tests.flatMap((test) => failuresOf(test, text));
  if (failures.length > 0) {
    run.failed(
      item,
      failures.map(({ words, line }) => message(words, line)),
      milliseconds,
    );
    return 'failed';
  }
  const skipped = outcome.tests.every((test) => test.phases.some((phase) => phase.outcome === 'skipped'));
  if (skipped) run.skipped(item);
  else run.passed(item, milliseconds);
  return skipped ? 'skipped' : 'passed';
}

function failuresOf({ name, phases }: TestOutcome, text: string): { words: string; line: number | null }[] {
  return phases.flatMap(({ when, failure, outcome }) => {
    if (failure === null || outcome !== 'failed') return [];
    const row = text.split('\n').findIndex((line) => line.trim() === failure.line);
    const words = `${name} (${when})\n${failure.type}: ${failure.message}`;
    return [{ words, line: row === -1 ? null : row }];
  });
}

async function debugItems(
  items: readonly vscode.TestItem[],
  { documents, store, reporter }: GistTestsHost,
): Promise<void> {
  if (vscode.extensions.getExtension('ms-python.debugpy') === undefined) {
    reporter.warn(
      t('Gistify debugs with the Python Debugger extension (ms-python.debugpy), which is not installed.'),
    );
    return;
  }
  for (const { uri } of items) {
    const report = uri === undefined ? null : (documents.get(uri)?.report ?? (await store.read(uri)));
    const python = report === null ? null : await pythonFor(report.task);
    if (uri === undefined || report === null || python === null) continue;
    await saveFile(uri.fsPath);
    const folder = path.dirname(uri.fsPath);
    const test = testSelector(report.task.nodeId);
    const nothing = process.platform === 'win32' ? 'nul' : '/dev/null';
    await vscode.debug.startDebugging(undefined, {
      ...{
        type: 'debugpy',
        request: 'launch',
        name: `Gistify: ${test}`,
        module: 'pytest',
        justMyCode: false,
      },
      ...{ python: python.python, cwd: folder, console: 'internalConsole' },
      args: [
        '-p',
        'no:cacheprovider',
        '-c',
        nothing,
        '--rootdir',
        folder,
        `${path.basename(uri.fsPath)}::${test}`,
      ],
    });
  }
}

function plainEnvironment(): Record<string, string> {
  const given = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !/^(VSCODE|ELECTRON)_/.test(entry[0]),
  );
  return Object.fromEntries(given);
}
