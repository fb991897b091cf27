// Lines that the helper's probes call executed are those that coverage.py calls so, for every kind of statement.
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { basePython } from '../../scripts/pythonEnv.mjs';
import { testPython } from '../pythonEnv.js';

interface Counted {
  readonly status: number;
  readonly statements: readonly number[];
  readonly executed: readonly number[];
}

const folder = path.join(import.meta.dirname, 'lines');
const { version } = await basePython();
const newer = Number(version.split('.')[1]) >= 11;
if (!newer)
  process.stdout.write(`lines of \`match\` and \`except*\` are not tested: this is Python ${version}\n`);

test('executed lines are those of coverage.py', async () => {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.py') && (newer || name !== 'test_newer.py'))
    .map((name) => path.join(folder, name));
  const helper = fileURLToPath(new URL('../../src/trace/helper', import.meta.url));
  const script = path.join(import.meta.dirname, 'linesAgainstCoverage.py');
  const env = { PATH: process.env['PATH'], PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1' };
  const { stdout } = await promisify(execFile)(await testPython(), [script, helper, ...files], { env });
  const found = JSON.parse(stdout) as Readonly<Record<string, readonly [Counted, Counted]>>;
  expect(Object.keys(found)).toHaveLength(files.length);
  for (const [name, [ours, theirs]] of Object.entries(found)) {
    expect(theirs.status, name).toBe(0);
    expect(theirs.executed.length).toBeGreaterThan(10);
    expect(theirs.executed.length).toBeLessThan(theirs.statements.length);
    expect(ours, name).toEqual(theirs);
  }
});
