// What one run of the engine carries from stage to stage; made once, closed over by nothing.
import type { Linked, LinkOptions } from '../link/link.js';
import type { DataLayout } from '../link/dataFiles.js';
import type { Program } from '../link/program.js';
import type { Host } from '../model/progress.js';
import type { Task } from '../model/task.js';
import type { Trace } from '../model/trace.js';
import type { PythonParser } from '../python/parse.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import type { CompareContext } from '../score/compareOutcomes.js';
import type { GistRunResult, PreparedRun, Runner } from '../trace/runPytest.js';

export interface Candidate {
  readonly linked: Linked;
  readonly result: GistRunResult;
  readonly problems: readonly string[];
  readonly options: LinkOptions;
}

export interface Session {
  readonly task: Task;
  readonly host: Host;
  readonly sandbox: Sandbox;
  readonly runner: Runner;
  readonly parser: PythonParser;
  readonly trace: Trace;
  readonly program: Program;
  readonly shadow: string;
  readonly block: readonly string[];
  readonly context: CompareContext;
  readonly pythonPath: readonly string[];
  readonly fileName: string;
  readonly data: DataLayout | null;
  /** Candidates by text: the same text is run once. */
  readonly tried: Map<string, Candidate>;
  runs: number;
  /** The interpreter that waits for the next candidate, if one does. */
  waiting: Promise<PreparedRun> | null;
  /** Work on a candidate's text that can be done while it is verified. */
  readonly ahead: (text: string) => void;
  clock: Clock;
}

export interface Clock {
  readonly times: Map<string, number>;
  measure<T>(stage: string, work: () => Promise<T> | T): Promise<T>;
}

export function createClock(): Clock {
  const times = new Map<string, number>();
  return {
    times,
    async measure(stage, work) {
      const start = performance.now();
      try {
        return await work();
      } finally {
        times.set(stage, (times.get(stage) ?? 0) + (performance.now() - start) / 1000);
      }
    },
  };
}
