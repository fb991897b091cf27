// What a run is flows in, `run.json` flows out: dataset, agents, options, versions and hashes. A later run into the same
// store must be of the same kind; what it adds (agents, machines) is recorded beside it.
import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { GistifyError } from '../base/gistifyError.js';
import { agentSchema, type Agent } from './agents.js';
import { parseJson } from './dataset.js';
import type { ResultStore } from './resultStore.js';

const runManifest = z.strictObject({
  schema: z.literal(1),
  dataset: z.strictObject({ name: z.string(), sha256: z.string(), tasks: z.int().nonnegative() }),
  agents: z.array(agentSchema),
  timeout: z.number().positive(),
  /** Variables that all runs had, whatever the machine. */
  pinned: z.record(z.string(), z.string()),
});

const session = z.strictObject({
  schema: z.literal(1),
  started: z.string(),
  shard: z.string(),
  gistify: z.string(),
  /** Hash of the program's own files. */
  code: z.string(),
  node: z.string(),
  platform: z.string(),
  repositories: z.record(
    z.string(),
    z.strictObject({ codebase: z.string(), python: z.string(), packages: z.record(z.string(), z.string()) }),
  ),
});

export type RunManifest = z.output<typeof runManifest>;
export type RunSession = z.output<typeof session>;

/** The JSON schemas of `run.json` and of the files under `sessions/`. */
export function manifestJsonSchema(): object {
  return z.toJSONSchema(runManifest, { io: 'input' });
}

export const sessionJsonSchema = (): object => z.toJSONSchema(session);

/** Reads the manifest of a store; null where there is none yet. */
export async function readManifest(store: ResultStore): Promise<RunManifest | null> {
  const text = await store.read('run.json');
  if (text === null) return null;
  const parsed = runManifest.safeParse(parseJson(text, `${store.where}/run.json`));
  if (parsed.success) return parsed.data;
  throw new GistifyError(
    'usage',
    `${store.where}/run.json is not the manifest of a run`,
    'Was it made by another version? Choose another place for results.',
    z.prettifyError(parsed.error),
  );
}

/** The sessions that worked on a store, in the order of their names. */
export async function readSessions(store: ResultStore): Promise<readonly RunSession[]> {
  const keys = await store.list('sessions');
  const texts = await Promise.all(keys.map((key) => store.read(key)));
  return texts.flatMap((text, at) => {
    const parsed = session.safeParse(parseJson(text ?? 'null', keys[at] ?? ''));
    return parsed.success ? [parsed.data] : [];
  });
}

/** What both manifests say together; throws where one run cannot be both. */
export function joinManifests(known: RunManifest, more: RunManifest, where: string): RunManifest {
  const refuse = (what: string) =>
    new GistifyError(
      'usage',
      `${where} holds results of another run: ${what}`,
      'Choose another place for the results.',
    );
  if (known.dataset.sha256 !== more.dataset.sha256)
    throw refuse(
      `its dataset is ${known.dataset.name} (${known.dataset.sha256}), not ${more.dataset.name} (${more.dataset.sha256})`,
    );
  if (known.timeout !== more.timeout) throw refuse(`its time limit is ${known.timeout} s`);
  if (JSON.stringify(known.pinned) !== JSON.stringify(more.pinned))
    throw refuse('its pinned variables differ');
  const agents = new Map<string, Agent>(known.agents.map((agent) => [agent.name, agent]));
  for (const agent of more.agents) {
    const same = agents.get(agent.name);
    if (same !== undefined && JSON.stringify(same) !== JSON.stringify(agent))
      throw refuse(`its agent ${agent.name} has other options`);
    agents.set(agent.name, agent);
  }
  return { ...known, agents: [...agents.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
}

/** Hash of all files of the program: what made the numbers. */
export async function hashProgram(root: string): Promise<string> {
  const hash = createHash('sha256');
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && /\.(js|py|wasm)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  for (const file of files)
    hash
      .update(file.slice(root.length))
      .update('\0')
      .update(await readFile(file));
  return hash.digest('hex').slice(0, 16);
}

/** Hash of the Python files of a codebase. */
export function hashCodebase(files: readonly { readonly file: string; readonly text: string }[]): string {
  const hash = createHash('sha256');
  for (const { file, text } of files) hash.update(file).update('\0').update(text).update('\0');
  return `tree:${hash.digest('hex').slice(0, 16)}`;
}
