// The bundled sample codebase through the whole program, on every Python of this machine.
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { capture } from '../../scripts/pythonEnv.mjs';
import { furtherPythons, testPython } from '../pythonEnv.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sample = path.join(root, 'sample');
const passing = 'tests/test_checkout.py::test_total_of_a_cart';
const failing = 'tests/test_bug_report.py::test_split_loses_no_cent';

const python = await testPython();
const further = await furtherPythons();
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'gistify-sample-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Gistifies a test of the sample by the command line as built, and gives the file, which must have been verified. */
async function gistOf(nodeId: string, interpreter: string): Promise<string> {
  const out = path.join(folder, 'gist.py');
  const cli = path.join(root, 'dist', 'cli.js');
  const ran = await capture(process.execPath, [
    cli,
    'run',
    nodeId,
    '--repo',
    sample,
    '--python',
    interpreter,
    '--out',
    out,
  ]);
  expect(ran).toMatchObject({ code: 0 });
  return readFile(out, 'utf8');
}

/** Runs a gist by plain pytest in a folder that holds nothing else. */
async function runGist(text: string): Promise<string> {
  const file = path.join(folder, 'test_alone.py');
  await writeFile(file, text);
  const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', file];
  return (await capture(python, args, process.env, folder)).stdout;
}

describe('the sample codebase', () => {
  it('passes its tests but for the one that shows a failing test', async () => {
    const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', sample];
    const ran = await capture(python, args, { ...process.env, PYTHONDONTWRITEBYTECODE: '1' });
    expect(ran.stdout).toMatch(/FAILED .*test_bug_report\.py::test_split_loses_no_cent/);
    expect(ran.stdout).toMatch(/^1 failed, 19 passed/m);
  });

  it('gives the same gist each time, with what ran and without what did not', async () => {
    const gist = await gistOf(passing, python);
    expect(await gistOf(passing, python)).toBe(gist);
    for (const line of [
      'def checkout(cart):',
      'def books_three_for_two(cart):',
      '            left = self._stock[sku]',
    ]) {
      expect(gist).toContain(line.trim());
    }
    for (const line of [
      'def search',
      'def as_json',
      'def reverse_charge',
      'class Freight',
      'import shop',
      'from shop',
    ]) {
      expect(gist).not.toContain(line);
    }
    expect(await runGist(gist)).toMatch(/^1 passed/m);
  });

  it('gives a gist of a failing test that fails in the same way', async () => {
    const printed = await runGist(await gistOf(failing, python));
    expect(printed).toContain("AssertionError: assert Money('99.99', 'EUR') == Money('100.00', 'EUR')");
    expect(printed).toContain('>       assert total == Money(100)');
    expect(printed).toMatch(/^1 failed/m);
  });
});

describe.each(further)('Python $version', ({ bare, python: interpreter, reason }) => {
  it('compiles the helper without a warning', async () => {
    const helper = path.join(root, 'src/trace/helper');
    const files = (await readdir(helper))
      .filter((name) => name.endsWith('.py'))
      .map((name) => path.join(helper, name));
    const check =
      "import pathlib, sys; [compile(pathlib.Path(f).read_text('utf-8'), f, 'exec') for f in sys.argv[1:]]";
    expect(await capture(bare, ['-W', 'error', '-c', check, ...files])).toEqual({
      code: 0,
      stdout: '',
      output: '',
    });
  });

  const why = interpreter === null ? ` (skipped: no pytest for it: ${reason.split('\n')[0] ?? ''})` : '';
  it.skipIf(interpreter === null)(`makes a verified gist${why}`, async () => {
    if (interpreter !== null) await gistOf(passing, interpreter);
  });
});
