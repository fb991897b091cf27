// Gists live in the extension's storage, one folder a test: the Python file, its Report, an entry for lists, and the
// sources as they were. A new gist of a test takes the place of the last one, which is kept as an earlier one.
import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { reportSchema, type Report } from '../model/report.js';
import { entryOf, type GistEntry } from '../view/gistEntry.js';
import type { RunTarget } from '../view/protocol.js';
import type { RunRequest } from './recentRuns.js';

export interface GistPlace {
  readonly gist: vscode.Uri;
  /** Absolute path. */
  readonly report: string;
}

export interface StoredGist {
  readonly gist: vscode.Uri;
  readonly entry: GistEntry;
  readonly request: RunRequest;
  /** Newest first; they have no earlier ones themselves. */
  readonly earlier: readonly StoredGist[];
}

export interface GistStore {
  dispose(): void;
  readonly root: vscode.Uri;
  readonly onDidChange: vscode.Event<void>;
  /** Where the test's gist is or will be. */
  placeFor(target: RunTarget): GistPlace;
  /** An empty place to make a new gist in, before it takes the place of the last one. */
  placeForNew(target: RunTarget): Promise<GistPlace>;
  /** Takes a gist that was made at `made`; the last one of the test becomes an earlier one. */
  keep(made: GistPlace, request: RunRequest): Promise<{ readonly gist: vscode.Uri; readonly report: Report }>;
  /** The Report of a file, also of one that lies elsewhere; null where none is known. */
  read(document: vscode.Uri): Promise<Report | null>;
  /** Remembers the Report of a gist, of one of ours or of one that lies elsewhere. */
  setReport(gist: vscode.Uri, report: Report): Promise<void>;
  /** The sources that the gist was made from, by repo-relative path; empty where they are not known. */
  sources(gist: vscode.Uri): Promise<Readonly<Record<string, string>>>;
  /** All gists, newest first. */
  list(): Promise<readonly StoredGist[]>;
  remove(gist: vscode.Uri): Promise<void>;
}

/** So many earlier gists of a test are kept. */
const mostEarlier = 5;

interface Kept {
  readonly entry: GistEntry;
  readonly request: RunRequest;
}

