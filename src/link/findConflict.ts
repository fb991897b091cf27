// Modules that share the gist's namespace flow in, what each name means in each of them is compared, and the modules
// that could give way where meanings differ flow out.
import { importedNames } from '../python/names.js';
import type { Included } from './included.js';
import { isFlat } from './isFlat.js';
import { standInImports } from './keptImports.js';
import { perModule } from './perModule.js';
import type { Module, Program } from './program.js';
import { importTarget, isCodebaseModule, resolveName } from './resolve.js';
import type { Piece } from './trimmed.js';

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

/** Modules to hold so that a name means one thing in the gist's own namespace. */
export interface Side {
  readonly modules: readonly Module[];
  readonly reason: string;
}

/**
 * Where flat modules want one name for different things, the sides that could give way; none where all agree. The first
 * is the module that stands in the way of most names.
 */
export function findConflict(
  program: Program,
  flat: readonly Module[],
  held: ReadonlyMap<string, string>,
  included: Included,
): readonly Side[] {
  const owners = new Map<string, Map<string, Module[]>>();
  // The gist is what all flat modules are: names that stand for two of them agree.
  const own = (name: string): boolean => isCodebaseModule(program, name) && isFlat(program, held, name);
  const add = (name: string, identity: string, module: Module): void => {
    const meant = identity.startsWith('module ') && own(identity.slice(7)) ? 'the gist' : identity;
    let identities = owners.get(name);
    if (identities === undefined) owners.set(name, (identities = new Map<string, Module[]>()));
    const modules = identities.get(meant);
    if (modules === undefined) identities.set(meant, [module]);
    else modules.push(module);
  };
  for (const module of flat)
    for (const [name, identity] of contributions(program, module, included)) add(name, identity, module);
  for (const key of included.viaModule) {
    const owner = flat.find((module) => module.name === key.slice(0, key.lastIndexOf('.')));
    const name = key.slice(key.lastIndexOf('.') + 1);
    if (owner !== undefined) add(name, `module ${key}`, owner);
  }
  for (const { name, module, parent } of standInImports(program, included, held, flat))
    add(name, `module ${module}`, parent);
  const score = new Map<Module, { count: number; name: string; other: Module; sides: readonly Module[][] }>();
  const blame = (module: Module, name: string, other: Module, sides: readonly Module[][]) => {
    const known = score.get(module);
    if (known === undefined) score.set(module, { count: 1, name, other, sides });
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
      for (const module of group) blame(module, name, staying[0], groups);
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
          for (const other of group) if (other !== module) blame(other, name, module, [[other], [module]]);
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
  if (worst === undefined) return [];
  const [module, { name, other, sides }] = worst;
  const likely = { modules: [module], reason: `${name} means one thing there and another in ${other.name}` };
  // Any one meaning can stay, where all others give way.
  const others = sides.flatMap((stays): readonly Side[] => {
    const modules = sides.filter((side) => side !== stays).flat();
    const first = stays[0];
    if (first === undefined || modules.some((one) => one.isTest || one.isConftest)) return [];
    if (modules.length === 1 && modules[0] === module) return [];
    return [{ modules, reason: `${name} means one thing there and another in ${first.name}` }];
  });
  return [likely, ...others.slice(0, comparedSides)];
}

/** So many sides of a conflict are looked at, besides the likely one. */
const comparedSides = 3;

function importsLocally(module: Module, pieces: readonly Piece[], name: string): boolean {
  return pieces.some(
    (piece) =>
      piece.type === 'import' &&
      importedNames(module.file(), piece.statement.node).some((imported) => imported.bound === name),
  );
}
