// A Task says what is to be gistified and how it is run; it is normalized once and never changed.

export type LayoutChoice = 'auto' | 'flat' | 'held';
export type ReduceChoice = 'executed' | 'minimal';
/** `devcontainer:` names one configuration of several. */
export type SandboxChoice = 'auto' | 'local' | 'devcontainer' | `devcontainer:${string}` | `docker:${string}`;

/** What a run may do that it otherwise may not; each is the user's own word. */
export type Allowance = 'network' | 'initialize-command' | 'install' | 'unconfined';

/** Bounds of a run. */
export interface Isolation {
  readonly allow: readonly Allowance[];
  /** Bytes of memory a container may use. */
  readonly memory: number;
  /** Processes that may be alive at a time in a container. */
  readonly processes: number;
  /** Variables of the user's environment that a run gets beyond the usual ones: names, or names with values. */
  readonly variables: readonly string[];
}

export const defaultIsolation: Isolation = {
  allow: [],
  memory: 4 * 1024 ** 3,
  processes: 512,
  variables: [],
};

export interface Task {
  /** Absolute path of the codebase (the pytest rootdir). */
  readonly repo: string;
  /** Repo-relative pytest node id, POSIX separators; or a command (`python -m package …`), see base/command.ts. */
  readonly nodeId: string;
  /** Absolute path of the interpreter; in a container, where '' stands for the one found there. */
  readonly python: string;
  /** Further pytest arguments, as the user gave them after `--`. */
  readonly pytestArgs: readonly string[];
  readonly layout: LayoutChoice;
  readonly reduce: ReduceChoice;
  readonly sandbox: SandboxChoice;
  /** `defaultIsolation` where there is none. */
  readonly isolation?: Isolation;
  /** Wall-clock limit of one pytest run, in seconds. */
  readonly timeout: number;
  /** Seconds that `minimal` may take to reduce further; 120 where it is absent. */
  readonly budget?: number;
  readonly keepDocstrings: boolean;
}
