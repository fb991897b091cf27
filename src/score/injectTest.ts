// A gist and the original test file flow in, the gist with the original test function in place of its own flows out: a
// gist may not pass by changing the test.
import type { Node, PythonParser } from '../python/parse.js';
import { findDefinition, testNames } from './findTest.js';
import { pythonText } from './units.js';

/**
 * The text to run for scoring, or null where the gist has no such test. A method that the test class inherits has no
 * text of its own: the gist stays as it is. A test that is already the original's leaves every line in its place.
 */
export function injectTest(
  parser: PythonParser,
  gistText: string,
  testSource: string,
  nodeId: string,
): string | null {
  const names = testNames(nodeId);
  if (names.length === 0) return gistText;
  const gist = pythonText(gistText);
  const source = pythonText(testSource);
  const gistTree = parser.parse(gist);
  const sourceTree = parser.parse(source);
  try {
    const original = findDefinition(sourceTree.rootNode, names);
    const own = findDefinition(gistTree.rootNode, names);
    if (original === null) {
      const owner = names.slice(0, -1);
      const inherited =
        owner.length > 0 &&
        findDefinition(sourceTree.rootNode, owner) !== null &&
        findDefinition(gistTree.rootNode, owner) !== null;
      return inherited ? gistText : null;
    }
    if (own === null) return null;
    const gistLines = gist.split('\n');
    const sourceLines = source.split('\n').slice(original.firstRow, original.lastRow + 1);
    const from = indentOf(sourceLines[0] ?? '');
    const to = indentOf(gistLines[own.firstRow] ?? '');
    const inString = stringRows(original.node);
    const moved = sourceLines.map((line, index) => {
      if (from === to || line.trim() === '' || inString.has(original.firstRow + index)) return line;
      return line.startsWith(from) ? to + line.slice(from.length) : to + line.trimStart();
    });
    return [...gistLines.slice(0, own.firstRow), ...moved, ...gistLines.slice(own.lastRow + 1)].join('\n');
  } finally {
    gistTree.delete();
    sourceTree.delete();
  }
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** Rows that begin inside a string: moving them would change its value. */
function stringRows(node: Node): ReadonlySet<number> {
  const rows = new Set<number>();
  for (const string of node.descendantsOfType('string')) {
    for (let row = string.startPosition.row + 1; row <= string.endPosition.row; row += 1) rows.add(row);
  }
  return rows;
}
