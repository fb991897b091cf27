// Data files that the test read flow in, the lines that lay them out in a temporary folder flow out; `__file__` then
// points there, so that code finds them as it did in the codebase.
import { pythonBytes, pythonString } from './pythonString.js';

export interface DataFile {
  /** Repo-relative POSIX path. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Who asked for it: `file:line` of the codebase; '' for a library on its own. */
  readonly readers: readonly string[];
  /** It was opened by a relative path. */
  readonly relative: boolean;
}

export interface DataLayout {
  readonly files: readonly DataFile[];
  /** Folders that must exist though no file of theirs is read. */
  readonly folders: readonly Pick<DataFile, 'path' | 'readers'>[];
  /** Who asked for the working folder: it must be the data's then. */
  readonly askedFolder: readonly string[];
}

/** What of a data layout code that is part of the gist asks for (`rows`: `file:line`); null where that is nothing. */
export function dataInUse(layout: DataLayout, rows: ReadonlySet<string>): DataLayout | null {
  const inUse = ({ readers }: Pick<DataFile, 'readers'>) =>
    readers.length === 0 || readers.some((reader) => reader === '' || rows.has(reader));
  const files = layout.files.filter(inUse);
  const folders = layout.folders.filter(inUse);
  const askedFolder = layout.askedFolder.filter((reader) => rows.has(reader));
  return files.length === 0 && folders.length === 0 ? null : { files, folders, askedFolder };
}

/** Whether a file may hold secrets and never travels. */
export function isSecretFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return /^\.env(\.|$)|^\.?netrc$|^\.pypirc$|\.(pem|key|p12|pfx|keystore)$|^id_(rsa|dsa|ecdsa|ed25519)|credentials/i.test(
    name,
  );
}

function literal(bytes: Uint8Array): string {
  try {
    return `${pythonString(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))}.encode()`;
  } catch {
    return pythonBytes(bytes);
  }
}

export interface DataLines {
  /** Make `data`, the folder with the files. */
  readonly files: readonly string[];
  /** Move the gist's own place there; a loader that reads the gist itself comes before. */
  readonly place: readonly string[];
}

/**
 * Lines of a gist that carries data files. `testFile` is the test's own repo-relative path, `paths` are the folders of
 * the codebase that the original's `sys.path` named.
 */
export function dataLines(layout: DataLayout, testFile: string, paths: readonly string[]): DataLines {
  const entries = layout.files.map(({ path, bytes }) => `${pythonString(path)}: ${literal(bytes)}`);
  const made = new Set(layout.files.map(({ path }) => parent(path)));
  for (const folder of new Set([...layout.folders.map(({ path }) => path), parent(testFile)])) {
    if (!made.has(folder) && ![...made].some((one) => one.startsWith(`${folder}/`)))
      entries.push(`${pythonString(folder === '' ? '' : `${folder}/`)}: None`);
  }
  return {
    files: [
      'import atexit, os, shutil, sys, tempfile',
      "atexit.register(shutil.rmtree, data := tempfile.mkdtemp(prefix='gist-'), True)",
      // One statement: each that is added weighs on what the gist has in common with the codebase.
      `[content is None or open(path, 'wb').write(content) for name, content in {${entries.join(', ')}}.items() for path in [os.path.join(data, name)] if not os.makedirs(os.path.dirname(path), exist_ok=True)]`,
      // Code that reads modules, or what is installed, as data looks for it where the codebase's own import paths were.
      ...(paths.length > 0 && layout.files.some(({ path }) => /\.py$|\.(egg|dist)-info\//.test(path))
        ? [`sys.path += [${paths.map((path) => `os.path.join(data, ${pythonString(path)})`).join(', ')}]`]
        : []),
    ],
    place: [
      ...(layout.askedFolder.length > 0 || layout.files.some(({ relative }) => relative)
        ? ['os.chdir(data)']
        : []),
      // pytest compares the module's file with the one it collected, unless it is told not to (_pytest/pathlib.py).
      "os.environ['PY_IGNORE_IMPORTMISMATCH'] = '1'",
      `__file__ = shutil.copy(__file__, os.path.join(data, ${pythonString(testFile)}))`,
    ],
  };
}

function parent(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}
