// Runs the editor's tests in a real VS Code: the desktop one where it can be had, else its server in a headless Chromium.
// The last line of the output is `vscode: N passed, N failed, N skipped`; nothing that was started is left running.
// GISTIFY_VSCODE_HOST=server takes the server also where the desktop could run; GISTIFY_SCREENSHOT=1 takes media/gist.png
// anew, and GISTIFY_VSCODE_ONLY names the tests to run in the extension host.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { basePython, ensureVenv } from '../../scripts/pythonEnv.mjs';
import { ensureBuilt, ensureInstalled, root, runMain, say } from '../../scripts/setup.mjs';

/** @typedef {{ readonly title: string, readonly error: string | null, readonly seconds: number, readonly skipped?: boolean, readonly note?: string }} Result */

await runMain(async () => {
  ensureInstalled();
  ensureBuilt();
  const base = await basePython();
  const python = await ensureVenv(path.join(root, 'sample', 'requirements.txt'), base);
  // Imported late: they need the packages.
  const { contentsOf, makeFolders, removeFolders } = await import('./testFolders.mjs');
  const folders = await makeFolders(base.python);
  /** @type {Result[]} */
  let results = [];
  try {
    const before = await contentsOf(folders.workspace);
    results = await runHost(folders, environment(python, folders));
    if (results.length > 0) results.push(unchanged(before, await contentsOf(folders.workspace)));
  } finally {
    await removeFolders(folders);
  }
  const failed = results.filter(({ error }) => error !== null);
  for (const { title, error, seconds, skipped, note } of results) {
    const mark = skipped === true ? '-' : error === null ? '✓' : '✗';
    const words = [
      skipped === true ? 'skipped' : `${seconds.toFixed(1)} s`,
      ...(note === undefined ? [] : [note]),
    ];
    say(`  ${mark} ${title} (${words.join(': ')})${error === null ? '' : `\n${error}`}`);
  }
  const left = results.filter(({ skipped }) => skipped === true).length;
  const skipped = results.length === 0 ? await testCount() : left;
  process.stdout.write(
    `vscode: ${results.length - failed.length - left} passed, ${failed.length} failed, ${skipped} skipped\n`,
  );
  return failed.length === 0 ? 0 : 1;
});

/**
 * @param {import('./testFolders.mjs').Folders} folders
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Result[]>} none where no VS Code can be had
 */
async function runHost(folders, env) {
  const { runInElectron, whyNoElectron } = await import('./electronHost.mjs');
  const reason =
    process.env['GISTIFY_VSCODE_HOST'] === 'server' ? 'the server was asked for' : await whyNoElectron();
  if (reason === null) {
    say('Running in the desktop VS Code…');
    await runInElectron(folders, env);
    return readResults(folders.results);
  }
  const { startServerHost } = await import('./serverHost.mjs');
  let host;
  try {
    host = await startServerHost(folders, env);
  } catch (error) {
    say(
      `Skipped, as no VS Code can be had: ${reason}; ${error instanceof Error ? error.message : String(error)}`,
    );
    return [];
  }
  try {
    say(`Running in VS Code's server and Chromium (${reason})…`);
    await host.runTests();
    const results = await readResults(folders.results);
    const { workbenchTests } = await import('./workbench.mjs');
    return [...results, ...(await workbenchTests(host))];
  } finally {
    await host.close();
  }
}

/**
 * The environment of the extension host: the sample's interpreter is the first on PATH, as in an activated environment,
 * and the one that the Python extension names.
 * @param {string} python
 * @param {import('./testFolders.mjs').Folders} folders
 */
function environment(python, folders) {
  const search = `${path.dirname(python)}${path.delimiter}${process.env['PATH'] ?? ''}`;
  return { ...process.env, PATH: search, GISTIFY_TEST_RESULTS: folders.results, GISTIFY_TEST_PYTHON: python };
}

/** @param {string} file @returns {Promise<Result[]>} */
async function readResults(file) {
  /** @type {unknown} */
  const results = JSON.parse(await readFile(file, 'utf8'));
  return /** @type {Result[]} */ (results);
}

/**
 * @param {readonly string[]} before
 * @param {readonly string[]} after
 * @returns {Result}
 */
function unchanged(before, after) {
  const changed = [
    ...after.filter((line) => !before.includes(line)),
    ...before.filter((line) => !after.includes(line)),
  ];
  const error = changed.length === 0 ? null : `these files were written or removed:\n${changed.join('\n')}`;
  return { title: 'nothing is written into the workspace', error, seconds: 0 };
}

/** How many tests are left out where none can run. */
async function testCount() {
  const texts = await Promise.all(
    ['tests.ts', 'workbench.mjs'].map((name) => readFile(path.join(import.meta.dirname, name), 'utf8')),
  );
  return 1 + texts.join('\n').split(/^ *(?:it|await check)\(/m).length - 1;
}
