// What an exported repro says about itself: plain facts, from a Report and from the run that verified the export.

export interface ReproFacts {
  readonly nodeId: string;
  readonly fileName: string;
  /** Web address of the repository without credentials; null where there is none. */
  readonly repository: string | null;
  readonly commit: string | null;
  /** The codebase had changes that no commit has. */
  readonly dirty: boolean;
  readonly python: string;
  readonly platform: string;
  /** Distributions that the run really imported, by name. */
  readonly packages: Readonly<Record<string, string>>;
  readonly gistify: string;
  /** How many lines of the codebase it holds. */
  readonly lines: number;
  readonly minimal: boolean;
  /** A sentence each. */
  readonly expected: string;
  readonly observed: string;
  /** What pytest printed for the exported file. */
  readonly output: string;
  readonly dataFiles: readonly string[];
}

/** Where the code is from, in words. */
export function originWords({ repository, commit, dirty }: ReproFacts): string {
  if (commit === null) return repository ?? 'a codebase without version control';
  const place = repository === null ? '' : `${repository} at `;
  return `${place}commit ${commit}${dirty ? ', with local changes' : ''}`;
}
