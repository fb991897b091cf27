// A gist's text flows in, what pytest says of it by itself flows out: the codebase is not on its path, and nothing is left behind.
import { basename } from 'node:path';
import type { RunOutcome } from '../model/outcome.js';
import type { GistRun } from '../model/trace.js';
import { createLocalSandbox } from '../sandbox/localSandbox.js';
import { runGist } from '../trace/runPytest.js';

export interface GistFileInput {
  readonly text: string;
  /** Base name of the file; names in output come from it. */
  readonly fileName: string;
  /** Node id without the file. */
  readonly test: string;
  readonly python: string;
  /** Folder of the helper's files. */
  readonly helper: string;
  readonly env: Readonly<Record<string, string>>;
  /** In seconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

export interface GistFileRun {
  /** Null where pytest could not report. */
  readonly outcome: RunOutcome | null;
  readonly lines: GistRun['lines'];
  /** The end of what pytest printed. */
  readonly printed: string;
  readonly timedOut: boolean;
}

export async function runGistFile(input: GistFileInput): Promise<GistFileRun> {
  const sandbox = createLocalSandbox();
  try {
    const folder = await sandbox.folder('gist');
    const { run, tail, timedOut } = await runGist(
      { ...input, sandbox },
      {
        ...{ folder, text: input.text, test: input.test, pytestArgs: [], pythonPath: [], block: [] },
        fileName: basename(input.fileName),
        shadow: '',
        traceLines: true,
      },
    );
    return { outcome: run?.outcome ?? null, lines: run?.lines ?? null, printed: tail, timedOut };
  } finally {
    await sandbox.dispose();
  }
}
