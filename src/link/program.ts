// Trace and source texts flow in, modules cut into statements flow out. Files are parsed when first needed;
// nothing here is changed afterwards, decisions of a layout live beside it.
import { isCommand } from '../base/command.js';
import { GistifyError } from '../base/gistifyError.js';
import type { Binding, Trace } from '../model/trace.js';
import { boundNames, importedNames, type ImportedName } from '../python/names.js';
import type { PythonParser } from '../python/parse.js';
import { moduleStatements, type Position, type Statement } from '../python/statements.js';
import { parseSource, type SourceFile } from '../python/syntax.js';

export interface Module {
  /** Dotted name as the codebase imported it. */
  readonly name: string;
  readonly path: string;
  readonly package: string;
  readonly isPackage: boolean;
  /** Index among the trace's instances. */
  readonly instance: number;
  readonly isTest: boolean;
  readonly isConftest: boolean;
  readonly bindings: ReadonlyMap<string, Binding>;
  readonly file: () => SourceFile;
  readonly statements: () => readonly Statement[];
  /** Top-level statements (by index) that bind a name and ran. */
  readonly binders: () => ReadonlyMap<string, readonly number[]>;
  readonly lazyAnnotations: () => boolean;
  /** Bits: 1 ran during import or collection, 2 ran during the test. */
  readonly ran: (position: Position) => number;
  /** Order in which the top-level statement first started, or -1. */
  readonly startOf: (index: number) => number;
  /** Order in which it was over: an import statement binds its names after all that it loaded has run. */
  readonly endOf: (index: number) => number;
  /** Names of all imports at the top level, compound statements included. */
  readonly imports: () => readonly { readonly statement: number; readonly names: readonly ImportedName[] }[];
}

export interface Program {
  readonly modules: ReadonlyMap<string, Module>;
  readonly test: Module;
  readonly trace: Trace;
  /** Node id parts after the file, parameters dropped. */
  readonly testPath: readonly string[];
  /** The test module is the main module of a command: what it does when it is run is the whole of the task. */
  readonly isCommand: boolean;
}

/** For each entry of the order log, the position at which its statement was over (nested modules included). */
function completions(trace: Trace): readonly number[] {
  const ends: number[] = trace.order.map((_, position) => position);
  const stack: { instance: number; entry: number }[] = [];
  for (const [position, [instance]] of trace.order.entries()) {
    const depth = stack.findLastIndex((frame) => frame.instance === instance);
    const over = depth === -1 ? [] : stack.splice(depth);
    for (const frame of over) ends[frame.entry] = position - 0.5;
    stack.push({ instance, entry: position });
  }
  // What never went on was over when the whole was; the outermost last.
  for (const [depth, frame] of stack.entries())
    ends[frame.entry] = trace.order.length + (stack.length - depth) / (stack.length + 1);
  return ends;
}

function uniqueName(modules: ReadonlyMap<string, Module>, path: string): string {
  const name = path
    .replace(/\.py$/, '')
    .replaceAll('/', '.')
    .replaceAll(/[^\w.]/g, '_');
  return modules.has(name) ? `${name}_` : name;
}

function memo<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** Names that a top-level statement binds, compound statements entered, functions and classes not. */
function deepBoundNames(file: SourceFile, statement: Statement): ReadonlySet<string> {
  const names = new Set<string>(boundNames(file, statement));
  if (statement.kind !== 'function' && statement.kind !== 'class') {
    for (const suite of statement.suites)
      for (const inner of suite.statements) for (const name of deepBoundNames(file, inner)) names.add(name);
  }
  return names;
}

/** Import statements at or below a statement, functions and classes not entered. */
function importsBelow(statement: Statement): readonly Statement[] {
  if (statement.kind === 'import' || statement.kind === 'from') return [statement];
  if (statement.kind === 'function' || statement.kind === 'class') return [];
  return statement.suites.flatMap((suite) => suite.statements.flatMap(importsBelow));
}

export interface ScanInput {
  readonly trace: Trace;
  readonly texts: ReadonlyMap<string, string>;
  readonly parser: PythonParser;
  readonly nodeId: string;
}

