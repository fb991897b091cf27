// Outcomes are equal but for what differs between any two runs; what failed is named by kind.
import { describe, expect, test } from 'vitest';
import type { Phase, PhaseFailure, RunOutcome } from '../../src/model/outcome.js';
import { compareOutcomes, outcomeProblems, type CompareContext } from '../../src/score/compareOutcomes.js';
import { executionRatio } from '../../src/score/executionRatio.js';
import { failureKind, type FailureFacts } from '../../src/score/failureKind.js';
import { testNames } from '../../src/score/findTest.js';
import { normalize } from '../../src/score/normalize.js';
import { linesF1 } from '../../src/score/testF1.js';

const context: CompareContext = { codebaseModules: ['shop', 'tests.test_shop'], gistModule: 'gist' };

function phase(changes: Partial<Phase> = {}): Phase {
  const empty = { reason: '', failure: null, stdout: '', stderr: '', log: '' };
  return { when: 'call', outcome: 'passed', ...empty, ...changes };
}

function run(...phases: readonly Phase[]): RunOutcome {
  return { exitCode: 0, tests: [{ name: 'test_a', phases }], collectErrors: [], deselected: 0 };
}

function failed(failure: PhaseFailure, changes: Partial<Phase> = {}): RunOutcome {
  return run(phase({ outcome: 'failed', failure, ...changes }));
}

describe('normalize', () => {
  test.each([
    ['<Shop object at 0x7f3a2b1c9d10>', '<Shop object at 0x55d0c0ffee00>'],
    ['wrote /tmp/tmpab12cd/out.txt!', 'wrote /tmp/tmpzz98/out.txt!'],
    ["dir '/home/me/pytest-of-me/pytest-12/test_a0/x'", "dir '/home/me/pytest-of-me/pytest-3/test_a0/x'"],
    ['at http://127.0.0.1:40123/x', 'at http://127.0.0.1:51999/x'],
    ["HTTPConnectionPool(host='localhost', port=40123)", "HTTPConnectionPool(host='localhost', port=51999)"],
    ["address ('127.0.0.1', 40123)", "address ('127.0.0.1', 51999)"],
    ['[::1]:80 took 0.12s', '[::1]:8080 took 3.5s'],
    ['  File "/a/shop/cart.py", line 3, in total', '  File "gist.py", line 77, in total'],
    ['/a/shop/cart.py:12: UserWarning: old', 'gist.py:3: UserWarning: old'],
    ['a\r\nb', 'a\nb'],
  ])('%s', (a, b) => {
    expect(normalize(a)).toBe(normalize(b));
  });

  test.each([
    ['total 3', 'total 4'],
    ['0x10', '0x11'],
    ['port 80', 'port 81'],
    ['http://example.org:80', 'http://example.org:81'],
    ['version 1.2', 'version 1.3'],
    ['/home/me/a.txt', '/home/me/b.txt'],
    ['a \n', 'a\n'],
  ])('keeps %j apart from %j', (a, b) => {
    expect(normalize(a)).not.toBe(normalize(b));
  });

  test('knows further temporary directories by name', () => {
    expect(normalize('in /scratch/run(1)/x', ['/scratch/run(1)'])).toBe('in /TMP');
  });
});

