// What is left of one statement after trimming: rows of its file, and what these rows refer to.
import type { Statement } from '../python/statements.js';
import type { Reference } from '../python/references.js';

/** Whole source rows, moved from one indentation to another; text is never regenerated. */
export interface Rows {
  readonly type: 'rows';
  readonly first: number;
  readonly last: number;
  readonly from: string;
  readonly to: string;
  /** Column behind the header's colon, where nothing of the suite is left: `pass` goes there, or `closesWith`. */
  readonly closesAt?: number;
  readonly closesWith?: string;
  /** Replaces the start of the first row (`elif` becomes `if`). */
  readonly replace: { readonly old: string; readonly by: string; readonly why: string } | null;
}

/** An import statement whose names the layout decides on. `sole`: its suite holds nothing else. */
export interface ImportPiece {
  readonly type: 'import';
  readonly statement: Statement;
  readonly from: string;
  readonly to: string;
  sole: boolean;
  readonly inFunction: boolean;
}

export type Piece = Rows | ImportPiece;

export interface Collector {
  readonly pieces: Piece[];
  readonly references: Reference[];
  /** Names of attributes that are read and not called at once. */
  readonly attributes: Set<string>;
  /** Names of all attributes that are read, called ones included. */
  readonly members: Set<string>;
  readonly strings: Set<string>;
  /** Names that kept statements bind in the scope at hand. */
  readonly bound: Set<string>;
  /** All identifiers in kept code, scope aside. */
  readonly read: Set<string>;
  yields: boolean;
  /** Imports that ran inside verbatim text: they must work as they stand. */
  readonly verbatimImports: Statement[];
}

export function newCollector(): Collector {
  return {
    pieces: [],
    references: [],
    attributes: new Set(),
    members: new Set(),
    strings: new Set(),
    bound: new Set(),
    read: new Set(),
    yields: false,
    verbatimImports: [],
  };
}

export function merge(into: Collector, from: Collector): void {
  for (const piece of from.pieces) into.pieces.push(piece);
  for (const reference of from.references) into.references.push(reference);
  for (const statement of from.verbatimImports) into.verbatimImports.push(statement);
  for (const name of from.attributes) into.attributes.add(name);
  for (const name of from.members) into.members.add(name);
  for (const content of from.strings) into.strings.add(content);
  for (const name of from.read) into.read.add(name);
}
