// `expect.json` of a case: what to run, and what must be seen. All that a case demands stands there as data.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

export interface CaseFile {
  readonly id: string;
  readonly nodeid: string;
  /** Further arguments for pytest. */
  readonly args: readonly string[];
  /** Environment variables, for the tool and for the gist. */
  readonly env: Readonly<Record<string, string>>;
  /** `3.11` stands for the interpreter of the tests; others are asked for by version. */
  readonly python: string;
  /** Packages beside pytest. */
  readonly requires: readonly string[];
  /** `passed`, …; `error` and `deselected` mean that nothing can be made. */
  readonly outcome: string;
  /** Counts as pytest prints them, for example `1 passed, 1 error`. */
  readonly pytest_summary: string;
  readonly output_contains: readonly string[];
  readonly gist_must_contain: readonly string[];
  /** `{root}` stands for the absolute path of the codebase. */
  readonly gist_must_not_contain: readonly string[];
  /** The demand in words. */
  readonly right_result: string;
  readonly also?: Also;
}

/** What the words of `right_result` demand beyond the fields above. */
export interface Also {
  /** Words of which an honest refusal (exit status 3) names at least one. Without this field no refusal is right. */
  readonly refusal?: readonly string[];
  /** Nothing can be made: exit status 4, with each of these words. */
  readonly error?: readonly string[];
  /** Words that the gist, or the report's diagnostics and environment, must have. */
  readonly notes?: readonly string[];
  /** Environment variables that the report must name as read. */
  readonly variables?: readonly string[];
  /** File that a line of the gist is from, by the line's text without indentation. */
  readonly origins?: Readonly<Record<string, string>>;
  readonly gist?: readonly string[];
  readonly notGist?: readonly string[];
  readonly output?: readonly string[];
  /** Lines that the gist prints in this order, each once. */
  readonly order?: readonly string[];
  /** The gist's run prints the lines that the original's run prints, under the hash seed that the report names. */
  readonly sameOutput?: boolean;
  /** The gist is run whole, not by node id. */
  readonly whole?: boolean;
  /** The gist run as a script. */
  readonly script?: { readonly status: number; readonly notOutput: readonly string[] };
  /** More runs of the gist. */
  readonly runs?: readonly GistRun[];
  /** More tests of the same codebase, each gistified by itself. */
  readonly nodes?: readonly (Pick<Also, 'gist' | 'error'> & {
    readonly nodeid: string;
    readonly summary?: string;
  })[];
  /** A run of the tool that is interrupted after this time: it ends as cancelled and leaves no file. */
  readonly interrupted?: { readonly seconds: number };
  /** Environment variables for the tool alone. */
  readonly env?: Readonly<Record<string, string>>;
  /** The codebase is made read-only first. */
  readonly readOnly?: boolean;
  /** Requirements file beside this one, for an environment of its own. */
  readonly requirements?: string;
}

export interface GistRun {
  readonly what: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly whole?: boolean;
  /** The gist lies in the codebase's test folder, and the project's own settings apply. */
  readonly inside?: boolean;
  readonly summary: string;
  readonly output?: readonly string[];
  readonly notOutput?: readonly string[];
}

export async function readCase(folder: string): Promise<CaseFile> {
  return JSON.parse(await readFile(path.join(folder, 'expect.json'), 'utf8')) as CaseFile;
}
