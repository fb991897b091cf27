// What was gistified last flows in and is kept by VS Code for this workspace, newest first; nothing of it lies in the workspace.
import type * as vscode from 'vscode';
import type { RunTarget } from '../view/protocol.js';

/** One run as it can be done again. */
export interface RunRequest {
  readonly target: RunTarget;
  /** Further arguments of the command line beside those that the settings give. */
  readonly args: readonly string[];
}

export interface RecentRuns {
  /** Newest first, one entry a test. */
  list(): readonly RunRequest[];
  add(request: RunRequest): Promise<void>;
}

const key = 'gistify.recentRuns';
const most = 20;

export function createRecentRuns(state: vscode.Memento): RecentRuns {
  const list = (): readonly RunRequest[] => state.get<readonly RunRequest[]>(key, []);
  return {
    list,
    add: async (request) => {
      const others = list().filter(({ target }) => !isSameTarget(target, request.target));
      await state.update(key, [request, ...others].slice(0, most));
    },
  };
}

export function isSameTarget(a: RunTarget, b: RunTarget): boolean {
  return a.repo === b.repo && a.nodeId === b.nodeId;
}
