// What the engine asks for when it opens a sandbox: the parts of a Task that decide where it runs, and the user's surroundings.
import type { Host } from '../model/progress.js';
import type { Isolation, SandboxChoice } from '../model/task.js';

export interface SandboxRequest {
  readonly sandbox: SandboxChoice;
  readonly isolation?: Isolation;
  /** Absolute path of the codebase on this machine. */
  readonly repo: string;
  /** Interpreter of the runs, '' where a container's own is meant. */
  readonly python: string;
  readonly nodeId: string;
  /** The user's environment and folder. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Folder of Gistify's own files. */
  readonly installation: string;
  /** Folders of this machine that Gistify's own part of a run may write, where it runs here. */
  readonly keep?: readonly string[];
  readonly host: Host;
}
