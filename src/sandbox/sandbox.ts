// A sandbox holds files and runs commands somewhere with a limit and a signal; stages know only this contract.
// All paths of a run are paths as its commands see them; `inside` and `outside` lead from and to those of this machine.

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
  /** What the sandbox itself knows about the end, in a sentence; '' where nothing. */
  readonly note: string;
}

export interface CopyOptions {
  /** Names of files and folders that stay behind. */
  readonly skip: ReadonlySet<string>;
  /** Only files whose names match; all where null. Written so that JavaScript and Python read it alike. */
  readonly only: string | null;
}

export type SandboxKind = 'local' | 'docker' | 'devcontainer';

/** A process that is talked to by lines. */
export interface Conversation {
  send(line: string): void;
  /** Ends its input, then the process group. */
  close(): Promise<void>;
}

/** A process that was started ahead of its work, and waits for a line on its standard input. */
export interface Prepared {
  /** Hands over the line; the limit counts from now. */
  run(line: string, signal: AbortSignal): Promise<Ended>;
}

export interface Listener {
  readonly line: (line: string) => void;
  /** Once, with the last of what it wrote on its error stream. */
  readonly end: (words: string) => void;
}

export interface Sandbox {
  readonly kind: SandboxKind;
  /** A file or folder of this machine as commands see it; null where they do not. */
  inside(path: string): string | null;
  /** Text that commands wrote, with the names of the codebase's files on this machine. */
  outside(text: string): string;
  /** Makes a folder of Gistify's own files readable for commands; gives its path there. */
  bring(folder: string): Promise<string>;
  /** Makes a private empty folder, removed by `dispose`. */
  folder(prefix: string): Promise<string>;
  write(file: string, text: string): Promise<void>;
  /** Null where there is no such file. */
  read(file: string): Promise<string | null>;
  /** Copies what is in a folder into another, which is made where needed. */
  copy(from: string, to: string, options: CopyOptions): Promise<void>;
  run(command: Command, signal: AbortSignal): Promise<Ended>;
  /** Starts a process ahead of its work; `dispose` ends one that got none. Absent where the sandbox cannot. */
  prepare?(command: Command): Prepared;
  /** Starts a process to talk to; its `timeout` counts for nothing. Absent where the kind of sandbox has no way to. */
  converse?(command: Command, listener: Listener): Conversation;
  dispose(): Promise<void>;
}

/** A sandbox that is ready, with what it brings for runs. */
export interface OpenedSandbox {
  readonly sandbox: Sandbox;
  /** The interpreter, as commands start it. */
  readonly python: string;
  /** The environment for commands. */
  readonly env: Readonly<Record<string, string>>;
  /** Commands are processes of this machine, not of a container. */
  readonly isLocal: boolean;
  /** Commands have no network. */
  readonly offline: boolean;
  /** Where runs happen, why there, and what they cannot do, in a sentence. */
  readonly words: string;
}
