// Virtual environments for the project's own Python runs, in a cache folder outside the source tree.
// A requirements file and an interpreter go in; the environment's interpreter comes out, made at most once.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { hash, say, SetupError } from './setup.mjs';

/** @typedef {{ readonly python: string, readonly version: string }} Interpreter */
/** @typedef {{ readonly code: number, readonly stdout: string, readonly output: string }} Ended */

const windows = process.platform === 'win32';

/** The cache folder of the project: virtual environments, tools that take long to make. */
export function cacheFolder() {
  const base = process.env['XDG_CACHE_HOME'] ?? (windows ? process.env['LOCALAPPDATA'] : undefined);
  return path.join(base ?? path.join(os.homedir(), '.cache'), 'gistify');
}

/** @type {Map<string, Promise<string>>} */
const inMaking = new Map();

/**
 * The interpreter of an environment that has the requirements: made where it is missing.
 * @param {string} requirements path of a pip requirements file
 * @param {Interpreter} base
 * @returns {Promise<string>}
 */
export async function ensureVenv(requirements, base) {
  const pointer = await pointerFile(requirements, base);
  const made = (inMaking.get(pointer) ?? findVenv(pointer)) || makeVenv(pointer, requirements, base);
  inMaking.set(pointer, Promise.resolve(made));
  try {
    return await made;
  } finally {
    inMaking.delete(pointer);
  }
}

/**
 * As ensureVenv, but gives the reason where the environment cannot be had, and asks again only after a day.
 * @param {string} requirements
 * @param {Interpreter} base
 * @returns {Promise<{ readonly python: string | null, readonly reason: string }>}
 */
export async function tryVenv(requirements, base) {
  const failure = `${await pointerFile(requirements, base)}.failed`;
  const when = await stat(failure).then(
    (file) => file.mtimeMs,
    () => 0,
  );
  if (Date.now() - when < day) return { python: null, reason: await readFile(failure, 'utf8') };
  try {
    return { python: await ensureVenv(requirements, base), reason: '' };
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    await writeFile(failure, error.message);
    return { python: null, reason: error.message };
  }
}

const day = 24 * 3600 * 1000;

/**
 * The file that names the folder of an environment. It is written last and at once, so whoever finds it finds
 * a whole environment, and two that make the same one at a time do each other no harm.
 * @param {string} requirements
 * @param {Interpreter} base
 */
async function pointerFile(requirements, base) {
  const key = hash(await readFile(requirements, 'utf8'), realpathSync(base.python));
  return path.join(cacheFolder(), `venv-${base.version}-${key}`);
}

/** @param {string} folder of an environment */
function pythonOf(folder) {
  return path.join(folder, windows ? 'Scripts/python.exe' : 'bin/python');
}

/** @param {string} pointer */
function findVenv(pointer) {
  if (!existsSync(pointer)) return null;
  const python = pythonOf(path.join(path.dirname(pointer), readFileSync(pointer, 'utf8')));
  return existsSync(python) ? python : null;
}

/**
 * @param {string} pointer
 * @param {string} requirements
 * @param {Interpreter} base
 */
