// What a gist holds flows in, how it is laid out flows out: which modules share the gist's one namespace (flat)
// and which keep a namespace of their own (held), each with the observation that forced it.
import { importedNames } from '../python/names.js';
import { textOf, type PyNode } from '../python/syntax.js';
import type { Included } from './include.js';
import { findEarly } from './loadOrder.js';
import { liveIndices } from './liveIndices.js';
import { packagesOf } from './packagesOf.js';
import { perModule } from './perModule.js';
import type { Module, Program } from './program.js';
import { absoluteModule, importTarget, isCodebaseModule, resolveName } from './resolve.js';

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

/** Import statements of a module that the gist keeps: top-level ones and those inside live statements. */
function keptImports(
  module: Module,
  included: Included,
): readonly { readonly node: PyNode; readonly names: ReadonlySet<string> | null }[] {
  const out: { node: PyNode; names: ReadonlySet<string> | null }[] = [];
  for (const [index, names] of included.imports.get(module) ?? []) {
    const statement = module.statements()[index];
    if (statement !== undefined) out.push({ node: statement.node, names });
  }
  for (const collector of included.statements.get(module)?.values() ?? []) {
    for (const piece of collector.pieces)
      if (piece.type === 'import') out.push({ node: piece.statement.node, names: null });
  }
  return out;
}

/** Codebase modules that a module's kept imports load. */
export const importedModules = perModule((program, module, included): ReadonlySet<string> => {
  const out = new Set<string>();
  for (const { node, names } of keptImports(module, included)) {
    for (const imported of importedNames(module.file(), node)) {
      if (names !== null && !names.has(imported.bound) && !names.has('*')) continue;
      const absolute = absoluteModule(module, imported);
      const submodule = `${absolute}.${imported.name}`;
      // `from package import module` needs the module; any package by that name will do.
      if (
        imported.name !== '' &&
        importTarget(program, module, imported).kind === 'module' &&
        program.modules.has(submodule)
      )
        out.add(submodule);
      else if (program.modules.has(absolute)) out.add(absolute);
    }
  }
  out.delete(module.name);
  return out;
});

/** Held modules that no kept import loads, for the effects that they have, with the order in which they were over. */
export function effectImports(
  program: Program,
  included: Included,
  held: ReadonlyMap<string, string>,
): readonly { readonly module: Module; readonly order: number }[] {
  const imported = new Set<string>(included.importedByTest);
  for (const module of program.modules.values())
    for (const name of importedModules(program, module, included)) imported.add(name);
  return [...held.keys()].flatMap((name) => {
    const module = program.modules.get(name);
    // What is asked for by its name is loaded when it is.
    if (module === undefined || imported.has(name) || included.byName.has(name)) return [];
    // pytest loads these itself, as the plugins that the gist names.
    if (module.isConftest) return [];
    const ends = liveIndices(module, included).map((index) => module.endOf(index));
    return [{ module, order: ends.reduce((most, end) => Math.max(most, end), -1) }];
  });
}

export interface StandInImport {
  /** Name by which the gist's own namespace must stand for the module. */
  readonly name: string;
  readonly module: string;
  /** The flat package that the gist's namespace stands for. */
  readonly parent: Module;
}

/** Where held modules import flat ones from flat packages: `from package import module` asks the gist for a name. */
export function standInImports(
  program: Program,
  included: Included,
  held: ReadonlyMap<string, string>,
  flat: readonly Module[],
): readonly StandInImport[] {
  const parents = new Map(flat.map((module) => [module.name, module]));
  const out: StandInImport[] = [];
  for (const name of held.keys()) {
    const module = program.modules.get(name);
    if (module === undefined) continue;
    for (const { node, names } of keptImports(module, included)) {
      for (const imported of importedNames(module.file(), node)) {
        if (imported.name === '' || (names !== null && !names.has(imported.bound))) continue;
        const parent = parents.get(absoluteModule(module, imported));
        const target = importTarget(program, module, imported);
        if (parent === undefined || target.kind !== 'module' || held.has(target.module)) continue;
        out.push({ name: imported.name, module: target.module, parent });
      }
    }
  }
  return out;
}

/** Dotted names of all modules that a module's kept imports ask for, whether or not anything is left of them. */
export function importedNamesOf(program: Program, module: Module, included: Included): ReadonlySet<string> {
  const out = new Set<string>();
  for (const { node, names } of keptImports(module, included)) {
    for (const imported of importedNames(module.file(), node)) {
      if (names !== null && !names.has(imported.bound)) continue;
      const target = importTarget(program, module, imported);
      const absolute = absoluteModule(module, imported);
      if (target.kind === 'module' && imported.name !== '') out.add(target.module);
      if (target.kind !== 'outside') out.add(absolute);
    }
  }
  return out;
}