function foreignMain(command: string): GistifyError {
  return new GistifyError(
    'refused',
    `the main module of ${command} is not of the codebase`,
    'Name a module or a script of the codebase; a test of unittest is gistified by its pytest node id.',
  );
}

/** Makes the Program of one trace (design section 2). */
export function scan({ trace, texts, parser, nodeId }: ScanInput): Program {
  const command = isCommand(nodeId);
  const [testFile = '', ...rest] = command ? [] : nodeId.split('::');
  const testPath = rest.map((part) => part.replace(/\[.*$/s, ''));
  const modules = new Map<string, Module>();
  const hits = trace.files.map((traced) => {
    const blind = trace.blind.includes(traced.path);
    const known = new Map(
      traced.statements.map(([line, column, importing, testing]) => [
        `${line}:${column}`,
        (importing ? 1 : 0) | (testing ? 2 : 0),
      ]),
    );
    return (position: Position) => (blind ? 3 : (known.get(`${position.line}:${position.column}`) ?? 0));
  });
  const starts = new Map<string, number>();
  const ends = completions(trace);
  for (const [position, [instance, statement]] of trace.order.entries()) {
    const place = trace.files[trace.instances[instance]?.file ?? -1]?.statements[statement];
    if (place === undefined) continue;
    const key = `${instance}:${place[0]}:${place[1]}`;
    if (!starts.has(key)) starts.set(key, position);
  }
  const files = trace.files.map((traced) =>
    memo(() => parseSource(parser, traced.path, texts.get(traced.path) ?? '')),
  );
  const cut = files.map((file) => memo(() => moduleStatements(file())));
  let test: Module | undefined;
  for (const [position, instance] of trace.instances.entries()) {
    const traced = trace.files[instance.file];
    const file = files[instance.file];
    const statements = cut[instance.file];
    const ran = hits[instance.file];
    if (traced === undefined || file === undefined || statements === undefined || ran === undefined) continue;
    const isTest = command ? instance.name === '__main__' : traced.path === testFile;
    const module: Module = {
      name: instance.name,
      path: traced.path,
      package: instance.package,
      isPackage: instance.isPackage,
      instance: position,
      isTest,
      isConftest: traced.path === 'conftest.py' || traced.path.endsWith('/conftest.py'),
      bindings: new Map(instance.bindings.map((binding) => [binding[0], binding])),
      file,
      statements,
      ran,
      lazyAnnotations: memo(() =>
        statements().some(
          (s) => s.kind === 'future' && file().text.slice(s.node.start, s.node.end).includes('annotations'),
        ),
      ),
      binders: memo(() => {
        const map = new Map<string, number[]>();
        for (const [index, statement] of statements().entries()) {
          if (ran(statement.position) === 0) continue;
          for (const name of deepBoundNames(file(), statement)) {
            const list = map.get(name);
            if (list === undefined) map.set(name, [index]);
            else list.push(index);
          }
        }
        return map;
      }),
      startOf: (index) => {
        const place = statements()[index]?.position;
        return place === undefined ? -1 : (starts.get(`${position}:${place.line}:${place.column}`) ?? -1);
      },
      endOf: (index) => {
        const place = statements()[index]?.position;
        const start =
          place === undefined ? undefined : starts.get(`${position}:${place.line}:${place.column}`);
        return start === undefined ? -1 : (ends[start] ?? start);
      },
      imports: memo(() =>
        statements().flatMap((statement, index) =>
          ran(statement.position) === 0
            ? []
            : importsBelow(statement)
                .filter((inner) => ran(inner.position) !== 0)
                .map((inner) => ({ statement: index, names: importedNames(file(), inner.node) })),
        ),
      ),
    };
    // A file that ran twice under one name (reload) keeps its last namespace.
    const rival = modules.get(module.name);
    if (rival !== undefined && rival.path !== module.path) {
      // Two files under one name (conftest files without packages): the one that was replaced goes by its path.
      modules.set(uniqueName(modules, rival.path), { ...rival, name: uniqueName(modules, rival.path) });
    }
    modules.set(module.name, module);
    if (isTest) test = module;
  }
  if (test === undefined)
    throw command ? foreignMain(nodeId) : new Error(`the trace holds no module for ${testFile}`);
  return { modules, test, trace, testPath, isCommand: command };
}
