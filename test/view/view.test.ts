// Reports of a few lines go in, what an editor shows comes out.
import { describe, expect, test } from 'vitest';
import type { Origin } from '../../src/model/gist.js';
import type { Ran, Report } from '../../src/model/report.js';
import { faultMessage } from '../../src/view/faultMessage.js';
import { overlayOf, provenanceColours } from '../../src/view/overlay.js';
import { scoreStatus } from '../../src/view/scoreStatus.js';
import { survivingLines } from '../../src/view/survivingLines.js';
import { english } from '../../src/base/translate.js';

const kept = (file: string, line: number): Origin => ({ kind: 'kept', file, line });
const blank: Origin = { kind: 'added', why: 'blank' };

function reportOf(rows: readonly (readonly [Origin, Ran])[], changes: Partial<Report> = {}): Report {
  const run = { exitCode: 0, tests: [], collectErrors: [], deselected: 0 };
  return {
    schema: 1,
    task: {
      ...{ repo: '/codebase', nodeId: 'tests/test_a.py::test_a', python: '/usr/bin/python3', pytestArgs: [] },
      ...{ layout: 'auto', reduce: 'executed', sandbox: 'local', timeout: 120, keepDocstrings: false },
    },
    gist: { text: rows.map((_, index) => `line ${index}\n`).join(''), file: null },
    lines: rows.map(([origin, ran]) => ({ origin, ran })),
    verified: true,
    score: {
      ...{ fidelity: 1, problems: [], failure: 'none', testF1: 1, invented: [] },
      execution: { hit: 1999, total: 2000 },
      existence: { hit: 7, total: 7 },
    },
    layout: { kind: 'flat', held: [] },
    original: run,
    observed: run,
    diagnostics: [],
    timings: [],
    runs: 1,
    environment: { python: '3.11', packages: {}, hashSeed: '0', variablesRead: [], commit: null },
    versions: { gistify: '0' },
    ...changes,
  };
}

describe('overlay', () => {
  const rows: readonly (readonly [Origin, Ran])[] = [
    [{ kind: 'added', why: 'stand-in' }, 'yes'],
    [blank, 'none'],
    [kept('a.py', 3), 'yes'],
    [blank, 'none'],
    [kept('a.py', 9), 'no'],
    [blank, 'none'],
    [{ kind: 'rewritten', file: 'a.py', line: 11, why: 'else dropped' }, 'yes'],
    [kept('b.py', 1), 'none'],
    [kept('b.py', 2), 'yes'],
    [{ kind: 'added', why: 'a comment' }, 'none'],
    [kept('b.py', 4), 'yes'],
    [blank, 'none'],
    [kept('tests/test_a.py', 5), 'yes'],
  ];

  test('says what ran, what did not and what was added; blank lines are neither', () => {
    const overlay = overlayOf(reportOf(rows), english);
    expect(overlay.executed).toEqual([
      { first: 1, last: 1 },
      { first: 3, last: 3 },
      { first: 7, last: 7 },
      { first: 9, last: 9 },
      { first: 11, last: 11 },
      { first: 13, last: 13 },
    ]);
    expect(overlay.unexecuted).toEqual([{ first: 5, last: 5 }]);
    expect(overlay.added).toEqual([
      { first: 1, last: 1 },
      { first: 10, last: 10 },
    ]);
  });

  test("a file's stripe goes through blank lines within it, and the test's own file has the first colour", () => {
    expect(overlayOf(reportOf(rows), english).files).toEqual([
      { file: 'tests/test_a.py', colour: 0, ranges: [{ first: 13, last: 13 }] },
      { file: 'a.py', colour: 1, ranges: [{ first: 3, last: 7 }] },
      {
        file: 'b.py',
        colour: 2,
        ranges: [
          { first: 8, last: 9 },
          { first: 11, last: 11 },
        ],
      },
    ]);
  });

  test('the margin names origins where they change, and says in words what colours say', () => {
    expect(overlayOf(reportOf(rows), english).margins).toEqual([
      { line: 1, text: '+ stand-in' },
      { line: 3, text: '← a.py:3' },
      { line: 5, text: 'did not run' },
      { line: 7, text: '← a.py:11, rewritten: else dropped' },
      { line: 8, text: '← b.py:1' },
      { line: 11, text: '← b.py:4' },
      { line: 13, text: '← tests/test_a.py:5' },
    ]);
  });

  test('more files than colours share them, but none shares the colour of the test', () => {
    const many = Array.from({ length: 12 }, (_, n) => [kept(`m${n}.py`, 1), 'yes'] as const);
    const colours = overlayOf(reportOf(many), english).files.map(({ colour }) => colour);
    expect(Math.min(...colours)).toBe(1);
    expect(Math.max(...colours)).toBe(provenanceColours - 1);
    expect(colours.every((colour, index) => index === 0 || colour !== colours[index - 1])).toBe(true);
  });
});

describe('status', () => {
  test('rates are rounded down: 100% means all', () => {
    const status = scoreStatus(reportOf([[kept('a.py', 1), 'yes']]), english);
    expect(status.text).toBe('Verified · 99.9% executed · 100% existing');
    expect(status.detail).toBe(
      '1999 of 2000 lines ran, 7 of 7 statements stand in the codebase, from 1 file',
    );
    expect(status.severity).toBe('info');
  });

  test('a gist that does not verify says why', () => {
    const report = reportOf([]);
    const score = { ...report.score, fidelity: 0, problems: ['it prints more'], execution: null } as const;
    const status = scoreStatus({ ...report, verified: false, score }, english);
    expect(status.text).toBe('Not verified · did not run · 100% existing');
    expect(status.detail).toMatch(/^it prints more, /);
    expect(status.severity).toBe('warning');
  });
});

describe('surviving lines', () => {
  const text = 'a\nb\nc\nd\n';
  test('all of an untouched text', () => {
    expect(survivingLines(text, text)).toEqual([1, 2, 3, 4, 5]);
    expect(survivingLines(text, text.replaceAll('\n', '\r\n'))).toEqual([1, 2, 3, 4, 5]);
  });
  test('a changed line loses its claim, the others keep theirs', () => {
    expect(survivingLines(text, 'a\nB\nc\nd\n')).toEqual([1, 0, 3, 4, 5]);
  });
  test('lines move with what is typed or removed above them', () => {
    expect(survivingLines(text, 'new\na\nb\nc\nd\n')).toEqual([0, 1, 2, 3, 4, 5]);
    expect(survivingLines(text, 'a\nd\n')).toEqual([1, 4, 5]);
    expect(survivingLines('a\na\na\n', 'a\na\n')).toEqual([1, 2, 4]);
  });
});

describe('fault message', () => {
  test("takes the fault, pytest's own word and the hint", () => {
    const said = [
      'trace: a line that came before',
      'gistify: tests/test_a.py cannot be collected [collection-error]',
      '  | tests/test_a.py:1: in <module>',
      '  | E   ModuleNotFoundError: No module named "x"',
      'Run the test with plain pytest to see why.',
    ];
    expect(faultMessage(said, 4, english)).toBe(
      'Gistify: tests/test_a.py cannot be collected: ModuleNotFoundError: No module named "x". Run the test with plain pytest to see why.',
    );
  });
  test('without a fault of ours the last words stand', () => {
    expect(faultMessage(['node: bad option'], 9, english)).toBe(
      'Gistify: the run ended with status 9: node: bad option',
    );
    expect(faultMessage([], 1, english)).toBe('Gistify: the run ended with status 1');
  });
});
