// A repository of a dataset flows in, a folder with its codebase flows out: one that stands in, one of the disk, or a
// checkout or unpacked release in the cache, made at most once and whole or not at all.
import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { GistifyError } from '../base/gistifyError.js';
import type { Repository } from './dataset.js';

export interface Places {
  /** Folder of which each subfolder named as a repository stands in for it, or null. */
  readonly root: string | null;
  /** Folder of the dataset file. */
  readonly datasetFolder: string;
  readonly cache: string;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/** Where checkouts, releases and environments are kept between runs. */
export function cacheFolder(env: Readonly<Record<string, string>>): string {
  return join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'gistify', 'bench');
}

/** Where this repository's codebase comes from, when nothing has to be fetched; null where it must be. */
export function standingFolder({ name, source }: Repository, places: Places): string | null {
  const standIn = places.root === null ? null : join(places.root, name);
  if (standIn !== null && isFolder(standIn)) return standIn;
  if (!('folder' in source)) return null;
  const folder = resolve(places.datasetFolder, source.folder);
  if (isFolder(folder)) return folder;
  throw new GistifyError(
    'repo-not-found',
    `there is no folder ${folder} for ${name}`,
    'Mend the dataset, or name a folder that holds it with --root.',
  );
}

/** The codebase of a repository as a folder of this machine. `python` unpacks releases. */
export async function repositoryFolder(
  repository: Repository,
  python: string,
  places: Places,
): Promise<string> {
  const standing = standingFolder(repository, places);
  if (standing !== null) return realpath(standing);
  const { name, source } = repository;
  if ('git' in source)
    return once(
      join(places.cache, 'repositories', `${name}-${source.commit.slice(0, 12)}`),
      async (folder) => {
        places.log(`fetching ${source.git} at ${source.commit}`);
        await checkOut(source.git, source.commit, folder, places.signal);
      },
    );
  if ('package' in source)
    return once(join(places.cache, 'repositories', source.package.replace('==', '-')), async (folder) => {
      places.log(`fetching ${source.package}`);
      const args = ['-m', 'pip', 'install', '-q', '--no-input', '--disable-pip-version-check'];
      await call(
        python,
        [...args, '--no-deps', '--no-compile', '--target', folder, source.package],
        places.signal,
      );
    });
  throw new GistifyError('internal', `no way to have ${name}`);
}

async function checkOut(address: string, commit: string, folder: string, signal: AbortSignal): Promise<void> {
  const git = (...args: string[]) => call('git', ['-C', folder, ...args], signal);
  await git('init', '--quiet');
  await git('remote', 'add', 'origin', address);
  // Not every server gives out a commit that is asked for by its hash alone.
  await git('fetch', '--quiet', '--depth', '1', 'origin', commit).catch(() =>
    git('fetch', '--quiet', '--tags', 'origin', '+refs/heads/*:refs/remotes/origin/*'),
  );
  await git('-c', 'advice.detachedHead=false', 'checkout', '--quiet', commit);
}

/** Makes a folder beside its place and moves it there when it is whole. */
export async function once(place: string, make: (folder: string) => Promise<void>): Promise<string> {
  if (existsSync(place)) return realpath(place);
  await mkdir(dirname(place), { recursive: true });
  const folder = await mkdtemp(`${place}.part-`);
  try {
    await make(folder);
    await rename(folder, place).catch((error: unknown) => {
      // Someone else was faster: theirs is as good.
      if (!existsSync(place)) throw error;
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return realpath(place);
}

/** Runs a program to its end; where it fails its own words are told. */
export async function call(program: string, args: readonly string[], signal: AbortSignal): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, args, { signal, maxBuffer: 1 << 26 });
    return stdout;
  } catch (error) {
    signal.throwIfAborted();
    const words = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    throw new GistifyError(
      'repo-not-found',
      `${[program, ...args].join(' ')} failed`,
      'Mend the dataset or the network; --root DIR lets folders of this machine stand in, --python PATH an interpreter.',
      words.trim().split('\n').slice(-10).join('\n'),
    );
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
