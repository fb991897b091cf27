// Finished tasks flow into a store whole: a task is there with all its files or not at all, whenever the run is killed.

export interface ResultStore {
  /** How a person names it. */
  readonly where: string;
  /** Keys (relative POSIX paths) of all files below a prefix. */
  list(prefix: string): Promise<readonly string[]>;
  /** Null where there is no such file. */
  read(key: string): Promise<string | null>;
  /** Writes one file whole. */
  write(key: string, text: string): Promise<void>;
  /** An empty folder of this machine to make a task's files in. */
  stage(): Promise<string>;
  /** Puts a staged folder in place; whoever was first stays. */
  commit(staged: string, path: string): Promise<void>;
}
