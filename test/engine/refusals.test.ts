// A run that can give no gist says why: the construct and the place; everything else goes on to be a gist.
import { describe, expect, test } from 'vitest';
import { GistifyError } from '../../src/base/gistifyError.js';
import { findFlaky } from '../../src/engine/findFlaky.js';
import { refuseItems, refuseReads } from '../../src/engine/refuse.js';
import { variablesRead } from '../../src/engine/variablesRead.js';
import type { RunOutcome } from '../../src/model/outcome.js';

function run(stdout: string, failure: string | null = null): RunOutcome {
  const failed = failure === null ? null : { type: failure, message: 'no such file: x.txt', line: 'open(x)' };
  const outcome = failed === null ? 'passed' : 'failed';
  const phase = { when: 'call', outcome, reason: '', failure: failed, stdout, stderr: '', log: '' } as const;
  return { exitCode: 0, tests: [{ name: 'test_a', phases: [phase] }], collectErrors: [], deselected: 0 };
}

const lost = run('', 'FileNotFoundError');
const uncollected: RunOutcome = {
  ...run(''),
  tests: [],
  collectErrors: ["gist.py:3: in <module>\nE   FileNotFoundError: 'a/b.txt'"],
};

describe('refuseItems', () => {
  test('names doctests and other items', () => {
    const refused = refuseItems({ foreignItems: [['a.py::a.twice', '_pytest.doctest.DoctestItem']] });
    expect(refused).toMatchObject({ code: 'refused', exitStatus: 3 });
    expect(refused?.message).toContain('a.py::a.twice is a doctest');
    expect(refuseItems({ foreignItems: [['a.yml::x', 'plugin.YamlItem']] })?.message).toContain(
      'plugin.YamlItem',
    );
    expect(refuseItems({ foreignItems: [] })).toBeNull();
  });
});

describe('refuseReads', () => {
  const reads = (...dataFiles: readonly string[]) => ({ dataFiles, variables: ['TOKEN'], outcome: run('') });

  test('names secret files with the variables that are read', () => {
    const refused = refuseReads('t.py::t', reads('a.txt', 'conf/.env'), run(''));
    expect(refused?.message).toContain('conf/.env');
    expect(refused?.message).toContain('TOKEN');
    expect(refused?.message).not.toContain('a.txt');
  });

  test.each([
    ['in the test', lost],
    ['at import', uncollected],
  ])('names data files that are not found: %s', (_, observed) => {
    expect(refuseReads('t.py::t', reads('tests/a.txt'), observed)).toMatchObject({
      code: 'refused',
      message: expect.stringContaining('tests/a.txt') as string,
    });
  });

  test('all else is made, though it does not verify', () => {
    expect(refuseReads('t.py::t', reads(), lost)).toBeNull();
    expect(refuseReads('t.py::t', reads('a.txt'), run('other'))).toBeNull();
    expect(refuseReads('t.py::t', reads('a.txt'), null)).toBeNull();
    expect(refuseReads('t.py::t', { ...reads('a.txt'), outcome: lost }, lost)).toBeNull();
  });
});

describe('findFlaky', () => {
  const context = { codebaseModules: [], gistModule: 'gist' };

  test('names what two runs of the original differ in', async () => {
    const fault = await findFlaky('t.py::test_a', run('1\n'), context, async () =>
      Promise.resolve(run('2\n')),
    );
    expect(fault).toMatchObject({ code: 'flaky', exitStatus: 4 });
    expect(fault?.details).toBe(
      String.raw`test_a (call): stdout is "1\n" in the first run and "2\n" in the second run`,
    );
  });

  test('a second run that cannot be made differs too; a fault of the tool stays one', async () => {
    const timeout = async () => Promise.reject(new GistifyError('timeout', 'it did not end'));
    expect((await findFlaky('t', run(''), context, timeout))?.details).toContain('it did not end');
    const cancelled = async () => Promise.reject(new Error('aborted'));
    await expect(findFlaky('t', run(''), context, cancelled)).rejects.toThrow('aborted');
  });

  test('two equal runs are not flaky', async () => {
    expect(await findFlaky('t', run('1'), context, async () => Promise.resolve(run('1')))).toBeNull();
  });
});

test('variables that the C library reads are named where they are set', () => {
  const env = { TZ: 'UTC', LC_ALL: 'C', HOME: '/', B: '1' };
  expect(variablesRead(['B', 'A', 'LC_ALL'], env)).toEqual(['A', 'B', 'LC_ALL', 'TZ']);
});
