// Options that the bench commands share: where codebases and interpreters come from, numbers, output files.
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { GistifyError } from '../../base/gistifyError.js';
import type { Repository } from '../../bench/dataset.js';
import { recipePython } from '../../bench/environment.js';
import { cacheFolder, repositoryFolder, standingFolder, type Places } from '../../bench/repositoryFolder.js';
import { findPython, givenEnvironment } from '../commonOptions.js';

/** Options of every command that needs codebases. */
export const placeOptions = {
  root: { type: 'string' },
  python: { type: 'string' },
  jobs: { type: 'string', short: 'j' },
  quiet: { type: 'boolean', short: 'q' },
  verbose: { type: 'boolean', short: 'v' },
} as const;

interface PlaceValues {
  readonly root?: string | undefined;
  readonly python?: string | undefined;
}

export interface Prepared {
  readonly folder: string;
  readonly python: string;
}

/** How the codebase and the interpreter of a repository are had; each is made at most once. */
export function preparer(
  values: PlaceValues,
  datasetFile: string,
  signal: AbortSignal,
  log: (line: string) => void,
): (repository: Repository) => Promise<Prepared> {
  const cwd = process.cwd();
  const env = givenEnvironment();
  const places: Places = {
    root: values.root === undefined ? null : resolve(cwd, values.root),
    datasetFolder: dirname(resolve(cwd, datasetFile)),
    cache: cacheFolder(env),
    signal,
    log,
  };
  return async (repository) => {
    const standing = standingFolder(repository, places);
    const recipe = values.python === undefined ? await recipePython(repository, places) : null;
    const python = recipe ?? (await findPython(values.python, standing ?? cwd, cwd, env));
    return { folder: await repositoryFolder(repository, python, places), python };
  };
}

/** A whole number of at least `least`. */
export function countOption(name: string, value: string | undefined, fallback: number, least = 1): number {
  if (value === undefined) return fallback;
  const count = Number(value);
  if (!Number.isInteger(count) || count < least)
    throw new GistifyError(
      'usage',
      `--${name} needs a whole number of at least ${least}, not ${JSON.stringify(value)}`,
      'See gistify bench --help.',
    );
  return count;
}

/** How many tasks run at a time. */
export function jobsOption(value: string | undefined): number {
  return countOption('jobs', value, availableParallelism());
}

/** `NAME=VALUE` words as variables. */
export function variablesOption(words: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf('=');
      if (at < 1)
        throw new GistifyError(
          'usage',
          `--env takes NAME=VALUE, not ${JSON.stringify(word)}`,
          'For example --env SEED=1.',
        );
      return [word.slice(0, at), word.slice(at + 1)] as const;
    }),
  );
}
