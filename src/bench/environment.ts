// A repository's recipe flows in, an interpreter and the variables of its runs flow out: seeds, time zone and locale
// are pinned, so that the same run twice gives the same numbers.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { GistifyError } from '../base/gistifyError.js';
import type { Repository } from './dataset.js';
import { call, once, type Places } from './repositoryFolder.js';

/** Variables that every run has, unless the dataset says otherwise. */
export const pinnedVariables: Readonly<Record<string, string>> = {
  PYTHONHASHSEED: '0',
  TZ: 'UTC',
  LC_ALL: 'C.UTF-8',
};

/** The interpreter for a repository: an environment of its recipe, made at most once; null where it has none. */
export async function recipePython({ environment }: Repository, places: Places): Promise<string | null> {
  const { packages, python } = environment;
  if (packages === undefined) return null;
  const key = createHash('sha256')
    .update(JSON.stringify([python, packages]))
    .digest('hex')
    .slice(0, 12);
  const base = python === undefined ? 'python3' : `python${python}`;
  const folder = await once(
    join(places.cache, 'environments', `python${python ?? '3'}-${key}`),
    async (part) => {
      places.log(`making an environment with ${packages.join(', ')}`);
      // Its scripts would name the folder that it is made in; only the interpreter is used, by its path.
      await call(base, ['-m', 'venv', part], places.signal);
      const pip = ['-m', 'pip', 'install', '-q', '--no-input', '--disable-pip-version-check'];
      await call(join(part, 'bin', 'python'), [...pip, ...packages], places.signal);
    },
  );
  return join(folder, 'bin', 'python');
}

/** All variables of a repository's runs. */
export function runVariables(
  { pythonPath, variables }: Repository,
  folder: string,
  env: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const all: Record<string, string> = { ...env, ...pinnedVariables, ...variables };
  delete all['PYTHONPATH'];
  if (pythonPath.length > 0) all['PYTHONPATH'] = pythonPath.map((entry) => join(folder, entry)).join(':');
  return all;
}

export interface InterpreterFacts {
  readonly python: string;
  /** Installed distributions, name to version. */
  readonly packages: Readonly<Record<string, string>>;
}

const factsProgram = `
import json, sys
from importlib import metadata
found = {d.metadata["Name"]: d.version for d in metadata.distributions() if d.metadata["Name"]}
print(json.dumps({"python": "%d.%d.%d" % sys.version_info[:3], "packages": dict(sorted(found.items()))}))
`;

/** Versions of an interpreter and of all that is installed for it. */
export async function interpreterFacts(python: string, signal: AbortSignal): Promise<InterpreterFacts> {
  const text = await call(python, ['-c', factsProgram], signal);
  try {
    return JSON.parse(text) as InterpreterFacts;
  } catch (error) {
    throw new GistifyError('python-not-found', `${python} did not tell its packages`, '', String(error));
  }
}