describe('compareOutcomes', () => {
  const error = (type: string, message: string, line = 'raise Empty(cart)'): PhaseFailure => ({
    type,
    message,
    line,
  });

  test('finds nothing in equal runs', () => {
    expect(compareOutcomes(run(phase({ stdout: 'x' })), run(phase({ stdout: 'x' })), context)).toEqual([]);
  });

  test.each<[string, RunOutcome, RunOutcome]>([
    ['outcome', run(phase()), run(phase({ outcome: 'skipped' }))],
    ['reason', run(phase({ reason: 'a' })), run(phase({ reason: 'b' }))],
    ['stdout', run(phase({ stdout: 'a' })), run(phase({ stdout: 'b' }))],
    ['stderr', run(phase({ stderr: 'a' })), run(phase())],
    ['log', run(phase({ log: 'a' })), run(phase({ log: 'b' }))],
    ['exception type', failed(error('KeyError', 'x')), failed(error('ValueError', 'x'))],
    ['exception type', failed(error('shop.Empty', 'x')), failed(error('other.Empty', 'x'))],
    ['message', failed(error('KeyError', 'x')), failed(error('KeyError', 'y'))],
    ['raising line', failed(error('KeyError', 'x', 'a[1]')), failed(error('KeyError', 'x', 'b[1]'))],
    ['failure', run(phase()), run(phase({ failure: error('KeyError', 'x') }))],
    ['no setup', run(phase({ when: 'setup' }), phase()), run(phase())],
    ['teardown in the gist only', run(phase()), run(phase(), phase({ when: 'teardown' }))],
    ['did not run', run(phase()), { ...run(), tests: [] }],
    ['in the gist only', { ...run(), tests: [] }, run(phase())],
    ['cannot be collected', run(phase()), { ...run(phase()), collectErrors: ['ImportError: x'] }],
  ])('names a difference: %s', (what, original, gist) => {
    expect(compareOutcomes(original, gist, context).join('\n')).toContain(what);
  });

  const ran = (...names: readonly string[]): RunOutcome => ({
    ...run(),
    tests: names.map((name) => ({ name, phases: [phase({ stdout: name.replace(/[[].*/, '') })] })),
  });

  test.each<[string, readonly string[], readonly string[]]>([
    ['an address', ['t[<f at 0x7f00a1>]'], ['t[<f at 0x7f00b2>]']],
    ['a clock', ['t[1712345678123456789-a]', 't[b]'], ['t[1712345999123456000-a]', 't[b]']],
    ['a time', ['t[2024-05-01 10:00:01.250]'], ['t[2024-05-01 10:00:07.1]']],
    ['a uuid', ['t[1b4e28ba-2fa1-11d2-883f-0016d3cca427]'], ['t[6fa459ea-ee8a-3ca4-894e-db77e160355e]']],
    ['a random number', ['t[0.8444218515]'], ['t[0.75795440294]']],
  ])('an instance keeps its place where its id holds %s', (_, original, gist) => {
    expect(compareOutcomes(ran(...original), ran(...gist), context)).toEqual([]);
  });

  test.each<[string, readonly string[], readonly string[]]>([
    ['counts', ['t[0x7f00a1]', 't[0x7f00a2]'], ['t[0x7f00b1]']],
    ['small numbers', ['t[3]'], ['t[4]']],
    ['words', ['t[fade]'], ['t[dead]']],
    ['names', ['t_100200300[a]'], ['t_100200301[a]']],
    ['the rest of the id', ['t[0x7f00a1-a]'], ['t[0x7f00b1-b]']],
  ])('other instances differ: %s', (_, original, gist) => {
    expect(compareOutcomes(ran(...original), ran(...gist), context)).not.toEqual([]);
  });

  test('compares each report of a phase with its own', () => {
    const [two, five] = [phase({ stdout: 'try 2' }), phase({ outcome: 'failed', stdout: 'try 5' })];
    expect(compareOutcomes(run(two, five, phase()), run(two, five, phase()), context)).toEqual([]);
    expect(compareOutcomes(run(two, five, phase()), run(two, two, phase()), context)).toEqual([
      'test_a (call 2): outcome is "failed" in the original and "passed" in the gist',
      'test_a (call 2): stdout is "try 5" in the original and "try 2" in the gist',
    ]);
    expect(compareOutcomes(run(two, five), run(two), context)).toEqual(['test_a has no call 2 in the gist']);
    expect(compareOutcomes(run(two), run(two, five), context)).toEqual([
      'test_a has a call 2 in the gist only',
    ]);
  });

  test('compares what imports print', () => {
    const printed = (text: string): RunOutcome => ({ ...run(phase()), collectStdout: text });
    expect(compareOutcomes(printed('at 0x7f00a1b2'), printed('at 0x7f00ffff'), context)).toEqual([]);
    expect(compareOutcomes(printed(''), run(phase()), context)).toEqual([]);
    expect(compareOutcomes(printed('a\n'), run(phase()), context)).toEqual([
      'collection: stdout is "a\\n" in the original and "" in the gist',
    ]);
  });

  test('calls the two runs by other names where it is told to', () => {
    const sides = ['the first run', 'the second run'] as const;
    expect(compareOutcomes(run(phase()), run(), { ...context, sides })).toEqual([
      'test_a has no call in the second run',
    ]);
  });

  test('a class of the codebase keeps its name in the gist', () => {
    for (const from of ['shop.errors.Empty', 'tests.test_shop.Empty']) {
      const original = failed(error(from, `${from}: no items`));
      expect(compareOutcomes(original, failed(error('gist.Empty', 'gist.Empty: no items')), context)).toEqual(
        [],
      );
      expect(
        compareOutcomes(original, failed(error('gist.Full', 'gist.Full: no items')), context),
      ).toHaveLength(1);
    }
  });

  test('shows the place where two texts part', () => {
    const [a, b] = ['x'.repeat(300) + 'left', 'x'.repeat(300) + 'right'];
    const [problem] = compareOutcomes(run(phase({ stdout: a })), run(phase({ stdout: b })), context);
    expect(problem).toMatch(/is "x{40}left" in the original and "x{40}right" in the gist$/);
  });
});

describe('failureKind', () => {
  const original = run(phase());
  const facts = (gist: RunOutcome | null, changes: Partial<FailureFacts> = {}): FailureFacts => ({
    hasFile: true,
    syntaxError: false,
    hasTest: true,
    timedOut: false,
    gist,
    problems: gist === null ? [{ kind: 'tests', text: '' }] : outcomeProblems(original, gist, context),
    testF1: 1,
    codebaseModules: context.codebaseModules,
    ...changes,
  });
  const uncollected = (words: string): RunOutcome => ({ ...run(), tests: [], collectErrors: [words] });
  const inCall = (type: string, message: string): RunOutcome => failed({ type, message, line: '' });

  test.each<[ReturnType<typeof failureKind>, FailureFacts]>([
    ['none', facts(original)],
    ['none', facts(original, { testF1: 0.5 })],
    ['no-file', facts(null, { hasFile: false })],
    ['syntax-error', facts(null, { syntaxError: true })],
    ['syntax-error', facts(uncollected('E   SyntaxError: invalid syntax'))],
    ['test-missing', facts(null, { hasTest: false })],
    ['timeout', facts(null, { timedOut: true })],
    ['codebase-import', facts(uncollected("E   ModuleNotFoundError: No module named 'shop.cart'"))],
    [
      'codebase-import',
      facts(inCall('ImportError', "cannot import name 'Cart' from 'shop' (unknown location)")),
    ],
    ['import-error', facts(uncollected("E   ModuleNotFoundError: No module named 'shopping'"))],
    ['import-error', facts(inCall('ImportError', 'no library'))],
    ['pytest-error', facts(uncollected('E   fixture error'))],
    ['pytest-error', facts(null)],
    [
      'pytest-error',
      facts(
        run(
          phase({
            when: 'setup',
            outcome: 'failed',
            failure: { type: 'FixtureLookupError', message: "fixture 'cart' not found", line: '' },
          }),
        ),
      ),
    ],
    ['test-changed', facts(inCall('AssertionError', 'x'), { testF1: 0.5 })],
    ['wrong-outcome', facts(inCall('AssertionError', 'x'))],
    ['wrong-output', facts(run(phase({ stdout: 'x' })))],
    ['wrong-output', facts(run(phase({ stdout: 'x' })), { testF1: 0.5 })],
  ])('%s', (kind, known) => {
    expect(failureKind(known)).toBe(kind);
  });
});

test('small counts', () => {
  expect(executionRatio([1, 2, 5], [2, 2, 5, 9])).toEqual({ hit: 2, total: 3 });
  expect(linesF1(['a', 'a', 'b'], ['a', 'c'])).toBe(0.4);
  expect(testNames('a/b.py::TestX::test_y[p::q-[1]]')).toEqual(['TestX', 'test_y']);
});
