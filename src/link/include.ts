// Roots flow in, everything they need flows out (tree shaking over top-level statements): references are followed
// from module to module, and statements with effects join when what they touch is alive.
import { importedNames, type ImportedName } from '../python/names.js';
import type { Reference } from '../python/references.js';
import type { Statement } from '../python/statements.js';
import { isEffect, receivers } from './effects.js';
import type { Module, Program } from './program.js';
import { computedImports, isLoadedFromOutside, moduleNamedBy, modulesListedBy } from './computedImports.js';
import type { Included, IncludeOptions } from './included.js';
import { importsLoading, libraryImports } from './libraryImports.js';
import { makeTouches } from './makeTouches.js';
import { makeTrimOptions } from './makeTrimOptions.js';
import { namespaceWriters } from './namespaceWriters.js';
import { packagesOf } from './packagesOf.js';
import { asksForOptions, neverCalled, optionHooks, rootKind, xunit } from './roots.js';
import {
  absoluteModule,
  importTarget,
  isCodebaseModule,
  isCompiled,
  resolveName,
  type Target,
} from './resolve.js';
import { holdsClass, trimTopLevel } from './trim.js';
import type { Collector } from './trimmed.js';

/** Decides what of a program a gist holds. Docstrings stay where live code reads them. */
export function include(program: Program, options: IncludeOptions): Included {
  const first = includeOnce(program, options);
  if (options.keepDocstrings || !first.readsDocstrings) return first;
  return includeOnce(program, { ...options, keepDocstrings: true });
}

