// Data files that the test read flow in, the lines that lay them out in a temporary folder flow out; `__file__` then
// points there, so that code finds them as it did in the codebase.
import { pythonBytes, pythonString } from './pythonString.js';

export interface DataFile {
  /** Repo-relative POSIX path. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface DataLayout {
  readonly files: readonly DataFile[];
  /** Folders that must exist though no file of theirs is read. */
  readonly folders: readonly string[];
  /** The working folder must be the codebase's. */
  readonly enter: boolean;
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

/** Preamble lines of a gist that carries data files. `testFile` is the test's own repo-relative path. */
export function dataLines(
  layout: DataLayout,
  testFile: string,
): readonly { readonly text: string; readonly why: string }[] {
  const why = 'carries the data files that the test reads';
  const lines = [
    'import atexit, os, shutil, tempfile',
    "data = tempfile.mkdtemp(prefix='gist-')",
    'atexit.register(shutil.rmtree, data, True)',
  ];
  const entries = layout.files.map(({ path, bytes }) => `${pythonString(path)}: ${literal(bytes)}`);
  const made = new Set(layout.files.map(({ path }) => parent(path)));
  for (const folder of new Set([...layout.folders, parent(testFile)])) {
    if (!made.has(folder) && ![...made].some((one) => one.startsWith(`${folder}/`)))
      lines.push(`os.makedirs(os.path.join(data, ${pythonString(folder)}), exist_ok=True)`);
  }
  if (entries.length > 0) {
    lines.push(`for name, content in {${entries.join(', ')}}.items():`);
    lines.push('    os.makedirs(os.path.dirname(os.path.join(data, name)), exist_ok=True)');
    lines.push("    open(os.path.join(data, name), 'wb').write(content)");
  }
  if (layout.enter) lines.push('os.chdir(data)');
  const place = `os.path.join(data, ${pythonString(testFile)})`;
  // pytest compares the module's file with the one it collected, unless it is told not to (_pytest/pathlib.py).
  lines.push("os.environ['PY_IGNORE_IMPORTMISMATCH'] = '1'", `__file__ = shutil.copy(__file__, ${place})`);
  return lines.map((text) => ({ text, why }));
}

function parent(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}
