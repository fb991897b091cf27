// Progress flows from the engine to a host; hosts show it and never parse it.

export interface Progress {
  readonly stage: 'start' | 'trace' | 'scan' | 'link' | 'verify' | 'prune' | 'agent' | 'score' | 'done';
  readonly message: string;
  /** 0 to 1, never falling within a run. */
  readonly fraction: number;
}

/** What a run needs of its host. `signal` cancels it, down to killing the process group. */
export interface Host {
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
  readonly log: (line: string) => void;
}
