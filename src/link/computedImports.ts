// A program flows in, a table of the lines that had modules loaded flows out. Which of them are import statements is for
// the caller to say: the others computed a name (`importlib.import_module`, plugin loading by directory listing).
import type { Program } from './program.js';

const tables = new WeakMap<
  Program,
  ReadonlyMap<string, readonly (readonly [line: number, module: string])[]>
>();

/** For each file, the lines that had a module loaded, or asked for it by name, with that module's name. */
export function computedImports(
  program: Program,
): ReadonlyMap<string, readonly (readonly [line: number, module: string])[]> {
  const known = tables.get(program);
  if (known !== undefined) return known;
  const table = new Map<string, (readonly [number, string])[]>();
  const add = (by: string, name: string): void => {
    const colon = by.lastIndexOf(':');
    if (colon === -1) return;
    const file = by.slice(0, colon);
    const lines = table.get(file) ?? [];
    lines.push([Number(by.slice(colon + 1)), name]);
    table.set(file, lines);
  };
  for (const { importer, name, alive } of program.trace.instances) if (alive) add(importer, name);
  for (const [name, by] of program.trace.requested) add(by, name);
  tables.set(program, table);
  return table;
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
