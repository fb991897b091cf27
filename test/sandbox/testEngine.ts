// The container engine that tests run on, with the image made for them by .ci/containerEngine; or the reason why not.
import process from 'node:process';
import { GistifyError } from '../../src/base/gistifyError.js';
import { findEngine } from '../../src/sandbox/dockerImage.js';
import type { ContainerEngine } from '../../src/sandbox/containerEngine.js';

export const testImage = 'gistify-test:bookworm';

export type TestEngine =
  | { readonly engine: ContainerEngine; readonly reason: '' }
  | { readonly engine: null; readonly reason: string };

/** Says on stderr why container tests cannot run, where they cannot. */
export async function testEngine(): Promise<TestEngine> {
  const found = await look();
  if (found.engine === null)
    process.stderr.write(
      `container tests are skipped: ${found.reason}; .ci/containerEngine makes one as root on Debian\n`,
    );
  return found;
}

async function look(): Promise<TestEngine> {
  try {
    const engine = await findEngine(environment());
    await engine.docker.getImage(testImage).inspect();
    return { engine, reason: '' };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return {
      engine: null,
      reason: error instanceof GistifyError ? words : `the engine has no image ${testImage}`,
    };
  }
}

/** The environment as the engine takes it. */
export function environment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
