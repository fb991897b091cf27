// What a gist holds flows in, how it is laid out flows out: which modules share the gist's one namespace (flat)
// and which keep a namespace of their own (held), each with the observation that forced it.
import { textOf, type PyNode } from '../python/syntax.js';
import { findConflict } from './findConflict.js';
import type { Included } from './included.js';
import { findEarly } from './loadOrder.js';
import { liveIndices } from './liveIndices.js';
import { packagesOf } from './packagesOf.js';
import { effectImports, importedModules } from './keptImports.js';
import type { Module, Program } from './program.js';

export interface Layout {
  readonly held: ReadonlyMap<string, string>;
  readonly flat: ReadonlySet<Module>;
}

export interface LayoutOptions {
  /** Hold every module but the test's own and conftest files. */
  readonly holdAll: boolean;
  /** Modules to hold whatever the analysis says, with the reason. */
  readonly hold: ReadonlyMap<string, string>;
  /** Hold, besides a module, all that it imports; else flat modules stand in for what it imports. */
  readonly closeOverImports: boolean;
  /** Hold nothing, whatever the analysis says. */
  readonly holdNone: boolean;
  /** Hold modules that code uses as objects. */
  readonly holdObjects: boolean;
  /** The gist's own namespace is a plugin of pytest. */
  readonly ownPlugin: boolean;
}

const identityNames = new Set([
  '__file__',
  '__path__',
  '__spec__',
  '__package__',
  '__loader__',
  'globals',
  '__builtins__',
  '__cached__',
]);

/** Modules with anything to show in the gist. */
function liveModules(program: Program, included: Included): readonly Module[] {
  return [...program.modules.values()].filter((module) => liveIndices(module, included).length > 0);
}

function observedIdentity(program: Program, module: Module, included: Included): string | null {
  const nameUses = { other: false };
  for (const [index, collector] of included.statements.get(module) ?? []) {
    if (module.binders().get('__getattr__')?.includes(index) === true) return 'the module has a __getattr__';
    for (const name of collector.read) if (identityNames.has(name)) return `its code reads ${name}`;
    if (collector.read.has('__name__')) {
      const statement = module.statements()[index];
      if (statement !== undefined && usesNameOtherwise(module, statement.node)) nameUses.other = true;
    }
    const statement = module.statements()[index];
    if (statement === undefined || module.isTest || module.isConftest) continue;
    const testLike =
      (statement.kind === 'function' && statement.name.startsWith('test')) ||
      (statement.kind === 'class' && statement.name.startsWith('Test'));
    if (testLike && !program.test.bindings.has(statement.name))
      return `pytest would collect ${statement.name} from the gist`;
  }
  return nameUses.other ? 'its code reads __name__' : null;
}

/** `__name__` matters unless it only names a logger. */
function usesNameOtherwise(module: Module, node: PyNode): boolean {
  if (node.type === 'call') {
    const text = textOf(module.file(), node);
    if (/^(logging\.)?getLogger\(__name__\)$/.test(text)) return false;
  }
  if (node.field === 'attribute') return false;
  if (node.type === 'identifier') return textOf(module.file(), node) === '__name__';
  return node.children.some((child) => usesNameOtherwise(module, child));
}

/** So often the sides of a conflict are compared by what each leads to; later ones take the likelier side. */
const comparisons = 8;

/** Chooses the flattest layout that the analysis allows. */
export function chooseLayout(program: Program, included: Included, options: LayoutOptions): Layout {
  const live = liveModules(program, included);
  const byName = new Map(live.map((module) => [module.name, module]));
  const hold = (held: Map<string, string>, name: string, reason: string): void => {
    if (options.holdNone || held.has(name) || program.test.name === name) return;
    if (!byName.has(name)) return;
    held.set(name, reason);
  };
  const start = new Map<string, string>();
  for (const module of live) {
    if (module.isTest) continue;
    for (const reason of reasonsOf(program, module, included, options)) hold(start, module.name, reason);
  }
  for (const name of included.importedByCompiled) {
    const below = [...included.compiled].find((compiled) => compiled.startsWith(`${name}.`));
    if (below !== undefined)
      hold(start, name, `it is the package of ${below}, which is compiled, and compiled code imports it`);
  }
  for (const name of included.importedByTest) hold(start, name, 'the test itself imports it while it runs');
  const close = (held: Map<string, string>): void => {
    for (let size = -1; size !== held.size;) {
      size = held.size;
      for (const [names, who] of [
        [included.importedByCompiled, 'compiled code'],
        [included.again, 'the code'],
      ] as const)
        for (const name of names)
          if ([...held.keys()].some((other) => other.startsWith(`${name}.`)))
            hold(held, name, `${who} imports it by its name, and modules of this package are held`);
      for (const name of [...held.keys()]) {
        const module = byName.get(name);
        if (module === undefined) continue;
        for (const needed of importedModules(program, module, included)) {
          // A package of held modules cannot be stood in for: imports would bind its submodules in the gist itself.
          const isPackageOfHeld = [...held.keys()].some((other) => other.startsWith(`${needed}.`));
          if (options.closeOverImports || isPackageOfHeld)
            hold(held, needed, `${name}, which is held, imports it`);
        }
        if (!options.closeOverImports) continue;
        for (const one of packagesOf(name)) hold(held, one, `it is the package of ${name}, which is held`);
      }
    }
  };
  /** Holds more until nothing forces it; with `looks` the side of a conflict that leads to less is taken. */
  const finish = (from: ReadonlyMap<string, string>, looks: number): ReadonlyMap<string, string> => {
    const held = new Map(from);
    close(held);
    for (let rounds = 0; rounds < 200; rounds += 1) {
      const before = held.size;
      const flat = live.filter((module) => !held.has(module.name));
      const sides = findConflict(program, flat, held, included);
      const [likely] = sides;
      if (likely === undefined) {
        for (const { module, by } of findEarly(
          program,
          included,
          held,
          flat,
          effectImports(program, included, held),
        ))
          hold(held, module, `${by}, which is held, imports it before the code around it has run`);
      } else if (looks <= rounds || sides.length === 1) {
        for (const module of likely.modules) hold(held, module.name, likely.reason);
      } else {
        const outcomes = sides.map((side) => {
          const after = new Map(held);
          for (const module of side.modules) hold(after, module.name, side.reason);
          return { side, size: finish(after, 0).size };
        });
        const best = outcomes.reduce((least, one) => (one.size < least.size ? one : least));
        for (const module of best.side.modules) hold(held, module.name, best.side.reason);
      }
      close(held);
      if (held.size === before) break;
    }
    return held;
  };
  const held = finish(start, comparisons);
  return { held, flat: new Set(live.filter((module) => !held.has(module.name))) };
}

/** What forces a module to be held whatever the others do. */
function reasonsOf(
  program: Program,
  module: Module,
  included: Included,
  options: LayoutOptions,
): readonly string[] {
  const { isConftest, name } = module;
  const reasons: (string | null | undefined)[] = [
    options.holdAll && !isConftest ? 'every module is held' : null,
    options.hold.get(name),
    options.holdObjects ? included.escaped.get(name) : null,
    included.byName.get(name),
  ];
  if (isConftest && options.ownPlugin) {
    const binders = module.binders().get('pytest_generate_tests') ?? [];
    if (binders.some((index) => included.statements.get(module)?.has(index) === true))
      reasons.push('pytest would call its pytest_generate_tests twice');
  }
  if (!isConftest) reasons.push(observedIdentity(program, module, included));
  return reasons.filter((reason) => reason !== null && reason !== undefined);
}
