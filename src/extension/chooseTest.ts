// What a person pointed at flows in (a lens, the cursor, a test of the Test Explorer, a file, nothing); the test that is meant flows out.
import path from 'node:path';
import * as vscode from 'vscode';
import type { TestItem } from '../model/testItem.js';
import type { RunTarget, TestsResult } from '../view/protocol.js';
import { matchTestId } from '../view/testIds.js';
import { testAt } from '../view/testLens.js';
import type { Server } from './languageClient.js';
import type { Reporter } from './log.js';
import { isSameTarget, type RecentRuns } from './recentRuns.js';

const t = vscode.l10n.t;

export interface Choosing {
  readonly server: Server;
  readonly reporter: Reporter;
  readonly recent: RecentRuns;
}

/**
 * The test that is meant, asked for where several could be; null where there is none, which has been said, or none was picked.
 * @param given what VS Code hands to a command of a lens, a menu or a key
 */
export async function chooseTest(given: readonly unknown[], choosing: Choosing): Promise<RunTarget | null> {
  const targets = given.filter(isTarget);
  if (targets.length > 0) return pickOne(targets);
  const [first] = given;
  if (isTestItem(first)) return fromTestExplorer(first, choosing);
  const active = vscode.window.activeTextEditor;
  if (first instanceof vscode.Uri && first.toString() !== active?.document.uri.toString())
    return fromFile(first, choosing);
  return fromCursor(active, choosing);
}

/** A test of the workspace, from a list that can be searched; the last ones come first. */
export async function pickWorkspaceTest({ server, recent, reporter }: Choosing): Promise<RunTarget | null> {
  const picker = vscode.window.createQuickPick<vscode.QuickPickItem & { target?: RunTarget }>();
  const reading = new vscode.CancellationTokenSource();
  picker.placeholder = t('Which test shall be gistified?');
  picker.matchOnDescription = true;
  picker.busy = true;
  const last = recent.list().map(({ target }) => target);
  const separator = (label: string) => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const lastItems = last.length === 0 ? [] : [separator(t('last gistified')), ...last.map(itemOf)];
  picker.items = lastItems;
  const picked = new Promise<RunTarget | null>((resolve) => {
    picker.onDidAccept(() => {
      const target = picker.selectedItems[0]?.target;
      if (target !== undefined) resolve(target);
    });
    picker.onDidHide(() => {
      resolve(null);
    });
  });
  picker.show();
  const fill = async (): Promise<void> => {
    const codebases = await server.workspaceTests(reading.token);
    const all = codebases.flatMap(({ repo, items }) =>
      items.map(({ nodeId }): RunTarget => ({ repo, nodeId })),
    );
    const others = all.filter((target) => !last.some((known) => isSameTarget(known, target)));
    if (all.length === 0) picker.placeholder = t('There is no pytest test in this workspace.');
    picker.items = [...lastItems, separator(t('tests of the workspace')), ...others.map(itemOf)];
    picker.busy = false;
  };
  fill().catch((error: unknown) => {
    picker.busy = false;
    if (!reading.token.isCancellationRequested) reporter.log.error(String(error));
  });
  try {
    return await picked;
  } finally {
    reading.cancel();
    picker.dispose();
  }
}

function isTarget(given: unknown): given is RunTarget {
  return typeof given === 'object' && given !== null && 'nodeId' in given && 'repo' in given;
}

/** A test item of whatever extension: VS Code hands over the item itself. */
function isTestItem(given: unknown): given is vscode.TestItem {
  return typeof given === 'object' && given !== null && 'children' in given && 'canResolveChildren' in given;
}

function namesOf(nodeId: string): string {
  return nodeId.split('::').slice(1).join(' › ');
}

function itemOf(target: RunTarget): vscode.QuickPickItem & { target: RunTarget } {
  const file = target.nodeId.split('::')[0] ?? '';
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(path.join(target.repo, file)));
  const several = (vscode.workspace.workspaceFolders ?? []).length > 1;
  const description = several && folder !== undefined ? `${folder.name} • ${file}` : file;
  return { label: namesOf(target.nodeId), description, target };
}

async function pickOne(targets: readonly RunTarget[]): Promise<RunTarget | null> {
  const [only] = targets;
  if (targets.length === 1 && only !== undefined) return only;
  const placeHolder = t('Which test shall be gistified?');
  const options = { placeHolder, matchOnDescription: true };
  return (await vscode.window.showQuickPick(targets.map(itemOf), options))?.target ?? null;
}

async function fromCursor(
  editor: vscode.TextEditor | undefined,
  { server, reporter }: Choosing,
): Promise<RunTarget | null> {
  const tests = editor === undefined ? null : await server.tests(editor.document.uri);
  if (editor === undefined || tests === null || tests.items.length === 0) {
    reporter.warn(t('Gistify: there is no pytest test in the active editor.'));
    return null;
  }
  const line = editor.selection.active.line + 1;
  const here = testAt(tests.items, line);
  if (here?.inheritedFrom === undefined) {
    if (here !== null) return { repo: tests.repo, nodeId: here.nodeId };
    return pickOne(targetsOf(tests, tests.items));
  }
  return pickOne(
    targetsOf(
      tests,
      tests.items.filter((item) => testAt([item], line) !== null),
    ),
  );
}

async function fromFile(file: vscode.Uri, { server, reporter }: Choosing): Promise<RunTarget | null> {
  const tests = file.scheme === 'file' ? await server.tests(file) : null;
  if (tests === null || tests.items.length === 0) {
    reporter.warn(t('Gistify: there is no pytest test in {0}.', path.basename(file.fsPath)));
    return null;
  }
  return pickOne(targetsOf(tests, tests.items));
}

function targetsOf({ repo }: TestsResult, items: readonly TestItem[]): readonly RunTarget[] {
  return items.map(({ nodeId }) => ({ repo, nodeId }));
}

/**
 * Ids belong to the extension that made them, with whatever prefix; the file, the place and the names in the id are what
 * all have in common, and our own reading of the file says which test is there.
 */
async function fromTestExplorer(item: vscode.TestItem, choosing: Choosing): Promise<RunTarget | null> {
  const { server, reporter } = choosing;
  const uri = item.uri;
  if (uri === undefined) return pickWorkspaceTest(choosing);
  const isFolder = await vscode.workspace.fs.stat(uri).then(
    ({ type }) => (type & vscode.FileType.Directory) !== 0,
    () => false,
  );
  if (isFolder) return pickWorkspaceTest(choosing);
  const tests = await server.tests(uri);
  if (tests === null || tests.items.length === 0) {
    reporter.warn(t('Gistify: there is no pytest test in {0}.', path.basename(uri.fsPath)));
    return null;
  }
  const found = matchTestId(item.id, item.label, tests.items);
  if (found.length > 0) {
    const [only] = found;
    if (found.length === 1 && only !== undefined) return { repo: tests.repo, nodeId: only };
    return pickOne(found.map((nodeId) => ({ repo: tests.repo, nodeId })));
  }
  const line = item.range === undefined ? 0 : item.range.start.line + 1;
  const here = item.children.size === 0 ? testAt(tests.items, line) : null;
  if (here !== null) return { repo: tests.repo, nodeId: here.nodeId };
  const inside = tests.items.filter(
    ({ firstLine, lastLine }) =>
      item.range !== undefined && firstLine > item.range.start.line && lastLine <= item.range.end.line + 1,
  );
  return pickOne(targetsOf(tests, inside.length > 0 ? inside : tests.items));
}
