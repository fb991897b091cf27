// Options that several commands share: which codebase, which interpreter, which file the node id is in.
import { execFile } from 'node:child_process';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, join, relative, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { isCommand } from '../base/command.js';
import { GistifyError } from '../base/gistifyError.js';
import { codebaseOf } from '../engine/codebase.js';

export interface Place {
  /** Absolute real path of the codebase. */
  readonly repo: string;
  /** Node id relative to it. */
  readonly nodeId: string;
}

/** Finds the codebase of a node id and makes the id relative to it. */
export async function placeOf(nodeId: string, repoOption: string | undefined, cwd: string): Promise<Place> {
  const [file = '', ...rest] = nodeId.split('::');
  if (file === '' || rest.length === 0 || rest.includes('')) {
    throw new GistifyError(
      'usage',
      `${JSON.stringify(nodeId)} is not a node id of one test`,
      'A node id reads path/to/test_file.py::test_name or path/to/test_file.py::TestClass::test_name.',
    );
  }
  const base = repoOption === undefined ? cwd : resolve(cwd, repoOption);
  if (repoOption !== undefined && !isFolder(base))
    throw new GistifyError('repo-not-found', `there is no folder ${base}`, 'Give the codebase with --repo.');
  const found = [resolve(base, file), resolve(cwd, file)].find((path) => existsSync(path));
  if (found === undefined)
    throw new GistifyError(
      'file-not-found',
      `there is no file ${file} in ${base}`,
      'Node ids are relative to the codebase (--repo) or to the current folder.',
    );
  const repo = realpathSync(repoOption === undefined ? (await codebaseOf(found, null)).root : base);
  const inside = relative(repo, realpathSync(found)).split(sep).join('/');
  if (inside.startsWith('..'))
    throw new GistifyError(
      'usage',
      `${file} is not inside ${repo}`,
      'Give the codebase that holds the test with --repo.',
    );
  return { repo, nodeId: [inside, ...rest].join('::') };
}

/** Finds the codebase of a command: the folder that it runs in. */
export function placeOfCommand(command: string, repoOption: string | undefined, cwd: string): Place {
  if (!isCommand(command))
    throw new GistifyError(
      'usage',
      `${JSON.stringify(command)} is no command that can be gistified`,
      'For example --command "python -m package --flag" or --command "python script.py".',
    );
  const base = resolve(cwd, repoOption ?? '.');
  if (!isFolder(base))
    throw new GistifyError('repo-not-found', `there is no folder ${base}`, 'Give the codebase with --repo.');
  return { repo: realpathSync(base), nodeId: command };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The interpreter to use, as an absolute path. */
export async function findPython(
  option: string | undefined,
  repo: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  if (option !== undefined) {
    const path = option.includes(sep) ? resolve(cwd, option) : onPath(option, env);
    if (path === undefined || !existsSync(path))
      throw new GistifyError(
        'python-not-found',
        `there is no interpreter ${option}`,
        'Give one with --python.',
      );
    return path;
  }
  const virtual = env['VIRTUAL_ENV'];
  const candidates = [
    ...(virtual === undefined ? [] : [virtual]),
    join(repo, '.venv'),
    join(repo, 'venv'),
  ].map((folder) => join(folder, 'bin', 'python'));
  const found =
    candidates.find((path) => existsSync(path)) ?? onPath('python3', env) ?? onPath('python', env);
  if (found === undefined)
    throw new GistifyError(
      'python-not-found',
      'no Python interpreter was found',
      'Install Python 3.8 or newer, or give one with --python.',
    );
  // A shim (pyenv, asdf) costs time at every start: ask it once where the interpreter is.
  try {
    const { stdout } = await promisify(execFile)(found, ['-c', 'import sys; print(sys.executable)'], {
      env,
      cwd: repo,
    });
    const real = stdout.trim();
    return real !== '' && existsSync(real) ? real : found;
  } catch {
    return found;
  }
}

function onPath(name: string, env: Readonly<Record<string, string>>): string | undefined {
  return (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

/** The environment without undefined entries. */
export function givenEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** A positive number of seconds. */
export function secondsOption(value: string | undefined, fallback: number, option = 'timeout'): number {
  if (value === undefined) return fallback;
  const seconds = Number(value);
  if (!Number.isFinite(seconds) || seconds <= 0)
    throw new GistifyError(
      'usage',
      `--${option} needs a positive number of seconds, not ${JSON.stringify(value)}`,
      `For example --${option} 60.`,
    );
  return seconds;
}

/** Folder of a file that is about to be written; it must exist. */
export function writableTarget(file: string, cwd: string): string {
  const path = resolve(cwd, file);
  if (!isFolder(dirname(path)))
    throw new GistifyError(
      'usage',
      `there is no folder ${dirname(path)} to write ${file} into`,
      'Make it first, or choose another file.',
    );
  if (isFolder(path)) throw new GistifyError('usage', `${path} is a folder`, 'Name a file.');
  return path;
}

/** One of the words that an option takes. */
export function oneOf<T extends string>(
  option: string,
  value: string | undefined,
  allowed: readonly T[],
  fallback: T,
): T {
  if (value === undefined) return fallback;
  const found = allowed.find((known) => known === value);
  if (found === undefined)
    throw new GistifyError(
      'usage',
      `--${option} takes ${allowed.join(', ')}, not ${JSON.stringify(value)}`,
      'See gistify --help.',
    );
  return found;
}
