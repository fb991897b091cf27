// A test file's path flows in; the codebase it belongs to (pytest's rootdir) and its naming rules flow out.
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { configFiles, pytestDefaults, readPytestNames, type PytestNames } from '../python/pytestNames.js';

export interface Codebase {
  /** Absolute path. */
  readonly root: string;
  readonly names: PytestNames;
}

/** The nearest folder upward with a pytest configuration or a repository in it, within `limit`; else `limit` itself. */
export async function codebaseOf(file: string, limit: string | null): Promise<Codebase> {
  const start = path.dirname(file);
  for (const folder of foldersUpward(start, limit)) {
    const names = await namesIn(folder);
    if (names !== null) return { root: folder, names };
    if (await exists(path.join(folder, '.git'))) return { root: folder, names: pytestDefaults };
  }
  return { root: limit ?? start, names: pytestDefaults };
}

function foldersUpward(start: string, limit: string | null): string[] {
  const folders: string[] = [];
  for (let folder = start; ; folder = path.dirname(folder)) {
    folders.push(folder);
    if (folder === limit || folder === path.dirname(folder)) return folders;
  }
}

async function namesIn(folder: string): Promise<PytestNames | null> {
  for (const name of configFiles) {
    const text = await readFile(path.join(folder, name), 'utf8').catch(() => null);
    const names = text === null ? null : readPytestNames(name, text);
    if (names !== null) return names;
  }
  return null;
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
