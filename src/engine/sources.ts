// Reads the files that a trace names, and the wasm and helper files that ship with Gistify.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import iconv from 'iconv-lite';
import { GistifyError } from '../base/gistifyError.js';
import { isSecretFile, type DataFile, type DataLayout } from '../link/dataFiles.js';
import type { Trace } from '../model/trace.js';
import { createPythonParser, type PythonParser } from '../python/parse.js';
import type { Sandbox } from '../sandbox/sandbox.js';

/** Where the running bundle's own files are. */
export interface Installation {
  /** Folder with the wasm files and `helper/`. */
  readonly root: string;
  readonly version: string;
}

/** Loads the parser from the installation's wasm files. */
export async function loadParser(installation: Installation): Promise<PythonParser> {
  return createPythonParser({
    runtime: readFileSync(join(installation.root, 'web-tree-sitter.wasm')),
    grammar: readFileSync(join(installation.root, 'tree-sitter-python.wasm')),
  });
}

/** Decodes Python source by its coding cookie (PEP 263); UTF-8 otherwise. Null where the encoding is not known. */
function decodeSource(bytes: Buffer): string | null {
  const head = bytes.subarray(0, 200).toString('latin1').split('\n').slice(0, 2).join('\n');
  const cookie = /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/m.exec(head)?.[1] ?? 'utf-8';
  const name = cookie.replace(/^utf[-_]?8.*/i, 'utf-8');
  return iconv.encodingExists(name) ? iconv.decode(bytes, name) : null;
}

/** Texts of all files of a trace, by repo-relative path. */
export async function readTraced(repo: string, trace: Trace): Promise<ReadonlyMap<string, string>> {
  const texts = await Promise.all(
    trace.files.map(async ({ path }) => {
      const text = decodeSource(await readFile(join(repo, path)));
      if (text !== null) return [path, text] as const;
      throw new GistifyError(
        'syntax-error',
        `${path} is written in an encoding that Gistify does not know`,
        'Store the file as UTF-8.',
      );
    }),
  );
  return new Map(texts);
}

const skipped = new Set([
  '.git',
  '.hg',
  '.tox',
  '.nox',
  '.venv',
  'venv',
  'node_modules',
  '__pycache__',
  'site-packages',
  '.mypy_cache',
  '.eggs',
]);

const dataLimit = 2_000_000;

/** Names of compiled modules and the libraries beside them. */
const compiledFile = /\.(so(\.[\d.]+)?|pyd|dylib|dll)$/;

/** What the test read of the codebase's data; null where it read nothing. Files that may hold secrets stay behind. */
export async function readData(repo: string, trace: Trace): Promise<DataLayout | null> {
  const files = new Map<string, DataFile>();
  const folders = new Map<string, readonly string[]>();
  const readersOf = (path: string): readonly string[] => trace.readers[path] ?? [];
  for (const path of trace.entered) folders.set(path, readersOf(path));
  let size = 0;
  for (const path of trace.dataFiles) {
    if (isSecretFile(path)) continue;
    const bytes = await readFile(join(repo, path)).catch(() => null);
    if (bytes === null || size + bytes.length > dataLimit) continue;
    size += bytes.length;
    files.set(path, {
      path,
      bytes,
      readers: readersOf(path),
      relative: trace.relativeReads.includes(path),
    });
  }
  // A name that was only asked for or listed: its content was not read. An empty file would be no compiled module.
  const addName = (path: string, isFolder: boolean, readers: readonly string[]): void => {
    if (isFolder) folders.set(path, [...(folders.get(path) ?? []), ...readers]);
    else if (!files.has(path) && !isSecretFile(path) && !compiledFile.test(path))
      files.set(path, { path, bytes: new Uint8Array(), readers, relative: false });
  };
  for (const path of trace.probed) {
    const readers = readersOf(path).filter((reader) => reader !== '');
    const found = await stat(join(repo, path)).catch(() => null);
    if (readers.length > 0 && found !== null) addName(path, found.isDirectory(), readers);
  }
  for (const folder of trace.listedFolders) {
    const readers = readersOf(folder);
    addName(folder, true, readers);
    for (const entry of await readdir(join(repo, folder), { withFileTypes: true }).catch(() => [])) {
      if (entry.name !== '__pycache__') addName(`${folder}/${entry.name}`, entry.isDirectory(), readers);
    }
  }
  if (files.size === 0 && folders.size === 0) return null;
  return {
    files: [...files.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    folders: [...folders]
      .map(([path, readers]) => ({ path, readers }))
      .toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    askedFolder: trace.askedFolder,
  };
}

/** All Python files of a codebase, read one by one. */
export async function readCodebase(
  repo: string,
): Promise<readonly { readonly file: string; readonly text: string }[]> {
  const out: { file: string; text: string }[] = [];
  const walk = async (folder: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const full = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name)) await walk(full);
      } else if (entry.isFile() && entry.name.endsWith('.py'))
        out.push({
          file: relative(repo, full).split('\\').join('/'),
          text: decodeSource(await readFile(full)) ?? '',
        });
    }
  };
  await walk(repo);
  return out.toSorted((a, b) => (a.file < b.file ? -1 : 1));
}

const run = promisify(execFile);

/** The checked-out commit, with `+` where there are local changes; null without git or where git refuses. */
export async function readCommit(repo: string): Promise<string | null> {
  try {
    const { stdout } = await run('git', ['-C', repo, 'rev-parse', 'HEAD']);
    const { stdout: changes } = await run('git', [
      '-C',
      repo,
      '--no-optional-locks',
      'status',
      '--porcelain',
      '--untracked-files=no',
    ]);
    return stdout.trim() + (changes.trim() === '' ? '' : '+');
  } catch {
    return null;
  }
}

/** A tree with only the compiled modules of the codebase (and the libraries beside them), '' where there are none. */
export async function makeShadow(sandbox: Sandbox, root: string, trace: Trace): Promise<string> {
  const folders = new Set(
    trace.compiled.map(([name, path]) => path.split('/').slice(0, -name.split('.').length).join('/')),
  );
  if (folders.size === 0) return '';
  const shadow = await sandbox.folder('compiled');
  for (const folder of folders)
    await sandbox.copy(folder === '' ? root : `${root}/${folder}`, shadow, {
      skip: skipped,
      only: compiledFile.source,
    });
  return shadow;
}