function identityOf(program: Program, module: Module, name: string): string {
  const binding = module.bindings.get(name);
  if (binding === undefined) return `${module.name}:${name}`;
  if (binding[2] === 'builtin') return 'builtin';
  if (binding[2] === 'module') return `module ${binding[3]}`;
  const target = resolveName(program, module, name);
  // Equal constants of two modules are still two variables where either may be bound again.
  if (binding[2] === 'constant' && target?.kind === 'symbol')
    return `${target.module.name}:${target.name}=${binding[3]}`;
  return `#${binding[1]}`;
}

/** Names a flat module puts into the gist's namespace, with what each stands for. */
const contributions = perModule((program, module, included): ReadonlyMap<string, string> => {
  const out = new Map<string, string>();
  for (const [index, names] of included.imports.get(module) ?? []) {
    const statement = module.statements()[index];
    if (statement === undefined) continue;
    for (const imported of importedNames(module.file(), statement.node)) {
      if (imported.name === '*' || !names.has(imported.bound)) continue;
      out.set(imported.bound, identityOf(program, module, imported.bound));
      const target = importTarget(program, module, imported);
      if (target.kind === 'symbol' && target.name !== imported.bound)
        out.set(target.name, identityOf(program, target.module, target.name));
    }
  }
  for (const [index, collector] of included.statements.get(module) ?? []) {
    for (const name of collector.bound) {
      if (module.binders().get(name)?.includes(index) === true)
        out.set(name, identityOf(program, module, name));
    }
    for (const piece of collector.pieces) {
      if (piece.type !== 'import' || !piece.inFunction) continue;
      for (const imported of importedNames(module.file(), piece.statement.node)) {
        const target = importTarget(program, module, imported);
        if (target.kind === 'module') out.set(imported.bound, `module ${target.module}`);
        else if (target.kind === 'symbol')
          out.set(imported.bound, identityOf(program, target.module, target.name));
      }
    }
  }
  return out;
});

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

/** Chooses the flattest layout that the analysis allows. */
export function chooseLayout(program: Program, included: Included, options: LayoutOptions): Layout {
  const live = liveModules(program, included);
  const held = new Map<string, string>();
  const byName = new Map(live.map((module) => [module.name, module]));
  const hold = (name: string, reason: string): void => {
    if (options.holdNone || held.has(name) || program.test.name === name) return;
    if (!byName.has(name)) return;
    held.set(name, reason);
  };
  for (const module of live) {
    if (module.isTest) continue;
    if (options.holdAll && !module.isConftest) hold(module.name, 'every module is held');
    const forced = options.hold.get(module.name);
    if (forced !== undefined) hold(module.name, forced);
    const escape = included.escaped.get(module.name);
    if (escape !== undefined && options.holdObjects) hold(module.name, escape);
    const named = included.byName.get(module.name);
    if (named !== undefined) hold(module.name, named);
    if (module.isConftest && options.ownPlugin) {
      const binders = module.binders().get('pytest_generate_tests') ?? [];
      if (binders.some((index) => included.statements.get(module)?.has(index) === true))
        hold(module.name, 'pytest would call its pytest_generate_tests twice');
    }
    if (!module.isConftest) {
      const observation = observedIdentity(program, module, included);
      if (observation !== null) hold(module.name, observation);
    }
  }
  for (const name of included.importedByCompiled) {
    const below = [...included.compiled].find((compiled) => compiled.startsWith(`${name}.`));
    if (below !== undefined)
      hold(name, `it is the package of ${below}, which is compiled, and compiled code imports it`);
  }
  for (const name of included.importedByTest) hold(name, 'the test itself imports it while it runs');
  const close = (): void => {
    for (let size = -1; size !== held.size;) {
      size = held.size;
      for (const name of included.importedByCompiled)
        if ([...held.keys()].some((other) => other.startsWith(`${name}.`)))
          hold(name, 'compiled code imports it, and modules of this package are held');
      for (const name of [...held.keys()]) {
        const module = byName.get(name);
        if (module === undefined) continue;
        for (const needed of importedModules(program, module, included)) {
          // A package of held modules cannot be stood in for: imports would bind its submodules in the gist itself.
          const isPackageOfHeld = [...held.keys()].some((other) => other.startsWith(`${needed}.`));
          if (options.closeOverImports || isPackageOfHeld) hold(needed, `${name}, which is held, imports it`);
        }
        if (!options.closeOverImports) continue;
        for (const one of packagesOf(name)) hold(one, `it is the package of ${name}, which is held`);
      }
    }
  };
  close();
  for (let rounds = 0; rounds < 200; rounds += 1) {
    const before = held.size;
    const flat = live.filter((module) => !held.has(module.name));
    const conflict = findConflict(program, flat, held, included);
    if (conflict !== null) hold(conflict.module.name, conflict.reason);
    else
      for (const { module, by } of findEarly(
        program,
        included,
        held,
        flat,
        effectImports(program, included, held),
      ))
        hold(module, `${by}, which is held, imports it before the code around it has run`);
    close();
    if (held.size === before) break;
  }
  return { held, flat: new Set(live.filter((module) => !held.has(module.name))) };
}

