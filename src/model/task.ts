// A Task says what is to be gistified and how it is run; it is normalized once and never changed.

export type LayoutChoice = 'auto' | 'flat' | 'held';
export type ReduceChoice = 'executed';
export type SandboxChoice = 'local';

export interface Task {
  /** Absolute path of the codebase (the pytest rootdir). */
  readonly repo: string;
  /** Repo-relative pytest node id, POSIX separators. */
  readonly nodeId: string;
  /** Absolute path of the interpreter. */
  readonly python: string;
  /** Further pytest arguments, as the user gave them after `--`. */
  readonly pytestArgs: readonly string[];
  readonly layout: LayoutChoice;
  readonly reduce: ReduceChoice;
  readonly sandbox: SandboxChoice;
  /** Wall-clock limit of one pytest run, in seconds. */
  readonly timeout: number;
  readonly keepDocstrings: boolean;
}
