// A parsed file and a node id flow in, the lines of the test function flow out, decorators included and comments after
// its last statement left out.
import { isCommand } from '../base/command.js';
import type { Node } from '../python/parse.js';

export interface TestLines {
  readonly node: Node;
  /** Zero-based first row (of the first decorator) and last row. */
  readonly firstRow: number;
  readonly lastRow: number;
}

/** Names of the classes and the function in a node id: `a.py::TestX::test_y[p::q]` gives TestX, test_y. */
export function testNames(nodeId: string): readonly string[] {
  if (isCommand(nodeId)) return [];
  const at = nodeId.indexOf('::');
  if (at === -1) return [];
  return nodeId
    .slice(at + 2)
    .replace(/\[.*$/s, '')
    .split('::')
    .filter((name) => name !== '');
}

/** The definition at the end of a path of names, or null. Where a name is defined twice the later one holds. */
export function findDefinition(root: Node, names: readonly string[]): TestLines | null {
  let found: TestLines | null = null;
  let block: Node | null = root;
  for (const name of names) {
    found = block === null ? null : lastNamed(block, name);
    if (found === null) return null;
    block = found.node.childForFieldName('body');
  }
  return found;
}

const conditional: ReadonlySet<string> = new Set([
  'if_statement',
  'elif_clause',
  'else_clause',
  'try_statement',
  'except_clause',
  'finally_clause',
  'with_statement',
  'block',
]);

/** Definitions that stand in the block itself win over those in its branches. */
function lastNamed(block: Node, name: string): TestLines | null {
  const children = block.namedChildren;
  for (const child of children.toReversed()) {
    const node = child.type === 'decorated_definition' ? child.childForFieldName('definition') : child;
    if (node === null || (node.type !== 'function_definition' && node.type !== 'class_definition')) continue;
    if (node.childForFieldName('name')?.text !== name) continue;
    return { node, firstRow: child.startPosition.row, lastRow: lastCodeRow(child) };
  }
  for (const child of children.toReversed()) {
    const found = conditional.has(child.type) ? lastNamed(child, name) : null;
    if (found !== null) return found;
  }
  return null;
}

function lastCodeRow(node: Node): number {
  let current = node;
  for (;;) {
    const last = current.children
      .filter((child) => !child.isExtra && child.endIndex > child.startIndex)
      .at(-1);
    if (last === undefined) return current.endPosition.row;
    current = last;
  }
}
