// A top-level statement flows in, what running it could change flows out: the module-level objects it writes to,
// directly or through functions of the codebase that it calls (mutator analysis).
import {
  collectHeaderReferences,
  collectReferences,
  type Reference,
  type ReferenceSink,
} from '../python/references.js';
import type { Statement } from '../python/statements.js';
import { childByField, textOf, type PyNode, type SourceFile } from '../python/syntax.js';
import type { Module, Program } from './program.js';
import { resolveChain, resolveName } from './resolve.js';

const pureDecorators =
  /^(functools\.|abc\.|contextlib\.|typing\.|t\.|enum\.|dataclasses\.|pytest\.|unittest\.|six\.)|^(property|staticmethod|classmethod|lru_cache|cache|wraps|contextmanager|asynccontextmanager|overload|abstractmethod|dataclass|total_ordering|runtime_checkable|final|unique|cached_property|singledispatch|fixture|total_ordering)\b/;

/** Whether running a statement does more than bind names to fresh values. */
export function isEffect(module: Module, statement: Statement): boolean {
  switch (statement.kind) {
    case 'function':
    case 'class':
      return statement.decorators.some(
        (decorator) => !pureDecorators.test(textOf(module.file(), decorator).slice(1).trim()),
      );
    case 'assign':
    case 'annotation':
      return writesInto(statement.node);
    case 'expression':
    case 'augmented':
    case 'delete':
    case 'for':
    case 'while':
    case 'with':
    case 'raise':
    case 'assert':
      return true;
    case 'if':
    case 'try':
    case 'match':
      return statement.suites.some((suite) =>
        suite.statements.some((inner) => module.ran(inner.position) !== 0 && isEffect(module, inner)),
      );
    default:
      return false;
  }
}

/** Calls that read their arguments and no more. */
const readers = new Set([
  'update',
  'append',
  'extend',
  'add',
  'insert',
  'setdefault',
  'format',
  'join',
  'dict',
  'list',
  'tuple',
  'set',
  'frozenset',
  'sorted',
  'len',
  'isinstance',
  'issubclass',
  'str',
  'repr',
  'print',
  'zip',
  'enumerate',
  'map',
  'filter',
  'getattr',
  'hasattr',
]);

function writesInto(node: PyNode): boolean {
  return node.children.some(
    (child) =>
      child.type === 'assignment' &&
      (child.children.some((part) => part.field === 'left' && /attribute|subscript/.test(part.type)) ||
        writesInto(child)),
  );
}

/** `a.b[0].c()` begins with the name `a`, which is followed by the attribute `b`. */
function baseOf(
  file: SourceFile,
  node: PyNode,
): { readonly name: string; readonly chain: readonly string[] } | null {
  if (node.type === 'identifier') return { name: textOf(file, node), chain: [] };
  const inner = node.children.find(
    (child) => child.field === 'object' || child.field === 'value' || child.field === 'function',
  );
  const base = inner === undefined ? null : baseOf(file, inner);
  if (base === null || inner === undefined || node.type !== 'attribute') return base;
  const attribute = node.children.find((child) => child.field === 'attribute');
  const plain = /^(identifier|attribute)$/.test(inner.type);
  return plain && attribute !== undefined
    ? { ...base, chain: [...base.chain, textOf(file, attribute)] }
    : base;
}

/** Parameters whose default is a name: what is written to one is, most often, written to what that name stands for. */
function namedDefaults(file: SourceFile, definition: PyNode): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (node: PyNode): void => {
    if (node.type === 'default_parameter' || node.type === 'typed_default_parameter') {
      const name = childByField(node, 'name');
      const value = childByField(node, 'value');
      if (name !== undefined && value?.type === 'identifier')
        found.set(textOf(file, name), textOf(file, value));
    } else if (node.field !== 'body') node.children.forEach(visit);
  };
  visit(definition);
  return found;
}

