// The stored gists of this workspace flow in, a tree flows out: newest first, each with its scores, its age, and the
// lines of the codebase that have changed since it was made.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { testSelector } from '../base/testSelector.js';
import { entryText } from '../view/gistEntry.js';
import { commands } from '../view/protocol.js';
import { staleFiles, staleText, type StaleFile } from '../view/staleness.js';
import type { GistStore, StoredGist } from './gistStore.js';

const t = vscode.l10n.t;

/** An element of the tree, and what its menus hand to commands. */
export interface GistNode {
  readonly stored: StoredGist;
  readonly isEarlier: boolean;
}

export interface GistsView {
  dispose(): void;
  /** The tree as it is shown, for tests. */
  shown(): Promise<
    readonly { readonly label: string; readonly description: string; readonly stale: boolean }[]
  >;
}

/** Shows the view `gistify.gists` until disposed. */
export function createGistsView(store: GistStore): GistsView {
  const changed = new vscode.EventEmitter<undefined>();
  const provider: vscode.TreeDataProvider<GistNode> = {
    onDidChangeTreeData: changed.event,
    async getChildren(node) {
      if (node !== undefined) return node.stored.earlier.map((stored) => ({ stored, isEarlier: true }));
      const all = await store.list();
      return all.filter(isOfWorkspace).map((stored) => ({ stored, isEarlier: false }));
    },
    getTreeItem: async (node) => treeItem(node, store),
  };
  const view = vscode.window.createTreeView('gistify.gists', { treeDataProvider: provider });
  const refresh = (): void => {
    if (view.visible) changed.fire(undefined);
  };
  const listeners = [
    view,
    changed,
    store.onDidChange(() => {
      changed.fire(undefined);
    }),
    view.onDidChangeVisibility(refresh),
    vscode.workspace.onDidSaveTextDocument(({ languageId }) => {
      if (languageId === 'python') refresh();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(refresh),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) refresh();
    }),
  ];
  return {
    async shown() {
      const nodes = (await provider.getChildren(undefined)) ?? [];
      const items = await Promise.all(nodes.map(async (node) => treeItem(node, store)));
      return items.map(({ label, description, contextValue }) => ({
        label: typeof label === 'string' ? label : '',
        description: String(description),
        stale: contextValue?.includes('stale') === true,
      }));
    },
    dispose() {
      for (const each of listeners) each.dispose();
    },
  };
}

/** Whether the gist's codebase is, holds or lies in a folder of the workspace. */
export function isOfWorkspace({ entry }: StoredGist): boolean {
  const inside = (inner: string, outer: string): boolean =>
    inner === outer || inner.startsWith(`${outer}${path.sep}`);
  return (vscode.workspace.workspaceFolders ?? []).some(
    ({ uri }) => inside(entry.repo, uri.fsPath) || inside(uri.fsPath, entry.repo),
  );
}

/** The changes since a gist was made; none where what it was made from is not known. */
export async function stalenessOf(gist: vscode.Uri, store: GistStore): Promise<readonly StaleFile[]> {
  const [report, sources] = await Promise.all([store.read(gist), store.sources(gist)]);
  if (report === null) return [];
  const texts = new Map(
    await Promise.all(
      Object.keys(sources).map(
        async (file) =>
          [file, await readFile(path.join(report.task.repo, file), 'utf8').catch(() => null)] as const,
      ),
    ),
  );
  return staleFiles(report, sources, (file) => texts.get(file) ?? null);
}

async function treeItem({ stored, isEarlier }: GistNode, store: GistStore): Promise<vscode.TreeItem> {
  const { entry, gist, earlier } = stored;
  const stale = isEarlier ? [] : await stalenessOf(gist, store);
  const [file = '', ...names] = entry.nodeId.split('::');
  const { None, Collapsed } = vscode.TreeItemCollapsibleState;
  const label = isEarlier ? new Date(entry.madeAt).toLocaleString() : names.join(' › ');
  const item = new vscode.TreeItem(label, earlier.length > 0 ? Collapsed : None);
  const scores = entryText(entry, Date.now(), t);
  const changes = stale.length === 0 ? '' : t('code changed since: {0}', staleText(stale, t('gone')));
  item.id = gist.toString();
  item.description = [...(stale.length === 0 ? [] : [t('out of date')]), scores].join(' · ');
  item.iconPath = icon(entry.verified, stale.length > 0);
  item.contextValue = ['gist', isEarlier ? 'earlier' : 'latest', ...(stale.length > 0 ? ['stale'] : [])].join(
    '.',
  );
  item.command = { command: 'vscode.open', title: t('Open Gist'), arguments: [gist] };
  item.resourceUri = gist;
  const state = entry.verified ? t('Verified') : t('Not verified');
  item.tooltip = [
    entry.nodeId,
    `${state} · ${scores}`,
    t('{0} lines from {1} files', entry.lines, entry.files.length),
    changes,
  ]
    .filter((line) => line !== '')
    .join('\n');
  item.accessibilityInformation = { label: [label, file, state, item.description, changes].join(', ') };
  return item;
}

function icon(verified: boolean, stale: boolean): vscode.ThemeIcon {
  if (stale) return new vscode.ThemeIcon('history', new vscode.ThemeColor('list.warningForeground'));
  return verified
    ? new vscode.ThemeIcon('verified', new vscode.ThemeColor('testing.iconPassed'))
    : new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
}

/** The commands of the tree's menus, given a node, or the file of a gist from elsewhere. */
export function registerGistCommands(store: GistStore): vscode.Disposable[] {
  const register = vscode.commands.registerCommand;
  return [
    register(commands.openTest, async ({ stored }: GistNode) => {
      const { repo, nodeId } = stored.entry;
      const uri = vscode.Uri.file(path.join(repo, nodeId.split('::')[0] ?? ''));
      await vscode.window.showTextDocument(uri);
    }),
    register(commands.deleteGist, async ({ stored, isEarlier }: GistNode) => {
      const name = testSelector(stored.entry.nodeId);
      const remove = t('Delete');
      const question =
        isEarlier || stored.earlier.length === 0
          ? t('Delete the gist of {0}?', name)
          : t('Delete the gist of {0} and its {1} earlier ones?', name, stored.earlier.length);
      if ((await vscode.window.showWarningMessage(question, { modal: true }, remove)) !== remove) return;
      await store.remove(stored.gist);
    }),
  ];
}

/** The gist that a command is about: a node of the tree, a file, or what is looked at. */
export function gistOf(given: unknown): vscode.Uri | undefined {
  if (given instanceof vscode.Uri) return given;
  if (typeof given === 'object' && given !== null && 'stored' in given)
    return (given as GistNode).stored.gist;
  return vscode.window.activeTextEditor?.document.uri;
}