/** The store under the extension's global storage. */
export function createGistStore(storage: vscode.Uri): GistStore {
  const root = vscode.Uri.joinPath(storage, 'gists');
  const foreign = path.join(storage.fsPath, 'reports');
  const changed = new vscode.EventEmitter<void>();
  const isOurs = (uri: vscode.Uri): boolean =>
    uri.scheme === 'file' && uri.fsPath.startsWith(`${root.fsPath}${path.sep}`);
  const folderOf = (target: RunTarget): string => {
    const key = createHash('sha256').update(`${target.repo}\0${target.nodeId}`).digest('hex').slice(0, 12);
    return path.join(root.fsPath, key);
  };
  const placeIn = (folder: string, target: RunTarget): GistPlace => {
    const gist = vscode.Uri.file(path.join(folder, `${fileStem(target.nodeId)}.py`));
    return { gist, report: besideOf(gist, '.json') };
  };
  const foreignReport = (uri: vscode.Uri): string =>
    path.join(foreign, `${createHash('sha256').update(uri.toString()).digest('hex').slice(0, 24)}.json`);

  const storedIn = async (folder: string): Promise<StoredGist | null> => {
    const names = await readdir(folder).catch(() => []);
    const name = names.find((one) => one.endsWith('.entry'));
    const kept = name === undefined ? null : await readJson<Kept>(path.join(folder, name));
    if (name === undefined || kept?.entry.schema !== reportSchema) return null;
    return {
      ...kept,
      gist: vscode.Uri.file(path.join(folder, name.replace(/\.entry$/, '.py'))),
      earlier: [],
    };
  };

  const earlierIn = async (folder: string): Promise<StoredGist[]> => {
    const names = await readdir(path.join(folder, 'earlier')).catch(() => []);
    const all = await Promise.all(names.map(async (name) => storedIn(path.join(folder, 'earlier', name))));
    return all.filter((one) => one !== null).sort((a, b) => b.entry.madeAt - a.entry.madeAt);
  };

  const store: GistStore = {
    root,
    onDidChange: changed.event,
    placeFor: (target) => placeIn(folderOf(target), target),
    async placeForNew(target) {
      const folder = path.join(folderOf(target), 'new');
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true });
      return placeIn(folder, target);
    },
    async keep(made, request) {
      const place = store.placeFor(request.target);
      const folder = path.dirname(place.report);
      const last = await storedIn(folder);
      if (last !== null) await moveFiles(folder, path.join(folder, 'earlier', String(last.entry.madeAt)));
      for (const old of (await earlierIn(folder)).slice(mostEarlier))
        await rm(path.dirname(old.gist.fsPath), { recursive: true, force: true });
      const found = await readReport(made.report);
      if (found === null) throw new Error(`there is no report of schema ${reportSchema} at ${made.report}`);
      const report: Report = { ...found, gist: { ...found.gist, file: place.gist.fsPath } };
      const kept: Kept = { entry: entryOf(report, Date.now()), request };
      await writeWhole(place.report, JSON.stringify(report));
      await writeWhole(besideOf(place.gist, '.sources'), JSON.stringify(await sourcesOf(report)));
      await rename(made.gist.fsPath, place.gist.fsPath);
      await writeWhole(besideOf(place.gist, '.entry'), JSON.stringify(kept));
      await rm(path.dirname(made.report), { recursive: true, force: true });
      changed.fire();
      return { gist: place.gist, report };
    },
    async read(document) {
      if (document.scheme !== 'file') return null;
      if (isOurs(document)) return readReport(besideOf(document, '.json'));
      // `gistify run --out x.py --report x.json` lays the two beside each other.
      const text = await readFile(document.fsPath, 'utf8').catch(() => null);
      for (const file of [foreignReport(document), besideOf(document, '.json'), `${document.fsPath}.json`]) {
        const report = await readReport(file);
        if (report !== null && (report.gist.text === text || file === foreignReport(document))) return report;
      }
      return text === null ? null : reportByText(text, await store.list());
    },
    async setReport(gist, report) {
      if (!isOurs(gist)) {
        await mkdir(foreign, { recursive: true });
        await writeWhole(foreignReport(gist), JSON.stringify(report));
        return;
      }
      await writeWhole(besideOf(gist, '.json'), JSON.stringify(report));
      await writeWhole(besideOf(gist, '.sources'), JSON.stringify(await sourcesOf(report)));
      const file = besideOf(gist, '.entry');
      const kept = await readJson<Kept>(file);
      if (kept === null) return;
      await writeWhole(file, JSON.stringify({ ...kept, entry: entryOf(report, kept.entry.madeAt) }));
      changed.fire();
    },
    sources: async (gist) => (await readJson<Record<string, string>>(besideOf(gist, '.sources'))) ?? {},
    async list() {
      const names = await readdir(root.fsPath).catch(() => []);
      const all = await Promise.all(
        names.map(async (name) => {
          const folder = path.join(root.fsPath, name);
          const stored = await storedIn(folder);
          return stored === null ? null : { ...stored, earlier: await earlierIn(folder) };
        }),
      );
      return all.filter((one) => one !== null).sort((a, b) => b.entry.madeAt - a.entry.madeAt);
    },
    async remove(gist) {
      if (!isOurs(gist)) return;
      await rm(path.dirname(gist.fsPath), { recursive: true, force: true });
      changed.fire();
    },
    dispose() {
      changed.dispose();
    },
  };
  return store;
}

/** The text as the codebase has it now, of each file that the gist has lines from. */
async function sourcesOf(report: Report): Promise<Record<string, string>> {
  const files = entryOf(report, 0).files;
  const texts = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(path.join(report.task.repo, file), 'utf8').catch(() => null);
      return text === null ? [] : [[file, text] as const];
    }),
  );
  return Object.fromEntries(texts.flat());
}

async function reportByText(text: string, stored: readonly StoredGist[]): Promise<Report | null> {
  const digest = createHash('sha256').update(text).digest('hex');
  for (const { gist } of stored.flatMap((one) => [one, ...one.earlier])) {
    const own = await readFile(gist.fsPath, 'utf8').catch(() => null);
    if (own === null || createHash('sha256').update(own).digest('hex') !== digest) continue;
    const report = await readReport(besideOf(gist, '.json'));
    if (report?.gist.text === text) return report;
  }
  return null;
}

async function readReport(file: string): Promise<Report | null> {
  const report = await readJson<Report>(file);
  // Whatever lies beside a Python file may be anything.
  return report?.schema === reportSchema && typeof report.gist.text === 'string' ? report : null;
}

async function readJson<T>(file: string): Promise<T | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T | null;
  } catch {
    return null;
  }
}

async function moveFiles(folder: string, target: string): Promise<void> {
  await mkdir(target, { recursive: true });
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    await cp(path.join(folder, entry.name), path.join(target, entry.name));
  }
}

async function writeWhole(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(`${file}.part`, text);
  await rename(`${file}.part`, file);
}

function besideOf(gist: vscode.Uri, extension: string): string {
  return gist.fsPath.replace(/\.py$/, '') + extension;
}

/** `tests/test_a.py::TestX::test_y` is `test_a__TestX__test_y`: the tab's label names the test. */
function fileStem(nodeId: string): string {
  const [file = '', ...names] = nodeId.replace(/\[.*$/s, '').split('::');
  return [path.posix.basename(file, '.py'), ...names].join('__').replace(/\W/g, '_').slice(0, 100);
}