async function makeVenv(pointer, requirements, base) {
  say(
    `Making a Python ${base.version} environment with ${packageNames(await readFile(requirements, 'utf8'))} (once)…`,
  );
  await mkdir(path.dirname(pointer), { recursive: true });
  await sweep(pointer);
  const folder = await mkdtemp(`${pointer}-`);
  const text = path.join(folder, 'pointer');
  try {
    await createVenv(base, folder);
    await installRequirements(pythonOf(folder), requirements);
    await writeFile(text, path.basename(folder));
    await rename(text, pointer);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return pythonOf(folder);
}

/**
 * Removes what an interrupted making of the same environment left behind.
 * @param {string} pointer
 */
async function sweep(pointer) {
  const folder = path.dirname(pointer);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${path.basename(pointer)}-`)) continue;
    const left = path.join(folder, name);
    if (Date.now() - (await stat(left)).mtimeMs > day) await rm(left, { recursive: true, force: true });
  }
}

/**
 * The first Python on PATH that is at least 3.9: $GISTIFY_PYTHON, python3, python, then python3.X.
 * @returns {Promise<Interpreter>}
 */
export async function basePython() {
  const chosen = process.env['GISTIFY_PYTHON'];
  const names = chosen
    ? [chosen]
    : ['python3', 'python', ...minors.map((minor) => `python3.${String(minor)}`)];
  for (const name of names) {
    const found = await interpreter(name);
    if (found && atLeast(found.version, 9)) return found;
  }
  throw new SetupError(
    `No Python 3.9 or newer was found (tried ${names.join(', ')}). Install one (Debian: apt-get install python3 python3-venv), ` +
      'or name one in the environment variable GISTIFY_PYTHON.',
  );
}

/**
 * Every Python 3.8 to 3.14 on PATH or under pyenv, one a minor version, oldest first.
 * @returns {Promise<Interpreter[]>}
 */
export async function allPythons() {
  const pyenv = path.join(process.env['PYENV_ROOT'] ?? path.join(os.homedir(), '.pyenv'), 'versions');
  const installed = existsSync(pyenv) ? (await readdir(pyenv)).sort().reverse() : [];
  const found = await Promise.all(
    minors.map(async (minor) => {
      const version = `3.${String(minor)}`;
      const own = installed
        .filter((name) => name.startsWith(`${version}.`))
        .map((name) => path.join(pyenv, name, 'bin', 'python'));
      for (const candidate of [...own, `python${version}`]) {
        const usable = await interpreter(candidate);
        if (usable?.version === version) return [usable];
      }
      return [];
    }),
  );
  return found.flat();
}

const minors = /** @type {const} */ ([8, 9, 10, 11, 12, 13, 14]);

/**
 * @param {string} command
 * @returns {Promise<Interpreter | null>}
 */
async function interpreter(command) {
  const probe = 'import sys; print("%d.%d" % sys.version_info[:2]); print(sys.executable)';
  const ended = await capture(command, ['-c', probe]);
  const [version, python] = ended.stdout.split(/\r?\n/);
  return ended.code === 0 && version && python ? { version, python } : null;
}

/**
 * @param {string} version
 * @param {number} minor
 */
function atLeast(version, minor) {
  const [major, own] = version.split('.').map(Number);
  return major === 3 && own !== undefined && own >= minor;
}

/**
 * @param {Interpreter} base
 * @param {string} venv
 */
async function createVenv(base, venv) {
  const make = () => capture(base.python, ['-m', 'venv', venv]);
  let made = await make();
  if (made.code !== 0 && (await installDebianVenv(base))) made = await make();
  if (made.code === 0) return;
  throw new SetupError(
    `${base.python} cannot make virtual environments. Install its venv module (Debian: apt-get install python${base.version}-venv), ` +
      `or name another Python in the environment variable GISTIFY_PYTHON. Its own words:\n${made.output.trim()}`,
  );
}

/**
 * Debian splits venv off its Python; as root it can be put back. True where that was done.
 * @param {Interpreter} base
 */
async function installDebianVenv(base) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get') || !base.python.startsWith('/usr/bin/'))
    return false;
  say(`Installing Debian's python${base.version}-venv…`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await capture('apt-get', ['update', '-qq'], env);
  const ended = await capture(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', `python${base.version}-venv`],
    env,
  );
  return ended.code === 0;
}

/**
 * @param {string} python
 * @param {string} requirements
 */
async function installRequirements(python, requirements) {
  const args = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--no-input',
    '--retries',
    '1',
    '-r',
    requirements,
  ];
  const asConfigured = await capture(python, args, { PIP_DEFAULT_TIMEOUT: '20', ...process.env });
  if (asConfigured.code === 0) return;
  // Where pip is set up with further indexes beside a default one that does not answer, ask those alone.
  const further = (await capture(python, ['-m', 'pip', 'config', 'get', 'global.extra-index-url'])).stdout
    .split(/\s+/)
    .filter(Boolean);
  const [first, ...rest] = further;
  if (first !== undefined) {
    const env = {
      ...process.env,
      PIP_CONFIG_FILE: os.devNull,
      PIP_INDEX_URL: first,
      PIP_EXTRA_INDEX_URL: rest.join(' '),
    };
    if ((await capture(python, args, env)).code === 0) return;
  }
  throw new SetupError(explain(asConfigured.output));
}

/** @param {string} output of a pip install that failed */
function explain(output) {
  const words = output
    .split('\n')
    .filter((line) => line.startsWith('ERROR:'))
    .join('\n');
  const unreachable =
    /NewConnectionError|ConnectTimeoutError|Temporary failure in name resolution|ReadTimeoutError|ProxyError|SSLError|No matching distribution/.test(
      output,
    );
  return (
    (unreachable
      ? 'The Python packages could not be had: the package index cannot be reached, or does not hold them. ' +
        'Connect to the network, or point pip at an index that you can reach (pip config set global.index-url URL), then run this again.'
      : 'pip could not install the Python packages.') +
    (words ? ` pip's own words:\n${words}` : `\n${output.trim()}`)
  );
}

/** @param {string} requirements text of a requirements file */
function packageNames(requirements) {
  return requirements
    .split('\n')
    .map((line) => line.replace(/[#;].*/, '').trim())
    .filter(Boolean)
    .join(', ');
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @param {string} [cwd]
 * @returns {Promise<Ended>}
 */
export function capture(command, args, env = process.env, cwd = process.cwd()) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      output += text;
    });
    child.on('error', (error) => {
      resolve({ code: 127, stdout: '', output: error.message });
    });
    child.on('close', (code) => {
      resolve({ code: code ?? 1, stdout, output });
    });
  });
}
