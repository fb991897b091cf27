// The interpreters that tests run Python with: environments under the cache folder, made at most once.
import { fileURLToPath } from 'node:url';
import { allPythons, basePython, ensureVenv } from '../scripts/pythonEnv.mjs';

export interface FurtherPython {
  /** `3.12` */
  readonly version: string;
  /** An interpreter that has pytest, or null where it cannot be given one. */
  readonly python: string | null;
  /** Why `python` is null; '' where it is not. */
  readonly reason: string;
}

/** The interpreter of the environment that has all of test/requirements.txt. */
export async function testPython(): Promise<string> {
  return ensureVenv(pathOf('requirements.txt'), await basePython());
}

/** All interpreters of this machine but the base one, each with pytest or with the reason why it has none. */
export async function furtherPythons(): Promise<readonly FurtherPython[]> {
  const base = await basePython();
  const others = (await allPythons()).filter((found) => found.version !== base.version);
  const ready: FurtherPython[] = [];
  for (const found of others) {
    try {
      ready.push({
        version: found.version,
        python: await ensureVenv(pathOf('requirements-minimal.txt'), found),
        reason: '',
      });
    } catch (error) {
      ready.push({
        version: found.version,
        python: null,
        reason: error instanceof Error ? error.message : String(error),
      });
    }
  }
  return ready;
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}
