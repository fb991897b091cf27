// Taking a statement away: what is left must still be Python, and all that belongs to it must be gone.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createPythonParser, type PythonParser } from '../../src/python/parse.js';
import { definitionAround, removeStatement } from '../../src/python/removeStatement.js';

const modules = path.join(import.meta.dirname, '../../node_modules');
let parser: PythonParser;

beforeAll(async () => {
  parser = await createPythonParser({
    runtime: await readFile(path.join(modules, 'web-tree-sitter/web-tree-sitter.wasm')),
    grammar: await readFile(path.join(modules, 'tree-sitter-python/tree-sitter-python.wasm')),
  });
});

/** The text without the statement that starts on the line that holds `at`. */
function without(text: string, at: string): string | null {
  const rows = text.split('\n');
  const edit = removeStatement(
    parser.parse(text),
    rows.findIndex((row) => row.includes(at)),
  );
  if (edit === null) return null;
  rows.splice(edit.firstRow, edit.lastRow - edit.firstRow + 1, ...(edit.text === null ? [] : [edit.text]));
  const left = rows.join('\n');
  expect(parser.parse(left).rootNode.hasError).toBe(false);
  return left;
}

describe('removing a statement', () => {
  test.each([
    ['a plain line', 'a = 1\nb = 2\n', 'a = 1', 'b = 2\n'],
    ['a statement over several lines', 'x = f(\n    1,\n)\ny = 1\n', 'x = f(', 'y = 1\n'],
    ['a whole block', 'if a:\n    b()\nelse:\n    c()\nd()\n', 'if a', 'd()\n'],
    ['a decorated function', '@d\ndef f():\n    pass\nx = 1\n', '@d', 'x = 1\n'],
    ['one clause', 'if a:\n    b()\nelif c:\n    d()\n', 'elif c', 'if a:\n    b()\n'],
    ['the only statement of a block', 'def f():\n    return 1\n', 'return 1', 'def f():\n    pass\n'],
    [
      'one of two handlers',
      'try:\n    a()\nexcept A:\n    b()\nexcept B:\n    c()\n',
      'except A',
      'try:\n    a()\nexcept B:\n    c()\n',
    ],
    ['the only handler', 'try:\n    a()\nexcept A:\n    b()\n', 'except A', null],
    ['a comment', '# a\nb()\n', '# a', null],
  ])('%s', (_name, text, at, expected) => {
    expect(without(text, at)).toBe(expected);
  });
});

test('the innermost function around a line, with its decorators; else the class', () => {
  const text =
    'class C:\n    x = 1\n\n    @p\n    def f(self):\n        def g():\n            return 1\n        return g\n\ny = 2\n';
  const around = (row: number): string => {
    const rows = definitionAround(parser.parse(text), row);
    return rows === null ? '-' : `${rows.firstRow}-${rows.lastRow}`;
  };
  expect([0, 1, 3, 4, 6, 7, 9].map(around)).toEqual(['0-7', '0-7', '3-7', '3-7', '5-6', '3-7', '-']);
});