function findConflict(
  program: Program,
  flat: readonly Module[],
  held: ReadonlyMap<string, string>,
  included: Included,
): { module: Module; reason: string } | null {
  const owners = new Map<string, Map<string, Module[]>>();
  for (const module of flat) {
    for (const [name, identity] of contributions(program, module, included)) {
      let identities = owners.get(name);
      if (identities === undefined) owners.set(name, (identities = new Map<string, Module[]>()));
      const modules = identities.get(identity);
      if (modules === undefined) identities.set(identity, [module]);
      else modules.push(module);
    }
  }
  for (const key of included.viaModule) {
    if (!isCodebaseModule(program, key)) continue;
    const owner = flat.find((module) => module.name === key.slice(0, key.lastIndexOf('.')));
    const name = key.slice(key.lastIndexOf('.') + 1);
    if (owner === undefined) continue;
    const identities = owners.get(name) ?? new Map<string, Module[]>();
    owners.set(name, identities);
    const identity = `module ${key}`;
    identities.set(identity, [...(identities.get(identity) ?? []), owner]);
  }
  for (const { name, module, parent } of standInImports(program, included, held, flat)) {
    const identities = owners.get(name) ?? new Map<string, Module[]>();
    owners.set(name, identities);
    identities.set(`module ${module}`, [...(identities.get(`module ${module}`) ?? []), parent]);
  }
  const score = new Map<Module, { count: number; name: string; other: Module }>();
  const blame = (module: Module, name: string, other: Module) => {
    const known = score.get(module);
    if (known === undefined) score.set(module, { count: 1, name, other });
    else score.set(module, { ...known, count: known.count + 1 });
  };
  for (const [name, identities] of owners) {
    if (identities.size < 2) continue;
    // The smallest groups give way; the test's own meaning never does.
    const depth = (group: readonly Module[]) =>
      Math.max(...group.map((module) => module.path.split('/').length));
    const groups = [...identities.values()].toSorted((a, b) => b.length - a.length || depth(b) - depth(a));
    const staying = groups.find((group) => group.some((module) => module.isTest)) ?? groups[0];
    for (const group of groups) {
      if (group === staying || staying?.[0] === undefined) continue;
      for (const module of group) blame(module, name, staying[0]);
    }
  }
  // A name that a module leaves to the builtins must not be made by another one.
  for (const module of flat) {
    for (const collector of included.statements.get(module)?.values() ?? []) {
      for (const { name, maybeOwn } of collector.references) {
        if (maybeOwn) continue;
        const identities = owners.get(name);
        if (
          identities === undefined ||
          identities.has('builtin') ||
          module.bindings.has(name) ||
          resolveName(program, module, name) !== null
        )
          continue;
        if (importsLocally(module, collector.pieces, name)) continue;
        for (const group of identities.values())
          for (const other of group) if (other !== module) blame(other, name, module);
      }
    }
  }
  const ranked = [...score]
    .filter(([module]) => !module.isTest)
    .toSorted(
      ([a, x], [b, y]) =>
        Number(a.isConftest) - Number(b.isConftest) || y.count - x.count || (a.name < b.name ? -1 : 1),
    );
  const [worst] = ranked;
  if (worst === undefined) return null;
  return {
    module: worst[0],
    reason: `${worst[1].name} means one thing there and another in ${worst[1].other.name}`,
  };
}

function importsLocally(module: Module, pieces: readonly { readonly type: string }[], name: string): boolean {
  return pieces.some(
    (piece) =>
      piece.type === 'import' &&
      'statement' in piece &&
      importsName(module, piece.statement as { node: PyNode }, name),
  );
}

function importsName(module: Module, statement: { node: PyNode }, name: string): boolean {
  return importedNames(module.file(), statement.node).some((imported) => imported.bound === name);
}
