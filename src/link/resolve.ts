// A name read in a module flows in, what it stands for flows out: a symbol of a module of the codebase, such a
// module itself, or something outside.
import type { Trace } from '../model/trace.js';
import type { ImportedName } from '../python/names.js';
import { packagesOf } from './packagesOf.js';
import type { Module, Program } from './program.js';

export type Target =
  | { readonly kind: 'symbol'; readonly module: Module; readonly name: string }
  | { readonly kind: 'module'; readonly module: string }
  | { readonly kind: 'outside'; readonly what: string };

/** Absolute dotted name of an import's module, '' where a relative import leaves the package. */
export function absoluteModule(from: Module, imported: ImportedName): string {
  if (imported.level === 0) return imported.module;
  const parts = from.package === '' ? [] : from.package.split('.');
  const base = parts.slice(0, parts.length - (imported.level - 1));
  if (parts.length < imported.level) return '';
  return imported.module === '' ? base.join('.') : [...base, imported.module].join('.');
}

const codebaseNames = new WeakMap<Program, ReadonlySet<string>>();

/** Whether a dotted name is a module of the codebase, or a package that only holds such modules. */
export function isCodebaseModule(program: Program, name: string): boolean {
  const known = codebaseNames.get(program);
  if (known !== undefined) return known.has(name);
  const names = new Set([
    ...program.trace.empty,
    ...[...program.modules.keys()].flatMap((one) => [...packagesOf(one), one]),
  ]);
  codebaseNames.set(program, names);
  return names.has(name);
}

const compiledNames = new WeakMap<Trace, ReadonlySet<string>>();

/** Whether a dotted name is a compiled extension module of the codebase. */
export function isCompiled(program: Program, name: string): boolean {
  let names = compiledNames.get(program.trace);
  if (names === undefined)
    compiledNames.set(program.trace, (names = new Set(program.trace.compiled.map(([module]) => module))));
  return names.has(name);
}

/** What one imported name is bound to. */
export function importTarget(program: Program, from: Module, imported: ImportedName): Target {
  const absolute = absoluteModule(from, imported);
  if (imported.name === '') {
    const name = imported.aliased ? absolute : (absolute.split('.')[0] ?? absolute);
    return isCodebaseModule(program, name)
      ? { kind: 'module', module: name }
      : { kind: 'outside', what: `import ${name}` };
  }
  const module = program.modules.get(absolute);
  const submodule = `${absolute}.${imported.name}`;
  // A compiled module is not for linking: it stays an import.
  if (isCompiled(program, submodule) && !program.modules.has(submodule)) {
    const bound = module?.bindings.get(imported.name);
    if (bound === undefined || bound[2] === 'module') return { kind: 'outside', what: `import ${submodule}` };
  }
  if (module === undefined) {
    if (isCodebaseModule(program, submodule)) return { kind: 'module', module: submodule };
    return { kind: 'outside', what: `from ${absolute} import ${imported.name}` };
  }
  // An attribute of the package wins over its submodule, unless that attribute is the submodule.
  const binding = module.bindings.get(imported.name);
  if (
    isCodebaseModule(program, submodule) &&
    (binding === undefined || (binding[2] === 'module' && binding[3] === submodule))
  ) {
    return { kind: 'module', module: submodule };
  }
  return { kind: 'symbol', module, name: imported.name };
}

/** Follows import chains to where a symbol is really made. */
export function resolveName(
  program: Program,
  module: Module,
  name: string,
  seen = new Set<string>(),
): Target | null {
  const key = `${module.name}:${name}`;
  if (seen.has(key)) return null;
  seen.add(key);
  for (const { names } of module.imports().toReversed()) {
    for (const imported of names) {
      if (imported.bound === name) {
        const target = importTarget(program, module, imported);
        if (target.kind !== 'symbol') return target;
        return resolveName(program, target.module, target.name, seen) ?? target;
      }
      if (imported.name === '*') {
        const source = program.modules.get(absoluteModule(module, imported));
        if (source !== undefined && source !== module && sameBinding(module, source, name)) {
          return resolveName(program, source, name, seen);
        }
      }
    }
  }
  if (module.binders().has(name)) return { kind: 'symbol', module, name };
  const submodule = `${module.name}.${name}`;
  if (module.isPackage && isCodebaseModule(program, submodule)) return { kind: 'module', module: submodule };
  return null;
}

/** What a name with attributes stands for, as far as the attributes lead through modules: `package.module.symbol`. */
export function resolveChain(
  program: Program,
  module: Module,
  name: string,
  chain: readonly string[],
): Target | null {
  let target = resolveName(program, module, name);
  for (const attribute of chain) {
    if (target?.kind !== 'module') return target;
    const inside = program.modules.get(target.module);
    target = inside === undefined ? null : resolveName(program, inside, attribute);
  }
  return target;
}

function sameBinding(a: Module, b: Module, name: string): boolean {
  const x = a.bindings.get(name);
  const y = b.bindings.get(name);
  return x !== undefined && x[1] === y?.[1];
}
