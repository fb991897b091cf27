// The messages between the extension and its language server beyond LSP itself; both sides take names and shapes from here.
import type { Report } from '../model/report.js';
import type { TestItem } from '../model/testItem.js';

/** Request of the client: the tests of one file, as it is in the editor or on disk; `null` where it is not a test file. */
export const testsRequest = 'gistify/tests';

export interface TestsParams {
  readonly uri: string;
}

export interface TestsResult {
  /** Absolute path of the pytest rootdir that the node ids are relative to. */
  readonly repo: string;
  readonly items: readonly TestItem[];
}

/** Request of the client: the tests of all folders of the workspace, read from disk. */
export const workspaceTestsRequest = 'gistify/workspaceTests';

export type WorkspaceTestsResult = readonly TestsResult[];

/** Request of the client: the edit that takes the statement on a line away; `null` where it cannot go. */
export const removalRequest = 'gistify/removal';
/** Request of the client: the innermost definition around a line; `null` where there is none. */
export const definitionRequest = 'gistify/definition';

export interface LineParams {
  readonly uri: string;
  /** 0-based. */
  readonly row: number;
}

/** 0-based rows, both included. */
export interface Rows {
  readonly firstRow: number;
  readonly lastRow: number;
}

export interface Removal extends Rows {
  /** What stands there instead; `null` where the rows go as a whole. */
  readonly text: string | null;
}

/** Notification of the client: the document is a gist with this report, or no longer one. */
export const reportNotification = 'gistify/report';

export interface ReportParams {
  readonly uri: string;
  readonly report: Report | null;
}

/** What a lens hands to the run command. */
export interface RunTarget {
  readonly repo: string;
  readonly nodeId: string;
}

/** What a hover's link hands to the command that opens a line's origin. */
export interface OriginTarget {
  readonly repo: string;
  /** Repo-relative POSIX path. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
}

export interface InitializationOptions {
  readonly codeLens: boolean;
  /** Whether the workspace is trusted; where it is not, lenses say why nothing runs. */
  readonly trusted: boolean;
  /** Messages in the language of the editor, by their English ones. */
  readonly messages: Readonly<Record<string, string>>;
}

/** Sent with `workspace/didChangeConfiguration`. */
export interface ServerSettings {
  readonly codeLens: boolean;
  readonly trusted: boolean;
}

export const commands = {
  run: 'gistify.run',
  pickTest: 'gistify.pickTest',
  runAgain: 'gistify.runAgain',
  cancel: 'gistify.cancel',
  openOrigin: 'gistify.openOrigin',
  peekOrigin: 'gistify.peekOrigin',
  showInGist: 'gistify.showInGist',
  openTest: 'gistify.openTest',
  deleteGist: 'gistify.deleteGist',
  showReport: 'gistify.showReport',
  verify: 'gistify.verify',
  runGist: 'gistify.runGist',
  debugGist: 'gistify.debugGist',
  coverGist: 'gistify.coverGist',
  compareWithOriginal: 'gistify.compareWithOriginal',
  compareWithEarlier: 'gistify.compareWithEarlier',
  compareRuns: 'gistify.compareRuns',
  findReport: 'gistify.findReport',
  chooseOverlays: 'gistify.chooseOverlays',
  toggle: {
    executed: 'gistify.toggleExecuted',
    unexecuted: 'gistify.toggleUnexecuted',
    added: 'gistify.toggleAdded',
    provenance: 'gistify.toggleProvenance',
  },
  export: 'gistify.export',
  minimalRepro: 'gistify.minimalRepro',
  runWith: 'gistify.runWith',
  setModelKey: 'gistify.setModelKey',
  showLog: 'gistify.showLog',
} as const;
