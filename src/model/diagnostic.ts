// A Diagnostic is data returned beside a result: something the user should know, with its place.

export type Severity = 'error' | 'warning' | 'info';

export interface Diagnostic {
  readonly severity: Severity;
  /** Stable, lower-case, hyphenated: `reads-data-file`, `held-module`, … */
  readonly code: string;
  readonly message: string;
  /** Repo-relative place, where there is one. */
  readonly file: string | null;
  readonly line: number | null;
}
