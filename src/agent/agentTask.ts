// Everything a scaffold is put together from: the task in words, the copy to work in, and what the engine knows of the
// codebase and lends to tools and prompts.
import type { AgentOptions } from '../model/agentOptions.js';
import type { Prompts } from './prompts.js';
import type { CheckSyntax } from './tools/editFile.js';
import type { SearchGraph } from './tools/globalTools.js';
import type { Workspace } from './workspace.js';

export interface RepairTask {
  /** The gist that does not verify; it stands in the copy already. */
  readonly text: string;
  /** What its run said, and how it differs. */
  readonly failure: string;
}

export interface AgentTask {
  readonly nodeId: string;
  /** The file to write, relative to the copy. */
  readonly file: string;
  readonly options: AgentOptions;
  readonly prompts: Prompts;
  readonly workspace: Workspace;
  readonly checkSyntax: CheckSyntax;
  /** Null where the tool was not asked for. */
  readonly searchGraph: SearchGraph | null;
  readonly goldTrace: string | null;
  /** The original test function; null where it was not asked for. */
  readonly testBody: string | null;
  /** Every file that the test loads, with its text; for the static scaffold. */
  readonly goldFiles: readonly { readonly path: string; readonly text: string }[];
  readonly repair: RepairTask | null;
}

export function mayRunPython({ execution }: AgentOptions): boolean {
  return execution === 'bash' || execution === 'on';
}

export function mayRunGist({ execution }: AgentOptions): boolean {
  return execution === 'edit' || execution === 'on';
}
