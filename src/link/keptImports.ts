// The import statements that a gist keeps flow in; which modules of the codebase they load, by which names they ask the
// gist for others, flows out.
import { importedNames } from '../python/names.js';
import type { PyNode } from '../python/syntax.js';
import type { Included } from './included.js';
import { liveIndices } from './liveIndices.js';
import { perModule } from './perModule.js';
import type { Module, Program } from './program.js';
import { absoluteModule, importTarget } from './resolve.js';

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
