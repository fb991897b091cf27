// `npm run gistify`: sets the clone up where needed, then hands over to the command line.
// Without arguments it gistifies a test of the bundled sample codebase; with some they go through as they are.
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { basePython, cacheFolder, capture, ensureVenv } from './pythonEnv.mjs';
import { ensureBuilt, ensureInstalled, root, run, runMain, say, SetupError } from './setup.mjs';

const sampleTest = 'tests/test_checkout.py::test_total_of_a_cart';

/** The command line that shows what Gistify does on the codebase that ships with it. */
async function sampleArguments() {
  const sample = path.join(root, 'sample');
  const python = await samplePython(path.join(sample, 'requirements.txt'));
  const out = path.join(cacheFolder(), 'sample', 'test_total_of_a_cart_gist.py');
  await mkdir(path.dirname(out), { recursive: true });
  return ['run', sampleTest, '--repo', sample, '--python', python, '--out', out];
}

/** @param {string} requirements */
async function samplePython(requirements) {
  const base = await basePython();
  try {
    return await ensureVenv(requirements, base);
  } catch (error) {
    // Without a package index the sample still runs where some pytest is installed.
    const found =
      error instanceof SetupError && (await capture(base.python, ['-m', 'pytest', '--version'])).code === 0;
    if (!found) throw error;
    say(`No environment could be made; using the pytest of ${base.python}.`);
    return base.python;
  }
}

await runMain(async () => {
  ensureInstalled();
  ensureBuilt();
  const cli = path.join(root, 'dist', 'cli.js');
  if (!existsSync(cli))
    throw new SetupError('there is no command line in this source tree (src/cli/main.ts).');
  const given = process.argv.slice(2);
  const args = given.length > 0 ? given : await sampleArguments();
  return (await run(process.execPath, [cli, ...args], { cwd: process.env['INIT_CWD'] ?? process.cwd() }))
    .code;
});
