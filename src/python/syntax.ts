// A tree-sitter tree flows in, a plain tree of named nodes flows out, so that later passes never cross into wasm.
// Offsets are UTF-16 indices into `text`, in which every line ends in a single line feed.
import type { PythonParser } from './parse.js';

export interface PyNode {
  readonly type: string;
  /** Field name within the parent, '' where it has none. */
  readonly field: string;
  readonly start: number;
  readonly end: number;
  /** Zero-based rows. */
  readonly row: number;
  readonly endRow: number;
  /** Zero-based column of the start, in UTF-16 units. */
  readonly column: number;
  readonly children: readonly PyNode[];
}

export interface SourceFile {
  /** Repo-relative POSIX path. */
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
  readonly root: PyNode;
  readonly hasError: boolean;
}

/** Line feeds only, as Python reads source (universal newlines); line numbers stay as they are. */
export function normalizeNewlines(text: string): string {
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text;
  return plain.includes('\r') ? plain.replaceAll(/\r\n?/g, '\n') : plain;
}

/** Parses one file into plain nodes. Anonymous tokens are left out, comments are kept. */
export function parseSource(parser: PythonParser, path: string, original: string): SourceFile {
  const text = normalizeNewlines(original);
  const tree = parser.parse(text);
  const cursor = tree.walk();
  const build = (): PyNode => {
    const { startPosition, endPosition } = cursor;
    const made = {
      type: cursor.nodeType,
      field: cursor.currentFieldName ?? '',
      start: cursor.startIndex,
      end: cursor.endIndex,
      row: startPosition.row,
      endRow: endPosition.row,
      column: startPosition.column,
      children: [] as PyNode[],
    };
    if (cursor.gotoFirstChild()) {
      do {
        if (cursor.nodeIsNamed) made.children.push(build());
      } while (cursor.gotoNextSibling());
      cursor.gotoParent();
    }
    return made;
  };
  const root = build();
  const hasError = tree.rootNode.hasError;
  cursor.delete();
  tree.delete();
  const lines = text.split('\n');
  return { path, text, lines, root, hasError };
}

export function childByField(node: PyNode, field: string): PyNode | undefined {
  return node.children.find((child) => child.field === field);
}

export function textOf(file: SourceFile, node: PyNode): string {
  return file.text.slice(node.start, node.end);
}