function includeOnce(
  program: Program,
  options: IncludeOptions,
): Included & { readonly readsDocstrings: boolean } {
  const statements = new Map<Module, Map<number, Collector>>();
  const imports = new Map<Module, Map<number, Set<string>>>();
  const escaped = new Map<string, string>();
  const byName = new Map<string, string>();
  const again = new Set<string>();
  const mentioned = new Set<string>();
  const viaModule = new Set<string>();
  const attributes = new Set<string>();
  const members = new Set<string>();
  const strings = new Set<string>();
  const needed = new Set<string>();
  const liveSymbols = new Set<string>();
  const queue: (() => void)[] = [];
  const outside = new Set<string>();
  const outsideImports = () => libraryImports(program);
  const importedByTest = new Set<string>();
  const compiled = new Set<string>();
  const importedByCompiled = new Set<string>();
  let hooksUsed = false;
  const trimOptions = makeTrimOptions(program, options, { attributes, strings });

  /** A name read from outside: the module's `__getattr__` may have made it (PEP 562). */
  const needAttribute = (module: Module, name: string, chain: readonly string[], imported = false): void => {
    if (!module.bindings.has(name) && !module.binders().has(name) && module.binders().has('__getattr__'))
      needName(module, '__getattr__', []);
    needName(module, name, chain, imported);
  };

  const needModule = (name: string, chain: readonly string[], from: Module): void => {
    mentioned.add(name);
    let current = name;
    for (const [depth, attribute] of chain.entries()) {
      const deeper = `${current}.${attribute}`;
      const module = program.modules.get(current);
      const binding = module?.bindings.get(attribute);
      if (isCodebaseModule(program, deeper) && (binding === undefined || binding[2] === 'module')) {
        viaModule.add(deeper);
        current = deeper;
        mentioned.add(current);
        continue;
      }
      if (module !== undefined) needAttribute(module, attribute, chain.slice(depth + 1));
      return;
    }
    escape(current, `${from.name} uses it as an object`);
  };

  /** An attribute that is a submodule must be one of the gist's names, where the package is part of it. */
  const readVia = (key: string): void => {
    const dot = key.lastIndexOf('.');
    const seen = program.modules.get(key.slice(0, dot))?.bindings.get(key.slice(dot + 1));
    if (isCodebaseModule(program, key) && (seen === undefined || seen[2] === 'module')) viaModule.add(key);
  };

  const escape = (name: string, why: string): void => {
    if (escaped.has(name)) return;
    escaped.set(name, why);
    for (const content of strings) needFromEscaped(name, content);
  };

  const needFromEscaped = (name: string, content: string): void => {
    const module = program.modules.get(name);
    const [head = ''] = content.split('.');
    if (module?.binders().has(head) === true || module?.bindings.has(head) === true) {
      readVia(`${name}.${head}`);
      if (module.binders().has(head) || resolveName(program, module, head) !== null)
        needName(module, head, []);
    }
  };

  /** `package.sub` of a library works only where someone imported `package.sub`: that import is needed too. */
  const needOutside = (dotted: string): void => {
    if (outside.has(dotted)) return;
    outside.add(dotted);
    for (const { module, statement, name } of outsideImports().get(dotted) ?? []) {
      if (
        module.statements()[statement]?.kind === 'import' ||
        module.statements()[statement]?.kind === 'from'
      )
        needImport(module, statement, name);
    }
  };

  const needTarget = (target: Target | null, chain: readonly string[], from: Module): void => {
    if (target === null || target.kind === 'outside') return;
    if (target.kind === 'module') needModule(target.module, chain, from);
    else needAttribute(target.module, target.name, chain);
  };

  /** A name read in a module: all that binds it there is needed. */
  const needName = (module: Module, name: string, chain: readonly string[], imported = false): void => {
    const target = resolveName(program, module, name);
    if (target?.kind === 'outside' && target.what.startsWith('import ') && chain.length > 0) {
      for (let size = 1; size <= Math.min(chain.length, 3); size += 1)
        needOutside([target.what.slice(7), ...chain.slice(0, size)].join('.'));
    }
    if (target?.kind === 'module' && (chain.length > 0 || !imported))
      needModule(target.module, chain, module);
    if (target?.kind === 'symbol') liveSymbols.add(`${target.module.name}:${target.name}`);
    const key = `${module.name}:${name}`;
    if (needed.has(key)) return;
    needed.add(key);
    liveSymbols.add(key);
    const binders = module.binders().get(name);
    if (binders !== undefined) for (const index of binders) needBinder(module, index, name);
    else {
      // No statement binds it by name, and yet it is there: code that has the namespace itself in hand made it.
      if (module.bindings.has(name))
        for (const index of namespaceWriters(module)) queue.push(() => needStatement(module, index));
      for (const { statement, names } of module.imports()) {
        for (const imported of names) {
          if (imported.name !== '*') continue;
          const source = program.modules.get(absoluteModule(module, imported));
          if (source === undefined ? true : source.bindings.has(name)) {
            needImport(module, statement, '*');
            // Only an `__all__` exports such names: the statement alone does not once that is gone.
            if (name.startsWith('_') && source?.binders().has(name) === true)
              needImport(module, statement, name);
            if (source !== undefined && source !== module) queue.push(() => needName(source, name, [], true));
          }
        }
      }
    }
  };

  const needBinder = (module: Module, index: number, name: string): void => {
    const statement = module.statements()[index];
    if (statement === undefined) return;
    if (statement.kind === 'import' || statement.kind === 'from') {
      needImport(module, index, name);
      for (const imported of importedNames(module.file(), statement.node)) {
        if (imported.bound !== name) continue;
        const target = importTarget(program, module, imported);
        if (imported.name === '' && target.kind === 'module')
          mentionParents(absoluteModule(module, imported));
        queue.push(() => {
          if (target.kind === 'symbol') needAttribute(target.module, target.name, [], true);
          else if (target.kind === 'module') mentioned.add(target.module);
        });
      }
    } else queue.push(() => needStatement(module, index));
  };

  const mentionParents = (name: string): void => {
    for (const one of [...packagesOf(name), name]) mentioned.add(one);
  };

  /** Where an import loads a compiled module, what that one imports is needed too: no statement shows it. */
  const followCompiled = (module: Module, imported: ImportedName): void => {
    const absolute = absoluteModule(module, imported);
    needCompiled(absolute);
    if (imported.name !== '') needCompiled(`${absolute}.${imported.name}`);
  };

  const needCompiled = (name: string): void => {
    if (!isCompiled(program, name) || compiled.has(name)) return;
    compiled.add(name);
    for (const [from, target, names] of program.trace.compiledImports) {
      if (from !== name) continue;
      needCompiled(target);
      const module = program.modules.get(target);
      if (module === undefined || names.length === 0) continue;
      importedByCompiled.add(target);
      for (const one of names) queue.push(() => needAttribute(module, one, [], true));
    }
  };

  const needImport = (module: Module, index: number, name: string): void => {
    for (const { statement, names } of module.imports())
      if (statement === index)
        for (const imported of names)
          if (imported.bound === name || imported.name === '*') followCompiled(module, imported);
    let map = imports.get(module);
    if (map === undefined) imports.set(module, (map = new Map<number, Set<string>>()));
    const names = map.get(index);
    if (names === undefined) map.set(index, new Set([name]));
    else names.add(name);
  };

  const followImport = (module: Module, statement: Statement): void => {
    for (const imported of importedNames(module.file(), statement.node)) {
      followCompiled(module, imported);
      const target = importTarget(program, module, imported);
      if (imported.name === '*') {
        const source = program.modules.get(absoluteModule(module, imported));
        if (source !== undefined)
          for (const name of source.bindings.keys())
            if (source.binders().has(name)) needName(source, name, [], true);
        continue;
      }
      if (imported.name === '' && target.kind === 'module') mentionParents(absoluteModule(module, imported));
      if (target.kind === 'symbol') needAttribute(target.module, target.name, [], true);
      else if (target.kind === 'module') mentioned.add(target.module);
    }
  };

  const addString = (content: string): void => {
    if (strings.has(content)) return;
    strings.add(content);
    const last = content.split(/[.:]/).at(-1);
    if (last !== undefined) strings.add(last);
    for (const name of escaped.keys()) needFromEscaped(name, content);
    const named = moduleNamedBy(program, content);
    if (named === null) return;
    const { name, attribute } = named;
    const why = `the string ${JSON.stringify(content)} names it`;
    // What the codebase has imported is there when it is asked for; what pytest loads by name is a module of its own.
    if (isLoadedFromOutside(program, name)) needByName(name, why);
    else needAgain(name, why);
    const module = program.modules.get(name);
    if (attribute === null || module === undefined) return;
    readVia(`${name}.${attribute}`);
    needName(module, attribute, []);
  };

  const needReference = (module: Module, reference: Reference, local: readonly Statement[]): void => {
    for (const statement of local) {
      for (const imported of importedNames(module.file(), statement.node)) {
        if (imported.bound === reference.name)
          needTarget(importTarget(program, module, imported), reference.chain, module);
      }
    }
    needName(module, reference.name, reference.chain);
  };

  const needStatement = (module: Module, index: number): void => {
    let map = statements.get(module);
    if (map === undefined) statements.set(module, (map = new Map<number, Collector>()));
    if (map.has(index)) return;
    const statement = module.statements()[index];
    if (statement === undefined) return;
    const collector = trimTopLevel(module.file(), statement, '', trimOptions(module));
    map.set(index, collector);
    followCollector(module, collector);
    // Statements on one row stay together.
    for (const other of [index - 1, index + 1]) {
      const neighbour = module.statements()[other];
      if (
        neighbour !== undefined &&
        (neighbour.firstRow === statement.lastRow || neighbour.lastRow === statement.firstRow)
      )
        queue.push(() => needStatement(module, other));
    }
  };

  /** A kept statement that is no import had modules loaded: by names that it computed. */
  const needComputed = (module: Module, collector: Collector): void => {
    for (const { line, module: name, loads } of computedImports(program).get(module.path) ?? []) {
      const row = line - 1;
      if (byName.has(name)) continue;
      if (!collector.pieces.some((piece) => piece.type === 'rows' && piece.first <= row && row <= piece.last))
        continue;
      if (collector.verbatimImports.some(({ firstRow, lastRow }) => firstRow <= row && row <= lastRow))
        continue;
      const why = `${module.path}:${line} imports it by a computed name`;
      // Who goes through folders for modules may find there what was loaded before.
      const listed = modulesListedBy(program, module.path);
      if (loads || listed.length > 0) for (const one of [name, ...listed]) needByName(one, why);
      else needAgain(name, why);
    }
  };

  const needAgain = (name: string, why: string): void => {
    if (again.has(name)) return;
    for (const one of [...packagesOf(name), name]) {
      mentioned.add(one);
      again.add(one);
      if (one.includes('.')) readVia(one);
    }
    escape(name, why);
  };

  const needByName = (name: string, why: string): void => {
    if (byName.has(name)) return;
    mentionParents(name);
    byName.set(name, why);
    escape(name, why);
  };

  /** What live code reads as attributes may be read from modules that it has as objects. */
  const needOfObjects = (): boolean => {
    let changed = false;
    for (const name of escaped.keys()) {
      const module = program.modules.get(name);
      if (module === undefined) continue;
      for (const bound of module.bindings.keys()) {
        if (!members.has(bound) || needed.has(`${name}:${bound}`)) continue;
        // A function that was never called was not called as an attribute either.
        const binders = module.binders().get(bound) ?? [];
        if (binders.some((index) => neverCalled(module, index))) continue;
        needName(module, bound, [], true);
        changed = true;
      }
    }
    drain();
    return changed;
  };

  const followCollector = (module: Module, collector: Collector): void => {
    needComputed(module, collector);
    const local = [
      ...collector.pieces.flatMap((piece) => (piece.type === 'import' ? [piece.statement] : [])),
      ...collector.verbatimImports,
    ];
    for (const reference of collector.references) queue.push(() => needReference(module, reference, local));
    for (const piece of collector.pieces)
      if (piece.type === 'import') queue.push(() => followImport(module, piece.statement));
    for (const name of collector.attributes) attributes.add(name);
    for (const name of collector.members) members.add(name);
    for (const statement of collector.verbatimImports) {
      queue.push(() => followImport(module, statement));
      for (const imported of importedNames(module.file(), statement.node)) {
        const absolute = absoluteModule(module, imported);
        for (const name of [absolute, `${absolute}.${imported.name}`])
          if (isCodebaseModule(program, name)) importedByTest.add(name);
      }
    }
    for (const content of collector.strings) queue.push(() => addString(content));
  };

  const drain = (): void => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) next();
  };

  /** Classes are trimmed again when names that are now alive ask for more of their methods. */
  const retrim = (): boolean => {
    let changed = false;
    for (const [module, map] of statements) {
      for (const index of map.keys()) {
        const statement = module.statements()[index];
        if (statement === undefined || !holdsClass(statement)) continue;
        const again = trimTopLevel(module.file(), statement, '', trimOptions(module));
        if (again.pieces.length === map.get(index)?.pieces.length) continue;
        map.set(index, again);
        followCollector(module, again);
        changed = true;
      }
    }
    return changed;
  };

  const seedRoots = (): void => {
    const { test, testPath } = program;
    for (const [name] of test.binders())
      if (name === testPath[0] || xunit.has(name)) needName(test, name, []);
    for (const module of program.modules.values()) {
      for (const [index, statement] of module.statements().entries()) {
        if (module.ran(statement.position) === 0) continue;
        if (
          options.keepAll &&
          statement.kind !== 'function' &&
          statement.kind !== 'class' &&
          statement.kind !== 'future' &&
          statement.kind !== 'docstring'
        ) {
          if (statement.kind === 'import' || statement.kind === 'from') {
            for (const imported of importedNames(module.file(), statement.node)) {
              if (imported.name === '*') needImport(module, index, '*');
              else needName(module, imported.bound, [], true);
            }
          } else queue.push(() => needStatement(module, index));
        }
        const root = rootKind(program, module, statement, options.hooks);
        if (root === 'hook') hooksUsed = true;
        if (root !== 'none') queue.push(() => needStatement(module, index));
        else if (options.keepAll && (statement.kind === 'class' || statement.kind === 'function')) {
          if (!(module.isTest && !program.isCommand && /^test/i.test(statement.name)))
            queue.push(() => needStatement(module, index));
        }
        if (
          module.isConftest &&
          statement.kind === 'assign' &&
          module.binders().get('pytest_plugins')?.includes(index) === true
        )
          needName(module, 'pytest_plugins', []);
      }
    }
  };

  const needOptions = (): boolean => {
    if (!asksForOptions(members)) return false;
    const fresh = optionHooks(program).filter(
      ({ module, index }) => statements.get(module)?.has(index) !== true,
    );
    for (const { module, index } of fresh) needStatement(module, index);
    hooksUsed ||= fresh.length > 0;
    drain();
    return fresh.length > 0;
  };

  const addEffects = (): boolean => {
    let changed = false;
    for (const module of program.modules.values()) {
      for (const [index, statement] of module.statements().entries()) {
        if (module.ran(statement.position) === 0 || statements.get(module)?.has(index) === true) continue;
        if (!isEffect(module, statement)) continue;
        if (!touchesLive(module, statement)) continue;
        needStatement(module, index);
        drain();
        changed = true;
      }
    }
    return changed;
  };

  const touches = makeTouches(program);
  const touchesLive = (module: Module, statement: Statement): boolean => {
    const isDefinition = statement.kind === 'function' || statement.kind === 'class';
    const always = options.effects === 'all' || options.effectsOf.has(module.name);
    if (always && statement.kind !== 'assign' && !isDefinition) return true;
    const alive = statements.has(module) || module.isTest || module.isConftest;
    const found = receivers(program, module, statement);
    if (found.some((key) => liveSymbols.has(key))) return true;
    const touched = touches(module, statement);
    // A registry that only its own decorator looks into tells nothing to anyone else.
    const counts = (key: string) => !isDefinition || always || touched.isReadElsewhere(key);
    if (touched.symbols.some((key) => liveSymbols.has(key) && counts(key))) return true;
    return touched.outsideOnly && alive && !isDefinition;
  };

  seedRoots();
  for (const name of options.asked) needByName(name, 'something looks for it by its name');
  drain();
  if (options.libraries === 'all') {
    for (const entries of outsideImports().values())
      for (const { module, statement, name } of entries) needBinder(module, statement, name);
  }
  for (const name of options.restoreImports)
    for (const { module, statement, name: bound } of importsLoading(program, name))
      needBinder(module, statement, bound);
  for (const name of options.restore) {
    for (const module of program.modules.values())
      if (statements.has(module) && module.binders().has(name)) needName(module, name, []);
  }
  drain();
  for (let rounds = 0; rounds < 50; rounds += 1) {
    const more = addEffects();
    drain();
    const trimmed = retrim();
    drain();
    const objects = needOfObjects();
    const asking = needOptions();
    if (!more && !trimmed && !objects && !asking) break;
  }
  return {
    statements,
    imports,
    escaped,
    byName,
    again,
    mentioned,
    viaModule,
    hooksUsed,
    importedByTest,
    compiled,
    importedByCompiled,
    members,
    readsDocstrings: attributes.has('__doc__') || attributes.has('getdoc'),
  };
}
