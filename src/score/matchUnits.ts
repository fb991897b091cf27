// A gist's units and a codebase flow in; for each unit flow out the places in the codebase where the same code stands in
// the same block. A block of the gist is matched by its names against the innermost names of blocks of the codebase, so
// that a class may have stood deeper. Only files that could hold a unit are parsed.
import type { PythonParser } from '../python/parse.js';
import type { CodebasePool, PoolFile } from './codebasePool.js';
import { textPattern } from './textPattern.js';
import { unitsOf, type Unit } from './units.js';

export interface Place {
  readonly file: string;
  readonly line: number;
  readonly endLine: number;
  readonly text: string;
}

export interface UnitMatch {
  readonly unit: Unit;
  /** The block in which the unit is looked for, names joined by dots, '' for the top level. */
  readonly block: string;
  /** Where the same code stands: the first place found, or all of them. */
  readonly places: readonly Place[];
}

interface Wanted {
  readonly unit: Unit;
  readonly block: string;
  readonly required: readonly string[];
  readonly pattern: RegExp | null;
  readonly places: Place[];
}

/**
 * Finds the units in the pool. With `every` all places are found (for provenance), otherwise the search stops at the
 * first of each unit. The tree behind `units` must be alive.
 */
export function matchUnits(
  parser: PythonParser,
  units: readonly Unit[],
  pool: CodebasePool,
  every: boolean,
): readonly UnitMatch[] {
  const wanted = units.map((unit): Wanted => {
    const path = blockOf(unit.path, pool);
    return {
      unit,
      block: path.join('.'),
      required: requiredWords(unit, path),
      pattern: textPattern(unit),
      places: [],
    };
  });
  for (const { file, wants } of filesByPromise(wanted, pool)) {
    const open = wants.filter(
      ({ places, pattern }) => (every || places.length === 0) && (pattern?.test(file.text) ?? true),
    );
    if (open.length > 0) searchFile(parser, file, open, every);
  }
  return wanted.map(({ unit, block, places }) => ({ unit, block, places }));
}

/** A holder that was put around one module's code is no block of the codebase: look inside it. */
function blockOf(path: readonly string[], pool: CodebasePool): readonly string[] {
  const outermost = path[0];
  return outermost !== undefined && !pool.defines(outermost) ? path.slice(1) : path;
}

/** Words that any file holding the unit must have; of a docstring those that no escape touches. */
function requiredWords(unit: Unit, path: readonly string[]): readonly string[] {
  const code = unit.kind === 'doc' ? unit.text.replace(/\\[^]\w*/g, ' ') : unit.words;
  const own = code.match(/[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*/g) ?? [];
  return [...new Set([...path, ...own])].sort((a, b) => b.length - a.length);
}

/** Files that could hold wanted units, the one that could hold most first. */
function filesByPromise(
  wanted: readonly Wanted[],
  pool: CodebasePool,
): readonly { readonly file: PoolFile; readonly wants: readonly Wanted[] }[] {
  return pool.files
    .map((file) => ({
      file,
      wants: wanted.filter((want) => want.required.every((word) => file.words.has(word))),
    }))
    .filter(({ wants }) => wants.length > 0)
    .sort((a, b) => b.wants.length - a.wants.length);
}

function searchFile(parser: PythonParser, file: PoolFile, open: readonly Wanted[], every: boolean): void {
  const byBlock = new Map<string, Wanted[]>();
  for (const want of open) {
    const group = byBlock.get(want.block);
    if (group === undefined) byBlock.set(want.block, [want]);
    else group.push(want);
  }
  visitBlocks(parser, file, new Set(byBlock.keys()), (found, block) => {
    for (const want of byBlock.get(block) ?? []) {
      if ((every || want.places.length === 0) && same(want.unit, found)) {
        want.places.push({ file: file.file, line: found.line, endLine: found.endLine, text: found.text });
      }
    }
  });
}

/** Parses a file and hands over each unit that stands in one of the blocks; units live only during the visit. */
export function visitBlocks(
  parser: PythonParser,
  file: PoolFile,
  blocks: ReadonlySet<string>,
  visit: (unit: Unit, block: string) => void,
): void {
  const tree = parser.parse(file.text);
  const blocksOf = tailFinder(blocks);
  for (const unit of unitsOf(tree.rootNode, file.text, (path) => blocksOf(path).length > 0)) {
    for (const block of blocksOf(unit.path)) visit(unit, block);
  }
  tree.delete();
}

/** The wanted blocks whose names are the innermost names of a path; the top level is only the top level. */
function tailFinder(wanted: ReadonlySet<string>): (path: readonly string[]) => readonly string[] {
  const cache = new Map<string, readonly string[]>();
  return (path) => {
    const key = path.join('.');
    let blocks = cache.get(key);
    if (blocks === undefined) {
      const tails = path.length === 0 ? [''] : path.map((_, index) => path.slice(index).join('.'));
      blocks = tails.filter((tail) => wanted.has(tail));
      cache.set(key, blocks);
    }
    return blocks;
  };
}

function same(a: Unit, b: Unit): boolean {
  if (a.kind !== b.kind || a.words !== b.words) return false;
  return a.text === b.text || a.canonical() === b.canonical();
}
