// The naming rules of a codebase (`python_files`, `python_functions`, `python_classes`) flow out of its pytest configuration text.
// Only those three options are read; a file without a pytest section gives null, as pytest itself then looks further up.

export interface PytestNames {
  /** Globs for test files: over the base name, or over the path where they hold a slash. */
  readonly files: readonly string[];
  /** Prefixes, or globs where they hold one of `*?[`. */
  readonly functions: readonly string[];
  readonly classes: readonly string[];
}

export const pytestDefaults: PytestNames = {
  files: ['test_*.py', '*_test.py'],
  functions: ['test'],
  classes: ['Test'],
};

/** The files that pytest looks for its options in, in its own order of precedence. */
export const configFiles = [
  'pytest.toml',
  '.pytest.toml',
  'pytest.ini',
  '.pytest.ini',
  'pyproject.toml',
  'tox.ini',
  'setup.cfg',
] as const;

const sectionsOf: Readonly<Record<string, readonly string[]>> = {
  'pytest.toml': ['pytest'],
  '.pytest.toml': ['pytest'],
  'pytest.ini': ['pytest'],
  '.pytest.ini': ['pytest'],
  'pyproject.toml': ['tool.pytest.ini_options', 'tool.pytest'],
  'tox.ini': ['pytest'],
  'setup.cfg': ['tool:pytest'],
};

/** Reads the naming rules out of one configuration file; null where pytest would not take the file as its own. */
export function readPytestNames(fileName: string, text: string): PytestNames | null {
  const wanted = sectionsOf[fileName];
  if (wanted === undefined) return null;
  const toml = fileName.endsWith('.toml');
  const options = readSection(text, wanted, toml);
  // pytest.ini and pytest.toml make their folder the rootdir even when empty.
  if (options === null) return /^\.?pytest\./.test(fileName) ? pytestDefaults : null;
  const list = (key: string, fallback: readonly string[]): readonly string[] => {
    const value = options.get(key);
    return value === undefined ? fallback : words(value, toml);
  };
  return {
    files: list('python_files', pytestDefaults.files),
    functions: list('python_functions', pytestDefaults.functions),
    classes: list('python_classes', pytestDefaults.classes),
  };
}

/** Whether pytest would look for tests in the file. `file` is a repo-relative POSIX path. */
export function isTestFile(file: string, names: PytestNames = pytestDefaults): boolean {
  const base = file.slice(file.lastIndexOf('/') + 1);
  return names.files.some((glob) =>
    globMatches(glob.includes('/') ? `/${file}` : base, glob.includes('/') ? `*/${glob}` : glob),
  );
}

/** pytest's rule for functions and classes: a prefix, or a glob where the pattern looks like one. */
export function matchesName(name: string, patterns: readonly string[]): boolean {
  return patterns.some(
    (pattern) => name.startsWith(pattern) || (/[*?[]/.test(pattern) && globMatches(name, pattern)),
  );
}

/**
 * Keys and raw values of the wanted sections; null where the text has none of them.
 * A value goes on over indented (ini) or bracketed (toml) lines; toml may also spell a section as part of its keys.
 */
function readSection(text: string, wanted: readonly string[], toml: boolean): Map<string, string> | null {
  let options: Map<string, string> | null = null;
  let section = '';
  let key: string | null = null;
  for (const raw of text.split(/\r?\n/)) {
    const open = key !== null && toml && isOpen(options?.get(key) ?? '');
    const header = open ? null : /^\[([^[\]]+)\]\s*(?:[#;].*)?$/.exec(raw);
    if (header !== null) {
      section = (header[1] ?? '').trim();
      key = null;
      if (wanted.includes(section)) options ??= new Map();
      continue;
    }
    if (/^\s*([#;]|$)/.test(raw)) continue;
    if (options !== null && key !== null && (open || (!toml && /^\s/.test(raw)))) {
      options.set(key, `${options.get(key) ?? ''}\n${raw.trim()}`);
      continue;
    }
    const entry = /^\s*["']?([\w.-]+)["']?\s*[=:]\s*(.*)$/.exec(raw);
    const full = `${section}.${entry?.[1] ?? ''}`;
    const prefix = wanted.find((name) => full.startsWith(`${name}.`));
    key =
      entry === null || prefix === undefined || (!toml && prefix !== section)
        ? null
        : full.slice(prefix.length + 1);
    if (key !== null) (options ??= new Map()).set(key, (entry?.[2] ?? '').trim());
  }
  return options;
}

function isOpen(value: string): boolean {
  if (value.startsWith('[')) return !/\]\s*(#.*)?$/.test(value);
  const quotes = /^("""|''')/.exec(value)?.[1];
  return quotes !== undefined && value.split(quotes).length < 3;
}

function words(value: string, toml: boolean): readonly string[] {
  if (!toml) return value.split(/\s+/).filter((word) => word !== '');
  const strings = [...value.matchAll(/"""([\s\S]*?)"""|'''([\s\S]*?)'''|"([^"]*)"|'([^']*)'/g)];
  return strings
    .flatMap((match) => (match[1] ?? match[2] ?? match[3] ?? match[4] ?? '').split(/\s+/))
    .filter((word) => word !== '');
}

/** fnmatch: `*` crosses slashes. */
function globMatches(text: string, glob: string): boolean {
  const source = glob.replace(/\[!?[^\]]+\]|[*?]|[.+^${}()|[\]\\]/g, (part) => {
    if (part === '*') return '.*';
    if (part === '?') return '.';
    if (part.length > 1) return part.replace('[!', '[^').replaceAll('\\', '\\\\');
    return `\\${part}`;
  });
  return new RegExp(`^${source}$`, 's').test(text);
}
