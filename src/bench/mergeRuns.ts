// Stores of shards flow in, one store with all their finished tasks flows out; nothing that is there is written again,
// so that a merge that was stopped is simply made again.
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { GistifyError } from '../base/gistifyError.js';
import type { ResultStore } from './resultStore.js';
import { finishedTasks } from './runBench.js';
import { joinManifests, readManifest } from './runManifest.js';
import { fidelityOf, parseResult } from './taskResult.js';

export interface Merged {
  readonly taken: number;
  /** Tasks that more than one store had finished. */
  readonly known: number;
  /** Those of them whose fidelity was not the same: the first stays. */
  readonly disagreeing: readonly string[];
}

/** Adds the finished tasks of the sources to the target. */
export async function mergeRuns(sources: readonly ResultStore[], target: ResultStore): Promise<Merged> {
  let manifest = await readManifest(target);
  const there = new Set(await finishedTasks(target));
  const disagreeing: string[] = [];
  let [taken, known] = [0, 0];
  for (const source of sources) {
    const own = await readManifest(source);
    if (own === null)
      throw new GistifyError('file-not-found', `${source.where} holds no run`, 'Name the results of shards.');
    manifest = manifest === null ? own : joinManifests(manifest, own, target.where);
    await target.write('run.json', `${JSON.stringify(manifest, null, 1)}\n`);
    for (const key of ['dataset.json', ...(await source.list('sessions'))]) {
      const text = await source.read(key);
      if (text !== null && (await target.read(key)) === null) await target.write(key, text);
    }
    const files = await source.list('tasks');
    for (const path of await finishedTasks(source)) {
      if (there.has(path)) {
        known += 1;
        if (!(await agree(source, target, path))) disagreeing.push(path);
        continue;
      }
      const staged = await target.stage();
      for (const key of files.filter((one) => one.startsWith(`${path}/`)))
        await writeFile(join(staged, basename(key)), (await source.read(key)) ?? '');
      await target.commit(staged, path);
      there.add(path);
      taken += 1;
    }
  }
  return { taken, known, disagreeing };
}

async function agree(source: ResultStore, target: ResultStore, path: string): Promise<boolean> {
  const [mine, theirs] = await Promise.all(
    [source, target].map(async (store) => {
      const text = await store.read(`${path}/result.json`);
      return text === null ? null : fidelityOf(parseResult(text, `${store.where}/${path}`));
    }),
  );
  return mine === theirs;
}
