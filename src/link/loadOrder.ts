// A layout flows in, the flat modules that a held one would import before they are there flow out. A held module runs as a
// whole when it, or anything inside its package, is first imported; flat code runs in the order of the original.
import { importedNames } from '../python/names.js';
import type { Included } from './included.js';
import { liveIndices } from './liveIndices.js';
import { packagesOf } from './packagesOf.js';
import { perModule } from './perModule.js';
import type { Module, Program } from './program.js';
import { absoluteModule, importTarget } from './resolve.js';

interface TopImport {
  readonly index: number;
  /** Module that the import loads. */
  readonly module: string;
  /** Name that it takes from there, null for the module itself or all that it has. */
  readonly name: string | null;
}

/** What the kept top-level import statements of a module load. */
const topImports = perModule((program, module, included): readonly TopImport[] => {
  const out: TopImport[] = [];
  for (const [index, names] of included.imports.get(module) ?? []) {
    const statement = module.statements()[index];
    if (statement === undefined) continue;
    for (const imported of importedNames(module.file(), statement.node)) {
      if (!names.has(imported.bound) && imported.name !== '*') continue;
      const absolute = absoluteModule(module, imported);
      const target = importTarget(program, module, imported);
      if (imported.name === '' || imported.name === '*') out.push({ index, module: absolute, name: null });
      else if (target.kind === 'module') out.push({ index, module: target.module, name: null });
      else if (target.kind === 'symbol') out.push({ index, module: absolute, name: target.name });
      else {
        out.push({ index, module: absolute, name: null });
        if (included.compiled.has(`${absolute}.${imported.name}`))
          out.push({ index, module: `${absolute}.${imported.name}`, name: null });
      }
    }
  }
  return out;
});

export interface Early {
  /** The flat module. */
  readonly module: string;
  /** The held one that needs it too early. */
  readonly by: string;
}

/** Flat modules that must be held because a held one takes names from them before flat code would have made them. */
export function findEarly(
  program: Program,
  included: Included,
  held: ReadonlyMap<string, string>,
  flat: readonly Module[],
  effects: readonly { readonly module: Module; readonly order: number }[],
): readonly Early[] {
  if (held.size === 0) return [];
  const first = new Map<string, number>();
  const load = (name: string, order: number): void => {
    for (const one of [...packagesOf(name), name]) {
      if (!held.has(one) || order >= (first.get(one) ?? Number.POSITIVE_INFINITY)) continue;
      first.set(one, order);
      const module = program.modules.get(one);
      if (module !== undefined)
        for (const inner of topImports(program, module, included)) load(inner.module, order);
    }
  };
  for (const { module, order } of effects) load(module.name, order);
  for (const module of flat)
    for (const one of topImports(program, module, included)) load(one.module, module.endOf(one.index));
  const flatNames = new Map(flat.map((module) => [module.name, module]));
  const out = new Map<string, string>();
  for (const [name, order] of first) {
    const module = program.modules.get(name);
    if (module === undefined) continue;
    for (const { index, module: from, name: wanted } of topImports(program, module, included)) {
      const source = flatNames.get(from);
      if (source === undefined || source.isTest || out.has(from)) continue;
      const binders = wanted === null ? liveIndices(source, included) : (source.binders().get(wanted) ?? []);
      const over = module.endOf(index);
      for (const binder of binders) {
        const made =
          included.imports.get(source)?.has(binder) === true ? source.endOf(binder) : source.startOf(binder);
        // Of a module as an object, what was there when the import was over is what code may have used.
        if (made > order && (wanted !== null || made < over)) out.set(from, name);
      }
    }
  }
  return [...out].map(([module, by]) => ({ module, by }));
}
