// A program flows in, a table of the lines that had modules loaded flows out. Which of them are import statements is for
// the caller to say: the others computed a name (`importlib.import_module`, plugin loading by directory listing).
import type { Program } from './program.js';
import { isCodebaseModule } from './resolve.js';

export interface ComputedImport {
  readonly line: number;
  readonly module: string;
  /** The module was not there before, or is asked for as the package around data files: it must be a real one. */
  readonly loads: boolean;
}

const tables = new WeakMap<Program, ReadonlyMap<string, readonly ComputedImport[]>>();

/** For each file, the lines that had a module loaded, or asked for it by name, with that module's name. */
export function computedImports(program: Program): ReadonlyMap<string, readonly ComputedImport[]> {
  const known = tables.get(program);
  if (known !== undefined) return known;
  const table = new Map<string, ComputedImport[]>();
  const add = (by: string, module: string, loads: boolean): void => {
    const colon = by.lastIndexOf(':');
    if (colon === -1) return;
    const file = by.slice(0, colon);
    const lines = table.get(file) ?? [];
    const line = Number(by.slice(colon + 1));
    if (!lines.some((known) => known.line === line && known.module === module))
      lines.push({ line, module, loads });
    table.set(file, lines);
  };
  for (const { importer, name, alive } of program.trace.instances) if (alive) add(importer, name, true);
  for (const [name, by] of program.trace.requested) add(by, name, isReadInside(program, name));
  tables.set(program, table);
  return table;
}

/** Whether data files were read in a package: who asked for it by name may look for them there (`importlib.resources`). */
function isReadInside({ trace }: Program, name: string): boolean {
  const folder = `/${name.replaceAll('.', '/')}/`;
  return trace.dataFiles.some((file) => !file.endsWith('.py') && `/${file}`.includes(folder));
}

/** Modules in the folders that code of a file listed. */
export function modulesListedBy(program: Program, file: string): readonly string[] {
  const { trace } = program;
  const folders = trace.listedFolders.filter((folder) =>
    (trace.readers[folder] ?? []).some((reader) => reader.startsWith(`${file}:`)),
  );
  return [...program.modules.values()].flatMap(({ name, path, isPackage, isTest, isConftest }) => {
    const place = isPackage ? path.replace(/\/[^/]*$/, '') : path;
    const folder = place.includes('/') ? place.slice(0, place.lastIndexOf('/')) : '';
    return folders.includes(folder) && !isTest && !isConftest ? [name] : [];
  });
}

/** Whether a module was loaded by something outside the codebase: pytest loads plugins by their names. */
export function isLoadedFromOutside(program: Program, name: string): boolean {
  return program.trace.instances.some((one) => one.name === name && one.alive && one.importer === '');
}

/** The module that a string names, with the name after it: `package.module`, `package.module.name`, `package:name`. */
export function moduleNamedBy(
  program: Program,
  content: string,
): { readonly name: string; readonly attribute: string | null } | null {
  const parts = content.replace(':', '.').split('.');
  for (let size = parts.length; size > 0; size -= 1) {
    const name = parts.slice(0, size).join('.');
    if (!isCodebaseModule(program, name) || (size === 1 && parts.length === 1)) continue;
    const attribute = parts[size] ?? null;
    // `flask.app_ctx` may just as well name something that is no module's attribute.
    return attribute === null || program.modules.get(name)?.bindings.has(attribute) === true
      ? { name, attribute }
      : null;
  }
  return null;
}
