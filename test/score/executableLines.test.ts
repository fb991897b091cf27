// The lines we call executable are those that coverage.py calls so, and the helper runs on every Python there is.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { furtherPythons, testPython, type FurtherPython } from '../pythonEnv.js';

const run = promisify(execFile);
const helper = path.join(import.meta.dirname, '../../src/trace/helper');
const comparison = path.join(import.meta.dirname, 'againstCoverage.py');

interface Comparison {
  readonly agree: number;
  readonly statements: number;
  readonly differences: Readonly<Record<string, readonly number[]>>;
}

test('agree with coverage.py on real files', async () => {
  const { stdout } = await run(await testPython(), [comparison, helper, '60']);
  const { agree, statements, differences } = JSON.parse(stdout) as Comparison;
  expect(differences).toEqual({});
  expect(agree).toBeGreaterThan(30);
  expect(statements).toBeGreaterThan(3000);
});

/** Line by line: what is executable, what is excluded and what belongs to a statement that began earlier. */
const source = `"""Module."""
import os
if TYPE_CHECKING:
    import typing
def first(a,
          b):
    """Says
    nothing."""
    x: int
    return (a,
            b)
def stub(): ...
@decorated
class C:
    y = 1
    def never(self):  # pragma: no cover
        return 1
    def proto(self) -> int:
        ...
try:
    pass
finally:
    os
`;

async function executable(python: string): Promise<unknown> {
  const code =
    'import json, sys; sys.dont_write_bytecode = True; sys.path.insert(0, sys.argv[1])\n' +
    'from executable_lines import executable_lines\n' +
    'lines, first_of = executable_lines(sys.argv[2])\n' +
    'print(json.dumps([sorted(lines), sorted(first_of.items())]))';
  const { stdout } = await run(python, ['-I', '-c', code, helper, source]);
  return JSON.parse(stdout);
}

describe('on every Python', () => {
  let pythons: readonly FurtherPython[];
  beforeAll(async () => {
    pythons = await furtherPythons();
  });

  test('are the same', async () => {
    const places = [await testPython(), ...pythons.map(({ bare }) => bare)];
    const found = await Promise.all(places.map(executable));
    for (const lines of found) expect(lines).toEqual(found[0]);
    expect(found[0]).toMatchInlineSnapshot(`
      [
        [
          2,
          5,
          10,
          13,
          14,
          15,
          20,
          21,
          23,
        ],
        [
          [
            5,
            5,
          ],
          [
            6,
            5,
          ],
          [
            7,
            7,
          ],
          [
            8,
            7,
          ],
          [
            10,
            10,
          ],
          [
            11,
            10,
          ],
        ],
      ]
    `);
  });
});
