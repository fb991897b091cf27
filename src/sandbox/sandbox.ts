// A sandbox runs commands somewhere with a limit and a signal; stages know only this contract.

export interface Command {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Complete environment of the process: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Wall-clock limit in seconds. */
  readonly timeout: number;
}

export interface Ended {
  /** Exit status; 128 + signal where a signal ended it; null where the limit did. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
}

export interface Sandbox {
  readonly kind: 'local';
  /** Makes a private empty folder, removed by `dispose`. */
  folder(prefix: string): Promise<string>;
  run(command: Command, signal: AbortSignal): Promise<Ended>;
  dispose(): Promise<void>;
}
