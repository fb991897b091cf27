// What is asked of a gist's content, and what it then holds: the nouns between include, layout and emit.
import type { Module } from './program.js';
import type { TrimChoices } from './makeTrimOptions.js';
import type { Collector } from './trimmed.js';

export interface IncludeOptions extends TrimChoices {
  /** Keep every top-level statement that ran, whether or not something needs it. */
  readonly keepAll: boolean;
  /** Modules of the codebase that something looks for by name: a candidate's failure told. */
  readonly asked: ReadonlySet<string>;
  /** Import statements of libraries stay where a name of theirs is used, or one for each submodule they load. */
  readonly libraries: 'used' | 'all';
  /** Library submodules that must have been imported. */
  readonly restoreImports: ReadonlySet<string>;
  /** Effects on things outside the codebase count where their module is part of the gist, or always. */
  readonly effects: 'touched' | 'all';
  /** Modules whose effects count always: a candidate's failure told. */
  readonly effectsOf: ReadonlySet<string>;
  /** Pytest hooks that ran are part of the gist. */
  readonly hooks: 'runtime' | 'all';
}

export interface Included {
  /** Trimmed live statements of a module, by index among its top-level statements. */
  readonly statements: ReadonlyMap<Module, ReadonlyMap<number, Collector>>;
  /** Live names of direct top-level imports. */
  readonly imports: ReadonlyMap<Module, ReadonlyMap<number, ReadonlySet<string>>>;
  /** Modules of the codebase that live code uses as objects beyond static attribute chains. */
  readonly escaped: ReadonlyMap<string, string>;
  /** Modules that must be importable by their names: a string or a computed name asks for them. */
  readonly byName: ReadonlyMap<string, string>;
  /** Modules, and the packages around them, that are asked for by name when they are there already. */
  readonly again: ReadonlySet<string>;
  /** Modules that live code names in any way (imports kept). */
  readonly mentioned: ReadonlySet<string>;
  /** Submodules that are read as attributes of their packages. */
  readonly viaModule: ReadonlySet<string>;
  /** Names that live code reads as attributes, of whatever. */
  readonly members: ReadonlySet<string>;
  readonly hooksUsed: boolean;
  /** Modules that the test's own body imports. */
  readonly importedByTest: ReadonlySet<string>;
  /** Compiled modules that live code imports, and those that they import. */
  readonly compiled: ReadonlySet<string>;
  /** Modules of the codebase that these compiled modules ask for names. */
  readonly importedByCompiled: ReadonlySet<string>;
}
