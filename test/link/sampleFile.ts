// The folders of `samples/`: each a tiny codebase and, in `expect.json`, one of its tests and what its gist must be.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

export interface SampleFile {
  /** What the sample is about, for people. */
  readonly about: string;
  /** Node id of the test. */
  readonly node: string;
  /** Outcome of the test's call as pytest reports it; `passed` where it is not given. */
  readonly outcome?: string;
  /** Where phases differ: each kind of phase and outcome that pytest reports, for example `setup failed`. */
  readonly phases?: readonly string[];
  /** Exit status of pytest, where it is not that of `outcome`. */
  readonly status?: number;
  /** What the first candidate lacks: only the engine, which repairs candidates, makes a gist that verifies. */
  readonly repaired?: string;
  /** Modules that keep a namespace of their own in the first candidate. */
  readonly held?: readonly string[];
  /** Lines that the gist has, indentation aside. */
  readonly has?: readonly string[];
  /** Text that no line of the gist has. */
  readonly hasNot?: readonly string[];
  /** How many lines, blank ones aside, are not from the codebase at most. */
  readonly added: number;
}

export interface Sample extends SampleFile {
  readonly name: string;
  /** Absolute path of the codebase. */
  readonly repo: string;
}

/** All samples, by name. */
export function readSamples(): readonly Sample[] {
  const folder = path.join(import.meta.dirname, 'samples');
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const repo = path.join(folder, name);
      const facts = JSON.parse(readFileSync(path.join(repo, 'expect.json'), 'utf8')) as SampleFile;
      return { ...facts, name, repo };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
