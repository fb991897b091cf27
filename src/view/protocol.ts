// The messages between the extension and its language server beyond LSP itself; both sides take names and shapes from here.
import type { Report } from '../model/report.js';
import type { TestItem } from '../model/testItem.js';

/** Request of the client: the tests of one open document; `null` where it is not a test file. */
export const testsRequest = 'gistify/tests';

export interface TestsParams {
  readonly uri: string;
}

export interface TestsResult {
  /** Absolute path of the pytest rootdir that the node ids are relative to. */
  readonly repo: string;
  readonly items: readonly TestItem[];
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
}

/** Sent with `workspace/didChangeConfiguration`. */
export interface ServerSettings {
  readonly codeLens: boolean;
}

export const commands = {
  run: 'gistify.run',
  openOrigin: 'gistify.openOrigin',
  showLog: 'gistify.showLog',
} as const;
