// A layout flows in, the gist's text with one origin a line flows out. Rows are copied from their files; import
// statements are the only ones written anew, cut down to the names that live.
import type { Gist, Origin } from '../model/gist.js';
import { importedNames, type ImportedName } from '../python/names.js';
import type { SourceFile } from '../python/syntax.js';
import type { DataLines } from './dataFiles.js';
import type { Included } from './included.js';
import { isFlat } from './isFlat.js';
import { effectImports, importedModules, importedNamesOf, standInImports } from './keptImports.js';
import type { Layout } from './layout.js';
import { liveIndices } from './liveIndices.js';
import { loaderLines } from './loader.js';
import { packagesOf } from './packagesOf.js';
import type { Module, Program } from './program.js';
import { pythonString } from './pythonString.js';
import { absoluteModule, importTarget, isCodebaseModule, resolveName } from './resolve.js';
import type { ImportPiece, Piece, Rows } from './trimmed.js';

interface Line {
  readonly text: string;
  readonly origin: Origin;
}

const insideText = new WeakMap<SourceFile, ReadonlySet<number>>();

/** Rows that start inside a string literal: their indentation is content. */
function textRows(file: SourceFile): ReadonlySet<number> {
  const known = insideText.get(file);
  if (known !== undefined) return known;
  const rows = new Set<number>();
  const visit = (node: SourceFile['root']): void => {
    if (node.type === 'string') {
      for (let row = node.row + 1; row <= node.endRow; row += 1) rows.add(row);
      return;
    }
    if (node.endRow > node.row || node.children.length > 0) node.children.forEach(visit);
  };
  visit(file.root);
  insideText.set(file, rows);
  return rows;
}

interface EmitContext {
  readonly program: Program;
  readonly included: Included;
  readonly layout: Layout;
  /** Names that must stand for the gist's own module. */
  readonly standIns: Set<string>;
}

/** Whether the name of an import is served by the gist's own namespace. */
function isFlatModule({ program, layout }: EmitContext, name: string): boolean {
  return isFlat(program, layout.held, name);
}

function cutImport(imported: readonly ImportedName[], moduleText: string, file: SourceFile): string {
  const names = imported.map((one) => file.text.slice(one.node.start, one.node.end));
  return imported[0]?.name === ''
    ? `import ${names.join(', ')}`
    : `from ${moduleText} import ${names.join(', ')}`;
}

/** Lines for one import statement: kept names, dropped names, aliases. */
function emitImport(
  context: EmitContext,
  module: Module,
  piece: Pick<ImportPiece, 'statement' | 'inFunction' | 'sole'>,
  names: ReadonlySet<string> | null,
  to: string,
  isHeld: boolean,
): Line[] {
  const { program, layout } = context;
  const file = module.file();
  const { node, firstRow } = piece.statement;
  const all = importedNames(file, node);
  const wanted = all.filter((imported) => names === null || names.has(imported.bound));
  const kept: ImportedName[] = [];
  const absolute: ImportedName[] = [];
  const added: string[] = [];
  /** Names with an underscore that come by a star import, whose `__all__` is not part of the gist. */
  const hidden = (source: string): void => {
    if (!isHeld && !layout.held.has(source)) return;
    for (const name of names ?? [])
      if (name.startsWith('_') && program.modules.has(source)) added.push(`from ${source} import ${name}`);
  };
  for (const imported of wanted) {
    const target = importTarget(program, module, imported);
    const source = absoluteModule(module, imported);
    const insideCodebase =
      target.kind !== 'outside' ||
      (imported.level > 0 && source !== '') ||
      (imported.name === '*' && program.modules.has(source));
    if (isHeld || !insideCodebase || source === '') {
      kept.push(imported);
      if (imported.name === '*') hidden(source);
      continue;
    }
    if (imported.name === '*') {
      if (layout.held.has(source)) absolute.push(imported);
      hidden(source);
      continue;
    }
    if (target.kind === 'module') {
      const whole = imported.name === '' && !imported.aliased ? source : target.module;
      if (!isFlatModule(context, whole) || layout.held.has(target.module)) absolute.push(imported);
      else context.standIns.add(imported.bound);
      continue;
    }
    if (target.kind === 'outside') {
      (imported.level > 0 ? absolute : kept).push(imported);
      continue;
    }
    if (layout.held.has(target.module.name)) {
      absolute.push(imported);
      continue;
    }
    const final = resolveName(program, target.module, target.name);
    if (final?.kind === 'module') {
      if (isFlatModule(context, final.module)) context.standIns.add(imported.bound);
      else added.push(`import ${final.module} as ${imported.bound}`);
      continue;
    }
    const name = final?.kind === 'symbol' ? final.name : target.name;
    if (name !== imported.bound && name !== target.name) added.push(`${imported.bound} = ${name}`);
    else if (target.name !== imported.bound) added.push(`${imported.bound} = ${target.name}`);
  }
  const out: Line[] = [];
  const origin = (line: string): Origin => {
    const original = (file.lines[firstRow] ?? '').trim();
    return line.trim() === original
      ? { kind: 'kept', file: module.path, line: firstRow + 1 }
      : {
          kind: 'rewritten',
          file: module.path,
          line: firstRow + 1,
          why: 'only the names that are used, from where they are served',
        };
  };
  const whole = kept.length === all.length && piece.statement.lastRow > firstRow;
  if (whole) {
    out.push(
      ...copyRows(module, {
        first: firstRow,
        last: piece.statement.lastRow,
        from: (file.lines[firstRow] ?? '').slice(0, node.column),
        to,
        replace: null,
      }),
    );
  } else if (kept.length > 0) {
    const moduleText = file.text.slice(
      node.children.find((c) => c.field === 'module_name')?.start ?? 0,
      node.children.find((c) => c.field === 'module_name')?.end ?? 0,
    );
    const text =
      kept.length === all.length
        ? (file.lines[firstRow] ?? '').slice(node.column)
        : cutImport(kept, moduleText, file);
    out.push({ text: to + text, origin: origin(text) });
  }
  const groups = new Map<string, ImportedName[]>();
  for (const imported of absolute) {
    const key = imported.name === '' ? '' : absoluteModule(module, imported);
    groups.set(key, [...(groups.get(key) ?? []), imported]);
  }
  for (const [from, group] of groups) {
    const text = cutImport(group, from, file);
    out.push({ text: to + text, origin: origin(text) });
  }
  for (const text of added)
    out.push({ text: to + text, origin: { kind: 'added', why: 'the name that the import gave' } });
  if (out.length === 0 && piece.sole)
    out.push({
      text: `${to}pass`,
      origin: { kind: 'added', why: 'keeps a block whose imports are served by the gist itself' },
    });
  return out;
}

