// The Report is everything one run found out, as JSON with a schema number; every host shows the same one.
import type { AgentSummary } from './agentSummary.js';
import type { Diagnostic } from './diagnostic.js';
import type { HeldModule, Origin } from './gist.js';
import type { RunOutcome } from './outcome.js';
import type { Score } from './score.js';
import type { Task } from './task.js';

export const reportSchema = 1;

/** `yes`/`no` for lines that coverage.py calls executable, `none` for all others. */
export type Ran = 'yes' | 'no' | 'none';

export interface ReportLine {
  readonly origin: Origin;
  readonly ran: Ran;
}

/** A function of the gist. */
export interface CalledFunction {
  /** Qualified by classes and functions around it. */
  readonly name: string;
  /** 1-based line of its `def` in the gist. */
  readonly line: number;
  /** How often the original run called it; null where that is not known. */
  readonly calls: number | null;
}

/** Who called whom, by index into `functions`; -1 stands for imports and for pytest itself. */
export interface CallGraph {
  readonly functions: readonly CalledFunction[];
  readonly edges: readonly (readonly [caller: number, callee: number])[];
}

export interface StageTime {
  readonly stage: string;
  readonly seconds: number;
}

/** What `--reduce minimal` did; line counts are of code: neither empty nor a comment of its own. */
export interface Reduction {
  readonly kind: 'minimal';
  readonly linesBefore: number;
  readonly linesAfter: number;
  readonly candidates: number;
  readonly seconds: number;
  /** False where a cancel or the budget ended it. */
  readonly complete: boolean;
  /** What every candidate had to keep, as gistify_condition.py reads it. */
  readonly keeps: Readonly<Record<string, unknown>>;
}

export interface Report {
  readonly schema: typeof reportSchema;
  readonly task: Task;
  readonly gist: { readonly text: string; readonly file: string | null };
  /** One entry a line of the gist. */
  readonly lines: readonly ReportLine[];
  /** Absent in reports of earlier versions; null where the gist did not run. */
  readonly calls?: CallGraph | null;
  readonly verified: boolean;
  /** Null or absent where the gist holds all that ran; then `verified` says that outcome and output are the original's. */
  readonly reduction?: Reduction | null;
  /** Top-level modules of the codebase, which no run of the gist could import; absent in reports of earlier versions. */
  readonly blocked?: readonly string[];
  readonly score: Score;
  readonly layout: { readonly kind: 'flat' | 'mixed' | 'held'; readonly held: readonly HeldModule[] };
  readonly original: RunOutcome;
  readonly observed: RunOutcome;
  readonly diagnostics: readonly Diagnostic[];
  readonly timings: readonly StageTime[];
  /** pytest runs made, the original's included. */
  readonly runs: number;
  readonly environment: {
    readonly python: string;
    readonly packages: Readonly<Record<string, string>>;
    readonly hashSeed: string;
    readonly variablesRead: readonly string[];
    readonly commit: string | null;
    /** Where the test ran and what it could not do there, in a sentence. */
    readonly sandbox?: string;
  };
  readonly versions: { readonly gistify: string };
  /** The language-model agent that made the gist; absent for the built-in one. */
  readonly agent?: AgentSummary;
}
