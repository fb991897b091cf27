// The three measures of the GISTIFY paper (arXiv 2510.26790, section 2.3), as counts, and test F1 (appendix A).

export type FailureKind =
  | 'none'
  | 'no-file'
  | 'syntax-error'
  | 'test-missing'
  | 'test-changed'
  | 'codebase-import'
  | 'import-error'
  | 'pytest-error'
  | 'wrong-outcome'
  | 'wrong-output'
  | 'timeout';

export interface Ratio {
  readonly hit: number;
  readonly total: number;
}

export interface Score {
  /** Execution fidelity: 1 where outcome, stdout, stderr and error of every instance and phase are equal. */
  readonly fidelity: 0 | 1;
  /** Why fidelity is 0; empty where it is 1. */
  readonly problems: readonly string[];
  readonly failure: FailureKind;
  /** Executed over executable lines by coverage.py's definition; null where the gist did not run. */
  readonly execution: Ratio | null;
  /** Statements of the gist that stand in the codebase, matched block by block. */
  readonly existence: Ratio;
  /** Statements that do not, with the block they stand in. */
  readonly invented: readonly {
    readonly line: number;
    readonly block: string;
    readonly text: string;
    readonly nearest: string | null;
  }[];
  /** Agreement of the test's body with the original, 0 to 1; null where either has no such test. */
  readonly testF1: number | null;
}
