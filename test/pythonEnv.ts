// The interpreters that tests run Python with: environments under the cache folder, made at most once.
import { fileURLToPath } from 'node:url';
import { allPythons, basePython, ensureVenv, tryVenv } from '../scripts/pythonEnv.mjs';

export interface FurtherPython {
  /** `3.12` */
  readonly version: string;
  /** The interpreter as installed: it has the standard library for certain, and no more. */
  readonly bare: string;
  /** An interpreter of the same version that has pytest, or null where it cannot be given one. */
  readonly python: string | null;
  /** Why `python` is null; '' where it is not. */
  readonly reason: string;
}

/** The interpreter of the environment that has all of test/requirements.txt. */
export async function testPython(): Promise<string> {
  return ensureVenv(pathOf('requirements.txt'), await basePython());
}

/** The base interpreter with pytest and nothing else. */
export async function minimalPython(): Promise<string> {
  return ensureVenv(pathOf('requirements-minimal.txt'), await basePython());
}

/** Every Python 3.8 to 3.14 of this machine but the base one, oldest first. */
export async function furtherPythons(): Promise<readonly FurtherPython[]> {
  const base = await basePython();
  const further: FurtherPython[] = [];
  for (const found of await allPythons()) {
    if (found.version === base.version) continue;
    const made = await tryVenv(pathOf('requirements-minimal.txt'), found);
    further.push({ version: found.version, bare: found.python, ...made });
  }
  return further;
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}
