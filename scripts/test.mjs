// `npm test`: sets the clone up where needed, builds, lints, runs every test and says the true totals.
// `npm test -- NAME…` runs only the test files whose path holds a NAME, without linting.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { basePython, ensureVenv } from './pythonEnv.mjs';
import {
  ensureBuilt,
  ensureInstalled,
  fileStates,
  hash,
  npmCommand,
  root,
  run,
  runMain,
  say,
} from './setup.mjs';

/** @typedef {{ readonly passed: number, readonly failed: number, readonly skipped: number }} Totals */
/** @typedef {{ readonly code: number, readonly totals: Totals }} Result */

/**
 * Lints all, unless nothing has changed since it was last found clean.
 * @returns {Promise<boolean>} whether the linters found nothing
 */
async function lint() {
  const stamp = path.join(root, 'node_modules', '.gistify-linted');
  const state = hash(...fileStates('.'));
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return true;
  const npm = npmCommand();
  const { code } = await run(npm.command, [...npm.args, 'run', '--silent', 'lint'], { shell: npm.shell });
  if (code === 0) writeFileSync(stamp, state);
  return code === 0;
}

/**
 * @param {readonly string[]} names
 * @returns {Promise<Result>}
 */
async function unitTests(names) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'gistify-vitest-'));
  const file = path.join(folder, 'results.json');
  try {
    const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const { code } = await run(process.execPath, [vitest, 'run', ...reporters, ...names]);
    return { code, totals: existsSync(file) ? vitestTotals(readFileSync(file, 'utf8')) : none };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const none = { passed: 0, failed: 0, skipped: 0 };

/** @param {string} text of vitest's JSON report */
function vitestTotals(text) {
  /** @type {{ testResults: { status: string, assertionResults: { status: string }[] }[] }} */
  const report = JSON.parse(text);
  const states = report.testResults.flatMap((file) => file.assertionResults.map((test) => test.status));
  const passed = states.filter((state) => state === 'passed').length;
  const failed = states.filter((state) => state === 'failed').length;
  // A file that cannot be loaded has no test and is a failure all the same.
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  return { passed, failed: failed + broken.length, skipped: states.length - passed - failed };
}

/** The tests that run inside a real VS Code. @returns {Promise<Result>} */
async function vscodeTests() {
  const script = path.join(root, 'test', 'vscode', 'run.mjs');
  if (!existsSync(script)) return { code: 0, totals: none };
  const { code, stdout } = await run(process.execPath, [script], { tee: true });
  const line = /^vscode: (\d+) passed, (\d+) failed, (\d+) skipped/m.exec(stdout);
  if (line === null) return { code: code || 1, totals: none };
  const [passed, failed, skipped] = line.slice(1).map(Number);
  return { code, totals: { passed: passed ?? 0, failed: failed ?? 0, skipped: skipped ?? 0 } };
}

await runMain(async () => {
  const names = process.argv.slice(2);
  ensureInstalled();
  ensureBuilt();
  await ensureVenv(path.join(root, 'test', 'requirements.txt'), await basePython());
  const clean = names.length > 0 || (await lint());
  const results = [await unitTests(names)];
  if (names.length === 0) results.push(await vscodeTests());
  /** @param {keyof Totals} key */
  const sum = (key) => results.reduce((total, result) => total + result.totals[key], 0);
  // Whatever went wrong without a failed test to show for it (lint, a runner that broke) counts as one.
  const unseen =
    results.filter((result) => result.code !== 0 && result.totals.failed === 0).length + (clean ? 0 : 1);
  if (!clean) say('lint failed (see above)');
  const failed = sum('failed') + unseen;
  process.stdout.write(`${sum('passed')} passed, ${failed} failed, ${sum('skipped')} skipped\n`);
  return failed === 0 ? 0 : 1;
});
