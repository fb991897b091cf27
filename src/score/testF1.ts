// The gist and the original test file flow in, the agreement of the test function's lines flows out.
import type { PythonParser } from '../python/parse.js';
import { findDefinition, testNames } from './findTest.js';
import { pythonText } from './units.js';

/**
 * F1 over the stripped non-blank lines of the test function with its decorators, as multisets: 1 where both have the
 * same lines, null where either has no such function.
 */
export function testF1(
  parser: PythonParser,
  gistText: string,
  testSource: string,
  nodeId: string,
): number | null {
  const names = testNames(nodeId);
  const gist = functionLines(parser, gistText, names);
  const original = functionLines(parser, testSource, names);
  return gist === null || original === null ? null : linesF1(gist, original);
}

/** F1 of two lists of lines as multisets. */
export function linesF1(a: readonly string[], b: readonly string[]): number {
  if (a.length + b.length === 0) return 1;
  const rest = new Map<string, number>();
  for (const line of b) rest.set(line, (rest.get(line) ?? 0) + 1);
  let hits = 0;
  for (const line of a) {
    const left = rest.get(line) ?? 0;
    if (left === 0) continue;
    rest.set(line, left - 1);
    hits += 1;
  }
  return (2 * hits) / (a.length + b.length);
}

function functionLines(
  parser: PythonParser,
  source: string,
  names: readonly string[],
): readonly string[] | null {
  const text = pythonText(source);
  const tree = parser.parse(text);
  const found = names.length === 0 ? null : findDefinition(tree.rootNode, names);
  tree.delete();
  if (found === null) return null;
  return text
    .split('\n')
    .slice(found.firstRow, found.lastRow + 1)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
