// A top-level statement flows in, what running it could change directly flows out: the module-level objects that it
// writes to, calls methods of or hands to others.
import { functionScope, opaqueLocals } from '../python/names.js';
import { statementsOf, type Statement } from '../python/statements.js';
import { childByField, textOf, type PyNode, type SourceFile } from '../python/syntax.js';
import type { Module, Program } from './program.js';
import { resolveChain } from './resolve.js';

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

/** Methods of containers and strings that change nothing. */
const readingMethods = new Set([
  'get',
  'items',
  'keys',
  'values',
  'copy',
  'index',
  'count',
  'format',
  'join',
  'split',
  'strip',
  'lower',
  'upper',
  'startswith',
  'endswith',
  'issubset',
  'issuperset',
  'union',
  'intersection',
  'difference',
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

/** Statements inside a definition that did not run then: `when` are bits as of `Module.ran`. */
export function idleInside(module: Module, definition: Statement, when: number): ReadonlySet<PyNode> {
  const idle = new Set<PyNode>();
  const visit = (statement: Statement): void => {
    for (const suite of statement.suites)
      for (const inner of suite.statements) {
        if ((module.ran(inner.position) & when) === 0) idle.add(inner.node);
        else visit(inner);
      }
  };
  visit(definition);
  return idle;
}

/**
 * Symbols (`module:name`) that a statement writes to or calls a method of, directly. A definition's body counts where
 * it is entered, but for the parts in `idle`.
 */
export function receivers(
  program: Program,
  module: Module,
  statement: Statement,
  idle: ReadonlySet<PyNode> | null = null,
): readonly string[] {
  const found = new Set<string>();
  const entering = idle !== null;
  const defaults = entering ? namedDefaults(module.file(), statement.node) : new Map<string, string>();
  let local: ReadonlySet<string> = new Set();
  const add = (node: PyNode, isCalled = false) => {
    const base = baseOf(module.file(), node);
    if (base === null) return;
    const named = defaults.get(base.name);
    if (named === undefined && local.has(base.name)) return;
    const name = named ?? base.name;
    const target = resolveChain(program, module, name, base.chain);
    if (target?.kind !== 'symbol') return;
    const kind = target.module.bindings.get(target.name)?.[2];
    // `module.function()` calls no method of an object: what the function does is looked at on its own.
    const isFunction =
      (kind === 'function' || kind === 'class') &&
      (base.chain.length === 0 || target.name === base.chain.at(-1));
    if (kind !== 'builtin' && !(isCalled && isFunction)) found.add(`${target.module.name}:${target.name}`);
  };
  const visit = (node: PyNode): void => {
    if (idle?.has(node) === true) return;
    if (
      !entering &&
      (node.type === 'function_definition' || node.type === 'class_definition' || node.type === 'lambda')
    )
      return;
    if (node.type === 'call') {
      const target = node.children.find((child) => child.field === 'function');
      const method = target?.children.find((child) => child.field === 'attribute');
      const onlyReads = entering && method !== undefined && readingMethods.has(textOf(module.file(), method));
      if (target?.type === 'attribute' && !onlyReads) add(target, true);
      // Arguments can be changed by what they are handed to.
      const list = node.children.find((child) => child.field === 'arguments');
      const called = target === undefined ? '' : textOf(module.file(), method ?? target);
      if (!readers.has(called))
        for (const argument of list?.children ?? [])
          if (argument.type === 'identifier') add(argument, entering);
    }
    if (node.field === 'left' && /attribute|subscript|identifier/.test(node.type)) add(node);
    if (node.type === 'delete_statement') for (const child of node.children) add(child);
    const outer = local;
    const [inner] = node.type === 'function_definition' ? statementsOf(module.file(), [node], false) : [];
    if (inner !== undefined)
      local = new Set([...local, ...opaqueLocals(functionScope(module.file(), inner))]);
    for (const child of node.children) visit(child);
    local = outer;
  };
  if (!entering && (statement.kind === 'function' || statement.kind === 'class'))
    for (const decorator of statement.decorators) decorator.children.forEach(addDecorator);
  else visit(statement.node);
  function addDecorator(node: PyNode): void {
    if (node.type === 'attribute' || node.type === 'call')
      add(
        node.type === 'call' ? (node.children.find((child) => child.field === 'function') ?? node) : node,
        true,
      );
    visit(node);
  }
  return [...found];
}
