// A gist is one Python file and, for each of its lines, where the line came from.

export type Origin =
  /** The line stands in `file` (repo-relative POSIX path) at `line` (1-based), indentation aside. */
  | { readonly kind: 'kept'; readonly file: string; readonly line: number }
  /** Made from the line at that place; `why` says what was changed. */
  | { readonly kind: 'rewritten'; readonly file: string; readonly line: number; readonly why: string }
  /** Not in the codebase; `why` says what it is for. Blank lines are added with why `blank`. */
  | { readonly kind: 'added'; readonly why: string };

export interface Gist {
  readonly text: string;
  /** One origin a line: `origins.length === text.split('\n').length - 1` (the text ends in a line break). */
  readonly origins: readonly Origin[];
}

export interface HeldModule {
  readonly module: string;
  /** The observation that forced the module to keep a namespace of its own. */
  readonly reason: string;
}
