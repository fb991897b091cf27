// What pytest itself reported of one run, per test instance and phase; never read from its printed text.

export type PhaseName = 'setup' | 'call' | 'teardown';

export interface PhaseFailure {
  /** Qualified exception type, for example `ValueError` or `requests.exceptions.InvalidURL`. */
  readonly type: string;
  readonly message: string;
  /** Text of the source line that raised, stripped. */
  readonly line: string;
}

export interface Phase {
  readonly when: PhaseName;
  /** `passed`, `failed`, `skipped`, `xpassed`, `xfailed`. */
  readonly outcome: string;
  /** Skip or xfail reason, '' where there is none. */
  readonly reason: string;
  readonly failure: PhaseFailure | null;
  /** Captured text by stream as pytest captured it in this phase. */
  readonly stdout: string;
  readonly stderr: string;
  readonly log: string;
}

export interface TestOutcome {
  /** The node id without its file part: `TestX::test_y[case]`. */
  readonly name: string;
  readonly phases: readonly Phase[];
}

export interface RunOutcome {
  readonly exitCode: number;
  readonly tests: readonly TestOutcome[];
  /** Errors of collection, in pytest's own words. */
  readonly collectErrors: readonly string[];
  readonly deselected: number;
  /** Files that a command wrote below its working folder, with the SHA-256 of their content; absent for tests. */
  readonly files?: Readonly<Record<string, string>>;
  /** What was printed while the tests were collected: the output of imports. None where it is absent. */
  readonly collectStdout?: string;
  readonly collectStderr?: string;
}