function copyRows(module: Module, rows: Omit<Rows, 'type'>): Line[] {
  const file = module.file();
  const inside = textRows(file);
  const out: Line[] = [];
  for (let row = rows.first; row <= rows.last; row += 1) {
    const closes = row === rows.last && rows.closesAt !== undefined;
    const original = closes
      ? `${(file.lines[row] ?? '').slice(0, rows.closesAt)} ${rows.closesWith ?? 'pass'}`
      : (file.lines[row] ?? '');
    let text = original;
    if (!inside.has(row) && rows.from !== rows.to) {
      if (original.trim() === '') text = '';
      else if (original.startsWith(rows.from)) text = rows.to + original.slice(rows.from.length);
      else text = rows.to + original.trimStart();
    }
    let origin: Origin = closes
      ? { kind: 'rewritten', file: module.path, line: row + 1, why: 'what it guards never ran' }
      : { kind: 'kept', file: module.path, line: row + 1 };
    if (row === rows.first && rows.replace !== null) {
      text = text.replace(rows.replace.old, rows.replace.by);
      origin = { kind: 'rewritten', file: module.path, line: row + 1, why: rows.replace.why };
    }
    out.push({ text, origin });
  }
  return out;
}

function emitPieces(
  context: EmitContext,
  module: Module,
  pieces: readonly Piece[],
  base: string,
  isHeld: boolean,
): Line[] {
  return pieces.flatMap((piece) =>
    piece.type === 'import'
      ? emitImport(context, module, piece, null, base + piece.to, isHeld)
      : copyRows(module, { ...piece, to: base + piece.to }),
  );
}

const blank: Line = { text: '', origin: { kind: 'added', why: 'blank' } };

function added(text: string, why: string): Line {
  return { text, origin: { kind: 'added', why } };
}

/** Lines of one module's live statements in their own order. */
function emitHeld(context: EmitContext, module: Module): Line[] {
  const out: Line[] = [];
  let lastRow = -1;
  const live = context.included.statements.get(module);
  const imports = context.included.imports.get(module);
  for (const [index, statement] of module.statements().entries()) {
    const names = imports?.get(index);
    const collector = live?.get(index);
    let lines: Line[] = [];
    if (names !== undefined)
      lines = emitImport(context, module, { statement, inFunction: false, sole: false }, names, '    ', true);
    else if (collector !== undefined) lines = emitPieces(context, module, collector.pieces, '    ', true);
    if (lines.length === 0 || statement.firstRow === lastRow) continue;
    lastRow = statement.lastRow;
    if ((statement.kind === 'function' || statement.kind === 'class') && out.length > 0) out.push(blank);
    for (const line of lines) out.push(line);
  }
  return out;
}

