// A plan that mounts the codebase flows in, an open sandbox flows out that really holds it: where the engine stands on
// another machine and does not see this disk, the codebase goes there as an archive instead.
import { createHash } from 'node:crypto';
import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { GistifyError } from '../base/gistifyError.js';
import { leftBehind } from './containerPool.js';
import { openContainer, type ContainerRequest } from './containerSandbox.js';
import type { OpenedSandbox } from './sandbox.js';

/** `witness` is a file of the codebase, whose text shows whether the container has the same. */
export async function openWithCodebase(
  request: ContainerRequest,
  witness: string,
  log: (line: string) => void,
): Promise<OpenedSandbox> {
  const { plan } = request;
  const { repo, root } = plan.codebase;
  try {
    const opened = await openContainer(request);
    // Cancelled in between, nobody else would close it.
    const [here, there] = await Promise.all([
      readFile(join(repo, witness), 'utf8').catch(() => null),
      opened.sandbox.read(`${root}/${witness}`),
    ]).catch(async (error: unknown) => {
      await opened.sandbox.dispose();
      throw error;
    });
    if (here === null || here === there) return opened;
    await opened.sandbox.dispose();
  } catch (error) {
    if (
      !(error instanceof GistifyError) ||
      !/bind source path does not exist|statfs .*no such file/i.test(error.details)
    )
      throw error;
  }
  log('the engine does not see this disk: the codebase goes there as an archive');
  const opened = await openContainer({
    ...request,
    plan: {
      ...plan,
      mounts: plan.mounts.filter(({ type }) => type !== 'bind'),
      codebase: { repo, root, copied: await fingerprint(repo) },
    },
  });
  return { ...opened, words: `${opened.words} (codebase copied)` };
}

/** Changes when a file of the codebase does. */
async function fingerprint(repo: string): Promise<string> {
  const sum = createHash('sha256');
  const walk = async (folder: string): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (leftBehind.has(entry.name)) continue;
      const file = join(folder, entry.name);
      if (entry.isDirectory()) await walk(file);
      else {
        const state = await stat(file).catch(() => null);
        sum.update(`${file}\0${state?.size ?? 0}\0${state?.mtimeMs ?? 0}\0`);
      }
    }
  };
  await walk(repo);
  return sum.digest('hex').slice(0, 16);
}
