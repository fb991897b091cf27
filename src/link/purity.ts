// Decides whether an expression that gave false may be dropped with the branch it guarded. Optimistic by design:
// attribute reads count as pure, and the gist's own trace shows where that was wrong.
import { childByField, textOf, type PyNode, type SourceFile } from '../python/syntax.js';

const pureCalls = new Set([
  'isinstance', 'issubclass', 'len', 'hasattr', 'getattr', 'callable', 'type', 'bool', 'id', 'any', 'all', 'min', 'max',
  'int', 'str', 'set', 'frozenset', 'tuple', 'list', 'dict', 'sorted', 'abs', 'repr', 'locals', 'range', 'enumerate', 'zip',
]);
const pureMethods = new Set(['startswith', 'endswith', 'get', 'lower', 'upper', 'strip', 'isdigit', 'keys', 'values', 'items', 'split', 'isidentifier', 'is_file', 'exists', 'search', 'match']);
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
