// What runs inside VS Code's extension host: mocha over the one suite, its results left in a file for run.mjs.
import Mocha from 'mocha';
import { rename, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { defineExtensionTests } from './extensionTests.js';

interface Result {
  readonly title: string;
  readonly error: string | null;
  readonly seconds: number;
}

function resultOf({ title, duration = 0 }: Mocha.Runnable, error: string | null): Result {
  return { title, error, seconds: duration / 1000 };
}

/** Called by VS Code; a failure is in the results and ends the host with a fault too. */
export async function run(): Promise<void> {
  const file = process.env['GISTIFY_TEST_RESULTS'];
  if (file === undefined) throw new Error('GISTIFY_TEST_RESULTS names no file');
  const mocha = new Mocha({ ui: 'bdd', timeout: 120_000, reporter: 'min' });
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  defineExtensionTests();
  const results: Result[] = [];
  await new Promise<void>((resolve) => {
    mocha
      .run(() => {
        resolve();
      })
      .on('pass', (test) => results.push(resultOf(test, null)))
      .on('fail', (test, error: Error) => results.push(resultOf(test, error.stack ?? error.message)));
  });
  // In one step, so that a reader never sees half of it.
  await writeFile(`${file}.part`, JSON.stringify(results));
  await rename(`${file}.part`, file);
  if (results.some(({ error }) => error !== null)) throw new Error('tests failed');
}
