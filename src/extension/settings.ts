// The user's settings flow out as plain values, read anew at each use so that a change needs no reload.
import * as vscode from 'vscode';

export interface Settings {
  readonly pythonPath: string;
  readonly layout: 'auto' | 'flat' | 'held';
  readonly reduce: 'executed' | 'minimal';
  readonly timeout: number;
  /** As `--sandbox` takes it. */
  readonly sandbox: string;
  readonly codeLens: boolean;
  readonly lensesInGists: boolean;
  readonly codebaseMarks: boolean;
  readonly diagnostics: boolean;
  /** How many runs may go on at once. */
  readonly parallelRuns: number;
  readonly highlight: {
    readonly executed: boolean;
    readonly unexecuted: boolean;
    readonly added: boolean;
    readonly provenance: boolean;
  };
}

/** Settings as they hold for the resource. The defaults are those of package.json. */
export function settingsFor(resource: vscode.Uri | undefined): Settings {
  const read = vscode.workspace.getConfiguration('gistify', resource ?? null);
  return {
    pythonPath: read.get('pythonPath', ''),
    layout: read.get('layout', 'auto'),
    reduce: read.get('reduce', 'executed'),
    timeout: read.get('timeout', 120),
    sandbox: read.get('sandbox', 'auto'),
    codeLens: read.get('codeLens.enabled', true),
    lensesInGists: read.get('codeLens.inGists', true),
    diagnostics: read.get('diagnostics', true),
    codebaseMarks: read.get('codebaseMarks.enabled', true),
    parallelRuns: read.get('parallelRuns', 1),
    highlight: {
      executed: read.get('highlight.executed', true),
      unexecuted: read.get('highlight.unexecuted', true),
      added: read.get('highlight.added', true),
      provenance: read.get('highlight.provenance', true),
    },
  };
}
