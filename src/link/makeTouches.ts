// A top-level statement flows in, what the functions that it runs could change flows out (mutator analysis, transitive):
// only what ran when the statement did counts, not what those functions do when they are called later.
import {
  collectHeaderReferences,
  collectReferences,
  type Reference,
  type ReferenceSink,
} from '../python/references.js';
import type { Statement } from '../python/statements.js';
import type { PyNode } from '../python/syntax.js';
import { idleInside, receivers } from './effects.js';
import type { Module, Program } from './program.js';
import { resolveChain, resolveName } from './resolve.js';
import { ranInside } from './roots.js';

export interface Touched {
  /** Module-level objects (`module:name`) that functions called by the statement write to. */
  readonly symbols: readonly string[];
  /** Whether anything reads such an object besides the functions that this statement runs. */
  readonly isReadElsewhere: (symbol: string) => boolean;
  /** The statement names nothing of the codebase. */
  readonly outsideOnly: boolean;
}

interface Reached {
  readonly symbols: ReadonlySet<string>;
  /** Functions and classes on the way, as symbols. */
  readonly functions: ReadonlySet<string>;
}

/** Who reads a symbol: functions as they ran during import; '' for anything else. */
type Readers = ReadonlyMap<string, ReadonlySet<string>>;

const steps = 4;

function referencesOf(
  module: Module,
  statement: Statement,
  headerOnly: boolean,
  without: ReadonlySet<PyNode> = new Set(),
): readonly Reference[] {
  const references: Reference[] = [];
  const sink: ReferenceSink = {
    reference: (reference) => references.push(reference),
    attribute: () => undefined,
    string: () => undefined,
  };
  const options = { lazyAnnotations: true, without };
  if (headerOnly) {
    for (const decorator of statement.decorators)
      collectReferences(module.file(), decorator, [], options, sink);
  } else if (statement.kind === 'function') {
    collectHeaderReferences(module.file(), statement, [], options, sink);
    collectReferences(module.file(), statement.node, [], options, sink);
  } else collectReferences(module.file(), statement.node, [], options, sink);
  return references;
}

/** Bits as of `Module.ran`: during import or collection, during the test. */
const [importing, testing] = [1, 2];

const tables = new WeakMap<Program, Readers>();

/** Who reads what in a program, whatever of it is linked: looked up once for all candidates. */
function readersOf(program: Program): Readers {
  const table = tables.get(program) ?? readersIn(program);
  tables.set(program, table);
  return table;
}

function readersIn(program: Program): Readers {
  const readers = new Map<string, Set<string>>();
  const add = (
    module: Module,
    references: readonly Reference[],
    reader: string,
    own: ReadonlySet<string>,
  ) => {
    for (const { name, chain } of references) {
      const target = resolveChain(program, module, name, chain);
      if (target?.kind !== 'symbol') continue;
      const key = `${target.module.name}:${target.name}`;
      if (own.has(key)) continue;
      const known = readers.get(key);
      if (known === undefined) readers.set(key, new Set([reader]));
      else known.add(reader);
    }
  };
  for (const module of program.modules.values()) {
    const bound = new Map<number, Set<string>>();
    for (const [name, indices] of module.binders())
      for (const index of indices)
        bound.set(index, (bound.get(index) ?? new Set<string>()).add(`${module.name}:${name}`));
    for (const [index, statement] of module.statements().entries()) {
      if (module.ran(statement.position) === 0) continue;
      const isDefinition = statement.kind === 'function' || statement.kind === 'class';
      const none = new Set<string>();
      if (!isDefinition) {
        add(module, referencesOf(module, statement, false), '', bound.get(index) ?? none);
        continue;
      }
      const during = (when: number) =>
        referencesOf(module, statement, false, idleInside(module, statement, when));
      add(module, during(importing), `${module.name}:${statement.name}`, none);
      if (ranInside(module, statement, testing)) add(module, during(testing), '', none);
    }
  }
  return readers;
}

/** Makes the analysis, with a memory of its own. */
export function makeTouches(program: Program): (module: Module, statement: Statement) => Touched {
  const memory = new Map<string, Reached>();

  /** What is reached through functions and classes that the references call, or that decorate. */
  const reachedFrom = (
    module: Module,
    references: readonly Reference[],
    depth: number,
    seen: Set<string>,
    when: number,
    decorating = false,
  ): Reached => {
    const symbols = new Set<string>();
    const functions = new Set<string>();
    for (const reference of references) {
      if (!reference.called && !decorating) continue;
      const target = resolveChain(program, module, reference.name, reference.chain);
      if (target?.kind !== 'symbol') continue;
      const key = `${target.module.name}:${target.name}`;
      const kind = target.module.bindings.get(target.name)?.[2];
      if ((kind !== 'function' && kind !== 'class') || depth === 0 || seen.has(key)) continue;
      seen.add(key);
      functions.add(key);
      const reached = through(target.module, target.name, depth - 1, seen, when);
      for (const symbol of reached.symbols) symbols.add(symbol);
      for (const one of reached.functions) functions.add(one);
    }
    return { symbols, functions };
  };

  const through = (module: Module, name: string, depth: number, seen: Set<string>, when: number): Reached => {
    const key = `${when}:${module.name}:${name}`;
    const known = memory.get(key);
    if (known !== undefined) return known;
    const symbols = new Set<string>();
    const functions = new Set<string>();
    for (const index of module.binders().get(name) ?? []) {
      const statement = module.statements()[index];
      if (statement === undefined || (statement.kind !== 'function' && statement.kind !== 'class')) continue;
      const idle = idleInside(module, statement, when);
      for (const symbol of receivers(program, module, statement, idle)) symbols.add(symbol);
      const inside = referencesOf(module, statement, false, idle);
      const reached = reachedFrom(module, inside, depth, seen, when);
      for (const symbol of reached.symbols) symbols.add(symbol);
      for (const one of reached.functions) functions.add(one);
    }
    const reached = { symbols, functions };
    memory.set(key, reached);
    return reached;
  };

  return (module, statement) => {
    const isDefinition = statement.kind === 'function' || statement.kind === 'class';
    const references = referencesOf(module, statement, isDefinition);
    // What a function does when it is called later is no effect of making it.
    const when = (module.ran(statement.position) & importing) === 0 ? importing | testing : importing;
    const { symbols, functions } = reachedFrom(module, references, steps, new Set(), when, isDefinition);
    const outsideOnly = references.every((reference) => {
      const target = resolveName(program, module, reference.name);
      return target === null || target.kind === 'outside';
    });
    return {
      symbols: [...symbols],
      outsideOnly,
      isReadElsewhere: (symbol) =>
        [...(readersOf(program).get(symbol) ?? [])].some((reader) => !functions.has(reader)),
    };
  };
}