export interface EmitExtras {
  /** Lines put at the top, each with the reason (ini settings, module name, data files). */
  readonly preamble: readonly { readonly text: string; readonly why: string }[];
  /** Data files travel with the gist: held modules have their own places beside them. */
  readonly data: DataLines | null;
  /** Name that the gist's namespace takes on, null where nobody sees it. */
  readonly moduleName: string | null;
}

const packageXunit = ['setup_module', 'setUpModule', 'teardown_module', 'tearDownModule'];

/** The folder that most held modules' dotted names start from. */
function rootOf(modules: readonly Module[]): string {
  const counts = new Map<string, number>();
  for (const module of modules) {
    const depth = module.name.split('.').length + (module.isPackage ? 1 : 0);
    const root = module.path.split('/').slice(0, -depth).join('/');
    counts.set(root, (counts.get(root) ?? 0) + 1);
  }
  return [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? '';
}

/** Writes the gist. */
export function emit(program: Program, included: Included, layout: Layout, extras: EmitExtras): Gist {
  const context: EmitContext = { program, included, layout, standIns: new Set() };
  const heldModules = [...program.modules.values()]
    .filter((module) => layout.held.has(module.name))
    .toSorted((a, b) => firstStart(a, included) - firstStart(b, included));
  const body: Line[] = [];
  const items: { order: number; module: Module; index: number }[] = [];
  for (const module of layout.flat) {
    for (const index of included.statements.get(module)?.keys() ?? [])
      items.push({ order: module.startOf(index), module, index });
    for (const index of included.imports.get(module)?.keys() ?? [])
      items.push({ order: module.endOf(index), module, index });
  }
  for (const { module, order } of effectImports(program, included, layout.held))
    items.push({ order, module, index: -1 });
  items.sort((a, b) => a.order - b.order || a.module.instance - b.module.instance || a.index - b.index);
  let current = '';
  const seen = new Set<string>();
  const sharedRows = new Set<string>();
  for (const { module, index } of items) {
    if (index === -1) {
      body.push(added(`import ${module.name}`, 'the codebase imports it for its effects'));
      continue;
    }
    const statement = module.statements()[index];
    if (statement === undefined) continue;
    const names = included.imports.get(module)?.get(index);
    const collector = included.statements.get(module)?.get(index);
    const lines =
      names !== undefined
        ? emitImport(context, module, { statement, inFunction: false, sole: false }, names, '', false)
        : emitPieces(context, module, collector?.pieces ?? [], '', false);
    const again = sharedRows.has(`${module.path}:${statement.firstRow}`);
    sharedRows.add(`${module.path}:${statement.lastRow}`);
    if (again && names === undefined && module.statements()[index - 1]?.lastRow === statement.firstRow)
      continue;
    const fresh = names === undefined ? lines : lines.filter((line) => !seen.has(line.text));
    if (names !== undefined && lines.length === 1) for (const line of lines) seen.add(line.text);
    if (fresh.length === 0) continue;
    if (module.path !== current) {
      if (body.length > 0) body.push(blank);
      body.push(added(`# ${module.path}`, 'tells where the lines below come from'));
      current = module.path;
    }
    if (
      (statement.kind === 'function' || statement.kind === 'class') &&
      body.at(-1)?.text !== '' &&
      body.at(-1)?.text.startsWith('#') !== true
    )
      body.push(blank);
    // One by one: a table can have more rows than a call takes arguments.
    for (const line of fresh) body.push(line);
  }
  // pytest runs the xunit functions of the packages around a test; from the gist's namespace it runs them alike.
  for (const module of heldModules) {
    if (!module.isPackage || !program.test.name.startsWith(`${module.name}.`)) continue;
    for (const name of packageXunit) {
      const binders = module.binders().get(name) ?? [];
      if (
        program.test.binders().has(name) ||
        !binders.some((index) => included.statements.get(module)?.has(index))
      )
        continue;
      body.push(
        added(`from ${module.name} import ${name}`, 'pytest calls it for the package around the test'),
      );
    }
  }
  const heldLines: Line[] = [];
  const served = new Set<string>();
  const flatNames = new Set([...layout.flat].map((module) => module.name));
  for (const module of heldModules)
    for (const name of importedModules(program, module, included))
      if (!layout.held.has(name) && flatNames.has(name)) served.add(name);
  for (const { name } of standInImports(program, included, layout.held, [...layout.flat]))
    context.standIns.add(name);
  for (const name of included.importedByCompiled) if (flatNames.has(name)) served.add(name);
  // What must be a module of its own, and the packages around it, cannot be stood in for.
  const apart = new Set([...included.byName.keys()].flatMap((name) => [...packagesOf(name), name]));
  for (const name of included.again) if (isFlatModule(context, name) && !apart.has(name)) served.add(name);
  for (const module of heldModules) {
    const lines = emitHeld(context, module);
    if (lines.length === 0) continue;
    heldLines.push(blank, added(`# ${module.path}`, 'tells where the lines below come from'));
    heldLines.push(
      added(
        `if held('${module.name}'${module.lazyAnnotations() ? ", 'annotations'" : ''}):`,
        `the namespace of ${module.name}: ${layout.held.get(module.name) ?? ''}`,
      ),
    );
    for (const line of lines) heldLines.push(line);
  }
  for (const key of included.viaModule) {
    const parent = key.slice(0, key.lastIndexOf('.'));
    const name = key.slice(key.lastIndexOf('.') + 1);
    if (isFlatModule(context, key) && isFlatModule(context, parent) && !apart.has(key))
      context.standIns.add(name);
  }
  const head: Line[] = [];
  if ([...layout.flat].some((module) => module.lazyAnnotations())) {
    const module = [...layout.flat].find((one) => one.lazyAnnotations());
    const statement = module
      ?.statements()
      .find(
        (one) =>
          one.kind === 'future' &&
          module.file().text.slice(one.node.start, one.node.end).includes('annotations'),
      );
    if (module !== undefined && statement !== undefined)
      head.push({
        text: 'from __future__ import annotations',
        origin: { kind: 'kept', file: module.path, line: statement.firstRow + 1 },
      });
  }
  const carries = 'carries the data files that the test reads';
  for (const text of extras.data?.files ?? []) head.push(added(text, carries));
  // Modules of which nothing is left must still be there for those who name them.
  const hasText = (name: string): boolean => layout.held.has(name) || flatNames.has(name);
  const bare = [...included.byName.keys(), ...included.again].filter(
    (name) => !hasText(name) && !served.has(name),
  );
  for (const module of heldModules)
    for (const name of importedNamesOf(program, module, included))
      if (!hasText(name) && isCodebaseModule(program, name)) bare.push(name);
  // Packages of compiled modules must be there too, and be looked into where the compiled files are.
  const aroundCompiled = [...new Set([...included.compiled].flatMap(packagesOf))];
  bare.push(...aroundCompiled.filter((name) => !layout.held.has(name)));
  if (heldLines.length > 0 || bare.length > 0) {
    const packages = [
      ...heldModules.filter((module) => module.isPackage).map((module) => module.name),
      ...bare,
    ];
    const readsFile = heldModules.some((module) =>
      [...(included.statements.get(module)?.values() ?? [])].some((collector) =>
        collector.read.has('__file__'),
      ),
    );
    const places = extras.data !== null ? 'data' : readsFile ? 'os.path.dirname(__file__)' : null;
    const held = heldModules.map((module) => module.name);
    const root = extras.data !== null ? rootOf(heldModules) : '';
    for (const text of loaderLines({ held, packages, aroundCompiled, places, root }))
      head.push(added(text, 'serves the held modules below from this file'));
  }
  for (const text of extras.data?.place ?? []) head.push(added(text, carries));
  for (const { text, why } of extras.preamble) head.push(added(text, why));
  if (context.standIns.size > 0 || served.size > 0) {
    if (heldLines.length === 0) head.push(added('import sys', 'for the line below'));
    const names = [
      ...[...context.standIns].toSorted(),
      ...[...served].toSorted().map((name) => `sys.modules['${name}']`),
    ];
    head.push(
      added(
        `${names.join(' = ')} = sys.modules[__name__]`,
        'names that stand for modules whose code is in this file',
      ),
    );
  }
  if (extras.moduleName !== null)
    head.push(
      added(
        `__name__ = ${pythonString(extras.moduleName)}`,
        'the name of the test module, which the test shows',
      ),
    );
  const lines = [...head, ...heldLines, ...(heldLines.length > 0 || head.length > 0 ? [blank] : []), ...body];
  // A cookie among the first two lines would name the encoding of the gist, which is UTF-8.
  if (lines.slice(0, 2).some(({ text }) => /^[ \t\f]*#.*?coding[:=](?![ \t]*utf[-_]?8\b)/i.test(text)))
    lines.unshift(added('# coding: utf-8', 'the encoding of this file, whatever that of its sources was'));
  return { text: lines.map((line) => `${line.text}\n`).join(''), origins: lines.map((line) => line.origin) };
}

function firstStart(module: Module, included: Included): number {
  let least = Number.POSITIVE_INFINITY;
  for (const index of liveIndices(module, included)) least = Math.min(least, module.startOf(index));
  return least;
}
