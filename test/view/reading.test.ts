// What lists, menus and comparisons are made from: staleness, moved lines, ids of other extensions, what two tests run.
import { describe, expect, test } from 'vitest';
import { english } from '../../src/base/translate.js';
import type { Report } from '../../src/model/report.js';
import type { TestItem } from '../../src/model/testItem.js';
import { entryText, type GistEntry } from '../../src/view/gistEntry.js';
import { gistProblems } from '../../src/view/gistProblems.js';
import { lineMoves } from '../../src/view/lineMoves.js';
import { runDifference, runListing } from '../../src/view/runListing.js';
import { staleFiles, staleText } from '../../src/view/staleness.js';
import { matchTestId } from '../../src/view/testIds.js';
import { testLenses } from '../../src/view/testLens.js';

/** A report whose gist has these lines of the file, all of which ran. */
function reportOf(
  file: string,
  lines: readonly (readonly [number, string])[],
  ran: 'yes' | 'no' = 'yes',
): Report {
  return {
    gist: { text: lines.map(([, text]) => `${text}\n`).join(''), file: null },
    lines: lines.map(([line]) => ({ origin: { kind: 'kept', file, line }, ran })),
    score: { invented: [] },
  } as unknown as Report;
}

const before = 'import os\n\ndef f(x):\n    y = x + 1\n    return y\n\ndef g():\n    pass\n';
const report = reportOf('a.py', [
  [3, 'def f(x):'],
  [4, '    y = x + 1'],
  [5, '    return y'],
]);

describe('staleness', () => {
  const stale = (now: string | null): readonly { file: string; lines: readonly number[] }[] =>
    staleFiles(report, { 'a.py': before }, () => now);

  test('lines that only moved, comments, blank lines and other functions are no change', () => {
    expect(stale(before)).toEqual([]);
    expect(stale(`# one\n# two\n${before}`)).toEqual([]);
    expect(stale(before.replace('    return y', '\n    # why\n    return y'))).toEqual([]);
    expect(stale(before.replace('    pass', '    return 7'))).toEqual([]);
    expect(stale(`${before}\ndef h():\n    return 1\n`)).toEqual([]);
  });
  test('a line of the gist that was changed or removed is one', () => {
    expect(stale(before.replace('x + 1', 'x + 2'))).toEqual([{ file: 'a.py', lines: [4] }]);
    expect(stale(before.replace('    y = x + 1\n', ''))).toEqual([{ file: 'a.py', lines: [4] }]);
  });
  test('a new line in a function of the gist is one', () => {
    expect(stale(before.replace('    return y', '    y *= 2\n    return y'))).toEqual([
      { file: 'a.py', lines: [5] },
    ]);
  });
  test('a file that is gone is named', () => {
    expect(stale(null)).toEqual([{ file: 'a.py', lines: [] }]);
    expect(staleText([{ file: 'a.py', lines: [4, 5, 6, 9] }, ...stale(null)], 'gone')).toBe(
      'a.py: 4–6, 9; a.py: gone',
    );
  });
});

test('moved lines are followed', () => {
  expect(lineMoves('a\nb\nc', 'new\na\nc')).toEqual([2, 0, 3]);
  expect(lineMoves('a\r\nb', 'a\nb')).toEqual([1, 2]);
});

describe('ids of tests', () => {
  const item = (nodeId: string): TestItem => ({
    ...{ nodeId, line: 1, firstLine: 1, lastLine: 2, kind: 'function', parametrized: false, isAsync: false },
  });
  const items = ['t/test_a.py::test_x', 't/test_a.py::TestC::test_y', 't/test_a.py::TestC::test_z'].map(item);
  test.each([
    ['/abs/t/test_a.py::test_x', 'test_x', ['t/test_a.py::test_x']],
    [
      'pytest:/abs/t/test_a.py::TestC::test_y[a::b-1]',
      'test_y[a::b-1]',
      ['t/test_a.py::TestC::test_y[a::b-1]'],
    ],
    ['./t/test_a.py::TestC', 'TestC', ['t/test_a.py::TestC::test_y', 't/test_a.py::TestC::test_z']],
    ['/abs/t/test_a.py', 'test_a.py', []],
    ['/abs/t/test_a.py::test_unknown', 'test_unknown', []],
  ])('%s', (id, label, expected) => {
    expect(matchTestId(id, label, items)).toEqual(expected);
  });
});

test('one lens stands for all the tests that a class inherits', () => {
  const item = (nodeId: string, firstLine: number, inherited: boolean): TestItem => ({
    ...{
      nodeId,
      line: firstLine,
      firstLine,
      lastLine: firstLine,
      kind: 'method',
      parametrized: false,
      isAsync: false,
    },
    ...(inherited ? { inheritedFrom: 'Base' } : {}),
  });
  const lenses = testLenses([item('a', 3, true), item('b', 3, true), item('c', 5, false)]);
  expect(lenses.map(({ line, nodeIds, inherited }) => [line, nodeIds, inherited])).toEqual([
    [3, ['a', 'b'], true],
    [5, ['c'], false],
  ]);
});

test('an entry says scores and age', () => {
  const entry = { execution: { hit: 9, total: 10 }, existence: { hit: 3, total: 3 }, madeAt: 0 } as GistEntry;
  const texts = [30_000, 60_000, 59 * 60_000, 3_600_000, 26 * 3_600_000].map((now) =>
    entryText(entry, now, english),
  );
  expect(texts[0]).toBe('90% executed · 100% existing · just now');
  expect(texts.map((text) => text.split(' · ')[2])).toEqual([
    'just now',
    '1 minute ago',
    '59 minutes ago',
    '1 hour ago',
    '1 day ago',
  ]);
});

test('what two tests run is told apart by place, not by text', () => {
  const other = reportOf('a.py', [
    [3, 'def f(x):'],
    [9, '    return y'],
  ]);
  expect(runDifference(report, other)).toEqual({ onlyFirst: ['a.py:4', 'a.py:5'], onlySecond: ['a.py:9'] });
  expect(runListing(report)).toBe('# a.py\ndef f(x):\n    y = x + 1\n    return y\n');
});

test('problems name what is invented, with the nearest line where one line is enough', () => {
  const invented = [
    { line: 1, block: '', text: 'def f(x):', nearest: 'b/a.py:3: def f(y):' },
    { line: 2, block: 'f', text: 'y = x + 1 + (2)', nearest: 'b/a.py:4: y = x' },
  ];
  const problems = gistProblems({ ...report, score: { ...report.score, invented } }, english);
  expect(problems.map(({ line, nearest, message }) => [line, nearest, message])).toEqual([
    [1, 'def f(y):', 'This line is not in the codebase. Nearest: b/a.py:3: def f(y):'],
    [2, null, 'This line is not in the codebase. Nearest: b/a.py:4: y = x'],
  ]);
  const idle = gistProblems(reportOf('a.py', [[3, 'def f(x):']], 'no'), english);
  expect(idle.map(({ kind, line }) => [kind, line])).toEqual([['unexecuted', 1]]);
});
