// What one traced run of the original test told: per file the statements that ran, their order, final bindings,
// and what the run read. Plain JSON; statements are addressed by file index and statement index.
import type { RunOutcome } from './outcome.js';

/** A statement of a traced file: 1-based line, 0-based UTF-8 column, ran during import, ran during the test. */
export type TracedStatement = readonly [line: number, column: number, importing: number, testing: number];

export interface TracedFile {
  /** Repo-relative POSIX path. */
  readonly path: string;
  readonly statements: readonly TracedStatement[];
  /** Calls of functions: [index of the definition's statement, number of calls]. */
  readonly calls: readonly (readonly [number, number])[];
}

/** [name, identity number, kind, detail]; kind is `builtin` (the builtin of that very name), `module`, `class`, `function`, `constant` or `object`. */
export type Binding = readonly [name: string, identity: number, kind: string, detail: string];

/** One execution of a file as a module; the same file run under two names gives two instances. */
export interface ModuleInstance {
  readonly file: number;
  readonly name: string;
  /** `__package__`, '' for top-level modules. */
  readonly package: string;
  readonly isPackage: boolean;
  /** Whether `sys.modules[name]` was this very namespace at the end. */
  readonly alive: boolean;
  /** `file:line` of the codebase that had it loaded first, '' where none did. */
  readonly importer: string;
  readonly bindings: readonly Binding[];
}

export interface TracedFixture {
  readonly name: string;
  /** Repo-relative path, '' for fixtures of libraries. */
  readonly file: string;
  readonly line: number;
  readonly scope: string;
}

export interface Environment {
  readonly python: string;
  readonly packages: Readonly<Record<string, string>>;
  readonly hashSeed: string;
  /** What `random` was seeded with before a command; absent for tests, which seed it themselves. */
  readonly randomSeed?: number;
}

export interface Trace {
  readonly outcome: RunOutcome;
  readonly files: readonly TracedFile[];
  readonly instances: readonly ModuleInstance[];
  /** First starts of top-level statements over all modules, in order: [instance, statement index]. */
  readonly order: readonly (readonly [instance: number, statement: number])[];
  /** Compiled extension modules of the codebase that were loaded: [module, repo-relative path]. */
  readonly compiled: readonly (readonly [module: string, path: string])[];
  /** What compiled modules import of the codebase's other modules: [compiled module, module, names asked for]. */
  readonly compiledImports: readonly (readonly [
    compiled: string,
    module: string,
    names: readonly string[],
  ])[];
  /** Modules of the codebase that hold no code (most often packages). */
  readonly empty: readonly string[];
  /** Modules of the codebase that `importlib.import_module` was asked for: [module, `file:line` that asked]. */
  readonly requested: readonly (readonly [module: string, by: string])[];
  /** Per class, methods that implement abstract ones: [module, qualified name, method names]. */
  readonly required: readonly (readonly [module: string, qualname: string, methods: readonly string[]])[];
  /** Files too deep to instrument: all of their code counts as run. */
  readonly blind: readonly string[];
  /** Files that are no valid Python and that the run tried to import all the same. */
  readonly broken: readonly string[];
  readonly fixtures: readonly TracedFixture[];
  readonly ini: Readonly<Record<string, unknown>>;
  readonly plugins: readonly string[];
  /** What ran and is no Python function or method: [node id, qualified type], as doctests are. */
  readonly foreignItems: readonly (readonly [nodeId: string, kind: string])[];
  readonly dataFiles: readonly string[];
  readonly listedFolders: readonly string[];
  /** Files and folders that the codebase only asked about (`os.stat`). */
  readonly probed: readonly string[];
  /** For each path of these four lists, who asked: `file:line` of the codebase, '' for a library on its own. */
  readonly readers: Readonly<Record<string, readonly string[]>>;
  /** Folders of the codebase that became the working folder. */
  readonly entered: readonly string[];
  /** Data files that were opened by relative paths: the working folder matters. */
  readonly relativeReads: readonly string[];
  /** `file:line` of the codebase that asked for the working folder. */
  readonly askedFolder: readonly string[];
  /** Folders of the codebase on `sys.path` at the end, '' for the codebase itself. */
  readonly importPaths: readonly string[];
  readonly children: readonly string[];
  readonly written: readonly string[];
  readonly variables: readonly string[];
  /** Other machines that the run asked for, by name or address. */
  readonly network?: readonly string[];
  readonly environment: Environment;
}

/** Functions of a gist by place, and pairs of places of who called whom; -1 stands for imports and for pytest. */
export interface GistCalls {
  readonly functions: readonly (readonly [line: number, name: string])[];
  readonly edges: readonly (readonly [caller: number, callee: number])[];
}

/** A gist's run: outcome, and executable and executed lines and calls where they were asked for. */
export interface GistRun {
  readonly outcome: RunOutcome;
  readonly lines: { readonly statements: readonly number[]; readonly executed: readonly number[] } | null;
  readonly calls: GistCalls | null;
}
