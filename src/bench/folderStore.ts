// Finished tasks flow into a folder of this machine: made aside, put in place by one rename.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';

import type { ResultStore } from './resultStore.js';

const stages = 'unfinished';

/** A store in a folder of this machine. */
export async function folderStore(root: string): Promise<ResultStore> {
  await mkdir(join(root, stages), { recursive: true });
  await sweep(join(root, stages));
  return {
    where: root,
    async list(prefix) {
      const entries = await readdir(join(root, prefix), { recursive: true, withFileTypes: true }).catch(
        () => [],
      );
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
        .toSorted();
    },
    read: (key) => readFile(join(root, key), 'utf8').catch(() => null),
    async write(key, text) {
      const target = join(root, key);
      await mkdir(dirname(target), { recursive: true });
      const part = `${target}.${process.pid}.part`;
      await writeFile(part, text);
      await rename(part, target);
    },
    stage: () => mkdtemp(join(root, stages, `${hostname()}-${process.pid}-`)),
    async commit(staged, path) {
      const target = join(root, path);
      await mkdir(dirname(target), { recursive: true });
      await rename(staged, target).catch(async (error: unknown) => {
        if (!existsSync(join(target, 'result.json'))) throw error;
        await rm(staged, { recursive: true, force: true });
      });
    },
  };
}

/** Removes what runs of this machine that are dead left unfinished. */
async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, pid] = name.startsWith(`${hostname()}-`) ? (/-(\d+)-\w+$/.exec(name) ?? []) : [];
    if (pid !== undefined && !isAlive(Number(pid)))
      await rm(join(folder, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
