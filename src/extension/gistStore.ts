// Gists live in the extension's global storage: a Python file and its Report beside it, both named by test. Nothing is written elsewhere.
import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { reportSchema, type Report } from '../model/report.js';
import type { RunTarget } from '../view/protocol.js';

export interface GistPlace {
  readonly gist: vscode.Uri;
  /** Absolute path. */
  readonly report: string;
}

export interface GistStore {
  readonly root: vscode.Uri;
  /** Where the test's gist goes; its folder is there. */
  placeFor(target: RunTarget): Promise<GistPlace>;
  /** The stored Report of a file, read from disk; null where the file is no gist of ours or the report is of another version. */
  read(document: vscode.Uri): Promise<Report | null>;
}

/** The store under the extension's global storage. */
export function createGistStore(storage: vscode.Uri): GistStore {
  const root = vscode.Uri.joinPath(storage, 'gists');
  return {
    root,
    async placeFor(target) {
      const key = createHash('sha256').update(`${target.repo}\0${target.nodeId}`).digest('hex').slice(0, 12);
      const folder = vscode.Uri.joinPath(root, key);
      await mkdir(folder.fsPath, { recursive: true });
      const gist = vscode.Uri.joinPath(folder, `${fileStem(target.nodeId)}.py`);
      return { gist, report: reportOf(gist) };
    },
    async read(document) {
      if (document.scheme !== 'file' || !document.fsPath.startsWith(`${root.fsPath}${path.sep}`)) return null;
      const text = await readFile(reportOf(document), 'utf8').catch(() => null);
      if (text === null) return null;
      const report = JSON.parse(text) as Report | { readonly schema: unknown };
      return report.schema === reportSchema ? (report as Report) : null;
    },
  };
}

function reportOf(gist: vscode.Uri): string {
  return gist.fsPath.replace(/\.py$/, '.json');
}

/** `tests/test_a.py::TestX::test_y` is `test_a__TestX__test_y`: the tab's label names the test. */
function fileStem(nodeId: string): string {
  const [file = '', ...names] = nodeId.replace(/\[.*$/s, '').split('::');
  return [path.posix.basename(file, '.py'), ...names].join('__').replace(/\W/g, '_').slice(0, 100);
}
