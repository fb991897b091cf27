// Decides whether an expression that gave false may be dropped with the branch it guarded. Optimistic by design:
// attribute reads count as pure, and the gist's own trace shows where that was wrong.
import { childByField, textOf, type PyNode, type SourceFile } from '../python/syntax.js';

const pureCalls = new Set([
  'isinstance',
  'issubclass',
  'len',
  'hasattr',
  'getattr',
  'callable',
  'type',
  'bool',
  'id',
  'any',
  'all',
  'min',
  'max',
  'int',
  'str',
  'set',
  'frozenset',
  'tuple',
  'list',
  'dict',
  'sorted',
  'abs',
  'repr',
  'locals',
  'range',
  'enumerate',
  'zip',
]);
const pureMethods = new Set([
  'startswith',
  'endswith',
  'get',
  'lower',
  'upper',
  'strip',
  'isdigit',
  'keys',
  'values',
  'items',
  'split',
  'isidentifier',
  'is_file',
  'exists',
  'search',
  'match',
]);
const impure = new Set(['named_expression', 'await', 'yield', 'generator_expression']);

export function isPure(file: SourceFile, node: PyNode): boolean {
  if (impure.has(node.type) && node.type !== 'generator_expression') return false;
  if (node.type === 'lambda') return true;
  if (node.type === 'call') {
    const target = childByField(node, 'function');
    if (target === undefined) return false;
    if (target.type === 'identifier') {
      if (!pureCalls.has(textOf(file, target))) return false;
    } else if (target.type === 'attribute') {
      const attribute = childByField(target, 'attribute');
      if (attribute === undefined || !pureMethods.has(textOf(file, attribute))) return false;
    } else return false;
  }
  return node.children.every((child) => isPure(file, child));
}

const changing =
  /^(_?pop|popitem|popleft|append|add|remove|discard|next|send|throw|read|readline|readlines|write|setdefault|update|acquire|release|insert|extend|clear|close|get_nowait|put|seek|sort|reverse|start|join|wait|set|input|exec|eval|setattr|delattr|shuffle|seed|register\w*|push|flush|commit|open|connect|recv|accept|load|loads|mkdir|unlink)$/;

/**
 * Whether an expression that led to nothing may be tried without: anything but what binds, suspends or calls
 * something that changes its object by name. Only a trace of the gist can confirm it.
 */
export function isHarmless(file: SourceFile, node: PyNode): boolean {
  if (node.type === 'await' || node.type === 'yield') return false;
  if (node.type === 'call') {
    const target = childByField(node, 'function');
    const named = target?.type === 'attribute' ? childByField(target, 'attribute') : target;
    if (named === undefined || changing.test(textOf(file, named))) return false;
  }
  return node.children.every((child) => isHarmless(file, child));
}
