// Brings a clone to where a command can run: packages installed, bundles built. Plain Node, no packages,
// because it runs before there are any; it does nothing where nothing has changed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** A fault of the set-up that the user can mend: the message says how. */
export class SetupError extends Error {}

/**
 * Says on stderr what is being done, so that stdout stays the command's own.
 * @param {string} message
 */
export function say(message) {
  process.stderr.write(`${message}\n`);
}

/** @param {readonly string[]} parts */
export function hash(...parts) {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(part).update('\0');
  return sum.digest('hex').slice(0, 16);
}

/**
 * Runs a command to its end. Ctrl-C reaches the child through the terminal's process group; this process
 * stays until the child has cleaned up. With `tee`, what the child prints is shown and given back as well.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ readonly cwd?: string, readonly shell?: boolean, readonly tee?: boolean }} [options]
 * @returns {Promise<{ readonly code: number, readonly stdout: string }>}
 */
export function run(command, args, { cwd = root, shell = false, tee = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      shell,
      stdio: ['inherit', tee ? 'pipe' : 'inherit', 'inherit'],
    });
    let stdout = '';
    child.stdout?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      stdout += text;
      process.stdout.write(text);
    });
    const wait = () => undefined;
    const pass = () => child.kill('SIGTERM');
    process.on('SIGINT', wait);
    process.on('SIGTERM', pass);
    const done = () => {
      process.off('SIGINT', wait);
      process.off('SIGTERM', pass);
    };
    child.on('error', (error) => {
      done();
      reject(error);
    });
    child.on('close', (code, signal) => {
      done();
      resolve({ code: code ?? (signal === 'SIGINT' ? 130 : 1), stdout });
    });
  });
}

/** Installs the packages of the lockfile, once for each state of it. */
export function ensureInstalled() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new SetupError(`Gistify is built with Node 20.19 or newer; this is Node ${process.versions.node}.`);
  }
  const stamp = path.join(root, 'node_modules', '.gistify-installed');
  const wanted = hash(read('package-lock.json'), `${process.platform} ${process.arch}`);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say('Installing the npm packages (once)…');
  // Install scripts stay off: nothing here needs one, and some want a compiler.
  const npm = npmCommand();
  const made = spawnSync(
    npm.command,
    [...npm.args, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      stdio: ['ignore', 2, 2],
      shell: npm.shell,
    },
  );
  if (made.status !== 0) {
    throw new SetupError(
      '`npm ci` failed (its words are above). Check that the npm registry can be reached, then run this again.',
    );
  }
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
}

/** Builds dist/ where a source has changed since the last build. */
export function ensureBuilt() {
  const stamp = path.join(root, 'dist', '.built');
  const wanted = hash(...['esbuild.mjs', 'package.json', 'package-lock.json', 'src'].flatMap(fileStates));
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  const made = spawnSync(process.execPath, ['esbuild.mjs'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (made.status !== 0) throw new SetupError('The build failed (its words are above).');
  writeFileSync(stamp, wanted);
}

/**
 * Runs a script's main function; faults that the user can mend come as one line, all others with a trace.
 * @param {() => Promise<number>} main
 */
export async function runMain(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    say(
      error instanceof SetupError
        ? `gistify: ${error.message}`
        : String(error instanceof Error ? error.stack : error),
    );
    process.exitCode = 1;
  }
}

/** npm as this process was started by it, or as PATH has it. */
export function npmCommand() {
  const script = process.env['npm_execpath'];
  // By the Node that PATH names, so that a caller can have npm run under another one.
  if (script?.endsWith('npm-cli.js')) return { command: 'node', args: [script], shell: false };
  return { command: 'npm', args: [], shell: process.platform === 'win32' };
}

/** @param {string} file */
function read(file) {
  return readFileSync(path.join(root, file), 'utf8');
}

const notSource = new Set(['__pycache__', '.git', 'dist', 'node_modules']);

/**
 * Path, size and time of a file, or of every source file of a folder.
 * @param {string} name
 * @returns {string[]}
 */
export function fileStates(name) {
  const full = path.join(root, name);
  const state = statSync(full);
  if (!state.isDirectory()) return [`${name} ${String(state.size)} ${String(state.mtimeMs)}`];
  return readdirSync(full)
    .filter((entry) => !notSource.has(entry))
    .sort()
    .flatMap((entry) => fileStates(`${name}/${entry}`));
}
