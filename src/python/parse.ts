// Python text flows in, a tree-sitter tree flows out; the grammar's own wasm does the work.
// Node positions are in UTF-16 code units (`startIndex`) and zero-based rows, as web-tree-sitter gives them.
import { Language, Parser, type Node, type Tree } from 'web-tree-sitter';

export interface ParserBinaries {
  /** web-tree-sitter's own wasm. */
  readonly runtime: Uint8Array;
  /** tree-sitter-python's grammar wasm. */
  readonly grammar: Uint8Array;
}

/** A ready parser: synchronous once made. */
export interface PythonParser {
  /** Parses a whole file. The tree has `hasError` set where the text is not Python. */
  parse(text: string): Tree;
}

/** Loads the grammar once a process. The host hands the bytes over, so that this layer does no I/O. */
export async function createPythonParser(binaries: ParserBinaries): Promise<PythonParser> {
  await Parser.init({ wasmBinary: binaries.runtime });
  const parser = new Parser();
  parser.setLanguage(await Language.load(binaries.grammar));
  return {
    parse(text) {
      const tree = parser.parse(text);
      if (tree === null) throw new Error('tree-sitter gave no tree');
      return tree;
    },
  };
}

export type { Node, Tree };
