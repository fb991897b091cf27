// A syntax tree and a line flow in, the edit that takes the statement on that line away flows out; what is left is still Python.
import type { Node, Tree } from './parse.js';

/** Rows are 0-based; the text replaces everything from the start of the first to the end of the last row. */
export interface RowEdit {
  readonly firstRow: number;
  readonly lastRow: number;
  /** Null where the rows go as a whole. */
  readonly text: string | null;
}

const clauses = new Set([
  'elif_clause',
  'else_clause',
  'except_clause',
  'except_group_clause',
  'case_clause',
]);

/** Null where nothing starts on the row, or where it cannot go (the only handler of a `try`). */
export function removeStatement(tree: Tree, row: number): RowEdit | null {
  const node = startingOn(tree.rootNode, row);
  if (node === null) return null;
  const parent = node.parent;
  const last = lastRowOf(node);
  if (clauses.has(node.type)) {
    const alike = parent?.namedChildren.filter((child) => child.type.startsWith('except')) ?? [];
    const needed = node.type.startsWith('except') && alike.length === 1;
    return needed ? null : { firstRow: row, lastRow: last, text: null };
  }
  if (parent?.type !== 'block') return { firstRow: row, lastRow: last, text: null };
  const others = parent.namedChildren.filter((child) => child.id !== node.id && child.type !== 'comment');
  if (others.length > 0) return { firstRow: row, lastRow: last, text: null };
  const indent = ' '.repeat(node.startPosition.column);
  return { firstRow: row, lastRow: last, text: `${indent}pass` };
}

/** The outermost statement or clause that starts on the row, decorators included. */
function startingOn(node: Node, row: number): Node | null {
  for (const child of node.namedChildren) {
    if (child.startPosition.row > row || child.endPosition.row < row) continue;
    const starts = child.startPosition.row === row;
    if (starts && (clauses.has(child.type) || node.type === 'block' || node.type === 'module'))
      return child.type === 'comment' ? null : child;
    const inner = startingOn(child, row);
    if (inner !== null) return inner;
  }
  return null;
}

function lastRowOf(node: Node): number {
  const { row, column } = node.endPosition;
  return column === 0 ? row - 1 : row;
}

/** The rows of the innermost function around a row, or of the class or statement where there is none. */
export function definitionAround(
  tree: Tree,
  row: number,
): { readonly firstRow: number; readonly lastRow: number } | null {
  let found: Node | null = null;
  const visit = (node: Node): void => {
    for (const child of node.namedChildren) {
      if (child.startPosition.row > row || lastRowOf(child) < row) continue;
      // A decorated definition was found whole, one level above.
      const known = node.type === 'decorated_definition';
      const inner = child.type === 'decorated_definition' ? child.childForFieldName('definition') : child;
      const isFunction = inner?.type === 'function_definition';
      if (!known && (isFunction || (found === null && inner?.type === 'class_definition'))) found = child;
      visit(child);
    }
  };
  visit(tree.rootNode);
  const node = found as Node | null;
  return node === null ? null : { firstRow: node.startPosition.row, lastRow: lastRowOf(node) };
}
