// A program flows in, a table of the library submodules that its import statements load flows out.
import { packagesOf } from './packagesOf.js';
import type { Module, Program } from './program.js';
import { importTarget, isCodebaseModule } from './resolve.js';

export interface LibraryImport {
  readonly module: Module;
  /** Index of the top-level statement. */
  readonly statement: number;
  /** Name that the import binds. */
  readonly name: string;
}

const tables = new WeakMap<Program, ReadonlyMap<string, readonly LibraryImport[]>>();

/** For each dotted library module, one import statement that loads it. */
export function libraryImports(program: Program): ReadonlyMap<string, readonly LibraryImport[]> {
  const known = tables.get(program);
  if (known !== undefined) return known;
  const table = new Map<string, LibraryImport[]>();
  for (const module of program.modules.values()) {
    for (const { statement, names } of module.imports()) {
      for (const imported of names) {
        if (
          imported.level > 0 ||
          importTarget(program, module, imported).kind !== 'outside' ||
          isCodebaseModule(program, imported.module)
        )
          continue;
        const loaded = [...packagesOf(imported.module), imported.module].slice(1);
        // `from package import name` loads a submodule where that is what the name was seen to be. Where the name was
        // not seen it may have been deleted; below a `try` the import has most likely failed.
        const seen = module.bindings.get(imported.bound);
        const isDirect = /^(import|from)$/.test(module.statements()[statement]?.kind ?? '');
        const isModule = seen === undefined ? isDirect : seen[2] === 'module';
        if (imported.name !== '' && imported.name !== '*' && isModule)
          loaded.push(`${imported.module}.${imported.name}`);
        for (const key of loaded)
          if (!table.has(key)) table.set(key, [{ module, statement, name: imported.bound }]);
      }
    }
  }
  tables.set(program, table);
  return table;
}

/** Imports that load a library module, or else any part of its package. */
export function importsLoading(program: Program, name: string): readonly LibraryImport[] {
  const table = libraryImports(program);
  const prefix = name.split('.')[0] ?? name;
  return (
    table.get(name) ?? [...table].flatMap(([key, entries]) => (key.startsWith(`${prefix}.`) ? entries : []))
  );
}