/** Symbols (`module:name`) that a statement writes to or calls a method of, directly. */
export function receivers(
  program: Program,
  module: Module,
  statement: Statement,
  entering = false,
): readonly string[] {
  const found = new Set<string>();
  const defaults = entering ? namedDefaults(module.file(), statement.node) : new Map<string, string>();
  const add = (node: PyNode) => {
    const base = baseOf(module.file(), node);
    if (base === null) return;
    const name = defaults.get(base.name) ?? base.name;
    const target = resolveChain(program, module, name, base.chain);
    if (target?.kind === 'symbol' && target.module.bindings.get(target.name)?.[2] !== 'builtin')
      found.add(`${target.module.name}:${target.name}`);
  };
  const visit = (node: PyNode): void => {
    if (
      !entering &&
      (node.type === 'function_definition' || node.type === 'class_definition' || node.type === 'lambda')
    )
      return;
    if (node.type === 'call') {
      const target = node.children.find((child) => child.field === 'function');
      if (target?.type === 'attribute') add(target);
      // Arguments can be changed by what they are handed to.
      const list = node.children.find((child) => child.field === 'arguments');
      const called =
        target === undefined
          ? ''
          : textOf(module.file(), target.children.find((child) => child.field === 'attribute') ?? target);
      if (!readers.has(called))
        for (const argument of list?.children ?? []) if (argument.type === 'identifier') add(argument);
    }
    if (node.field === 'left' && /attribute|subscript|identifier/.test(node.type)) add(node);
    if (node.type === 'delete_statement') for (const child of node.children) add(child);
    for (const child of node.children) visit(child);
  };
  if (!entering && (statement.kind === 'function' || statement.kind === 'class'))
    for (const decorator of statement.decorators) decorator.children.forEach(addDecorator);
  else visit(statement.node);
  function addDecorator(node: PyNode): void {
    if (node.type === 'attribute' || node.type === 'call')
      add(node.type === 'call' ? (node.children.find((child) => child.field === 'function') ?? node) : node);
    visit(node);
  }
  return [...found];
}

export interface Touched {
  /** Module-level objects that functions called by the statement write to. */
  readonly symbols: readonly string[];
  /** The statement names nothing of the codebase. */
  readonly outsideOnly: boolean;
}

/** Makes the transitive part of the analysis, with a memory of its own. */
export function makeTouches(program: Program): (module: Module, statement: Statement) => Touched {
  const memory = new Map<string, ReadonlySet<string>>();

  const referencesOf = (module: Module, statement: Statement, headerOnly: boolean): readonly Reference[] => {
    const references: Reference[] = [];
    const sink: ReferenceSink = {
      reference: (reference) => references.push(reference),
      attribute: () => undefined,
      string: () => undefined,
    };
    const options = { lazyAnnotations: true };
    if (headerOnly) {
      for (const decorator of statement.decorators)
        collectReferences(module.file(), decorator, [], options, sink);
    } else if (statement.kind === 'function') {
      collectHeaderReferences(module.file(), statement, [], options, sink);
      collectReferences(module.file(), statement.node, [], options, sink);
    } else collectReferences(module.file(), statement.node, [], options, sink);
    return references;
  };

  /** Objects written to by the functions and classes that the references reach. */
  const symbolsOf = (
    module: Module,
    references: readonly Reference[],
    depth: number,
    seen: Set<string>,
    decorating = false,
  ): Set<string> => {
    const out = new Set<string>();
    for (const reference of references) {
      if (!reference.called && !decorating) continue;
      const target = resolveChain(program, module, reference.name, reference.chain);
      if (target?.kind !== 'symbol') continue;
      const key = `${target.module.name}:${target.name}`;
      const kind = target.module.bindings.get(target.name)?.[2];
      if ((kind === 'function' || kind === 'class') && depth > 0 && !seen.has(key)) {
        seen.add(key);
        for (const symbol of through(target.module, target.name, depth - 1, seen)) out.add(symbol);
      }
    }
    return out;
  };

  const through = (module: Module, name: string, depth: number, seen: Set<string>): ReadonlySet<string> => {
    const key = `${module.name}:${name}`;
    const known = memory.get(key);
    if (known !== undefined) return known;
    const out = new Set<string>();
    for (const index of module.binders().get(name) ?? []) {
      const statement = module.statements()[index];
      if (statement === undefined || (statement.kind !== 'function' && statement.kind !== 'class')) continue;
      for (const symbol of receivers(program, module, statement, true)) out.add(symbol);
      for (const symbol of symbolsOf(module, referencesOf(module, statement, false), depth, seen))
        out.add(symbol);
    }
    memory.set(key, out);
    return out;
  };

  return (module, statement) => {
    const references = referencesOf(
      module,
      statement,
      statement.kind === 'function' || statement.kind === 'class',
    );
    const symbols = symbolsOf(
      module,
      references,
      4,
      new Set(),
      statement.kind === 'function' || statement.kind === 'class',
    );
    const outsideOnly = references.every((reference) => {
      const target = resolveName(program, module, reference.name);
      return target === null || target.kind === 'outside';
    });
    return { symbols: [...symbols], outsideOnly };
  };
}
