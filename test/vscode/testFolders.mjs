// Makes what one session of VS Code needs in a temporary folder, and removes it: the workspace, the unpacked package, the bundled tests.
import { build } from 'esbuild';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { root } from '../../scripts/setup.mjs';

/**
 * @typedef {object} Folders
 * @property {string} base holds all the others
 * @property {string} workspace a copy of the sample codebase, with tests that are slow and broken
 * @property {string} several a workspace file with that folder and a second one
 * @property {string} extension the packaged extension as a user has it, with the bundled tests beside
 * @property {string} extensions the installed extensions: those that stand for Python's
 * @property {string} tests the file that the extension host loads
 * @property {string} results where the tests leave what became of them
 * @property {string} user VS Code's own data
 */

/** The user settings of every session: nothing but the workspace and the editors. */
const userSettings = {
  'breadcrumbs.enabled': false,
  'chat.commandCenter.enabled': false,
  'chat.disableAIFeatures': true,
  'editor.minimap.enabled': false,
  'editor.fontSize': 13,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  'security.workspace.trust.enabled': false,
  // The server's editor saves by itself: a key that lands in an open file would be taken for a write of ours.
  'files.autoSave': 'off',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'window.commandCenter': false,
  'workbench.colorTheme': 'Default Dark Modern',
  'workbench.layoutControl.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/**
 * @param {string} python any Python 3, to unzip with
 * @returns {Promise<Folders>}
 */
export async function makeFolders(python) {
  const base = await realpath(await mkdtemp(path.join(os.tmpdir(), 'gistify-vscode-')));
  const extension = path.join(base, 'extension');
  const folders = {
    base,
    workspace: path.join(base, 'shop'),
    several: path.join(base, 'several.code-workspace'),
    extension,
    extensions: path.join(base, 'extensions'),
    tests: path.join(extension, 'out', 'tests.cjs'),
    results: path.join(base, 'results.json'),
    user: path.join(base, 'user'),
  };
  try {
    await fill(folders, python);
    return folders;
  } catch (error) {
    await removeFolders(folders);
    throw error;
  }
}

/**
 * @param {Folders} folders
 * @param {string} python
 */
async function fill(folders, python) {
  await cp(path.join(root, 'sample'), folders.workspace, { recursive: true, filter: isSource });
  await cp(path.join(root, 'test', 'vscode', 'workspace'), folders.workspace, {
    recursive: true,
    filter: isSource,
  });
  await makeRepository(folders.workspace);
  const second = path.join(folders.base, 'second');
  await cp(path.join(root, 'sample'), second, { recursive: true, filter: isSource });
  const both = [folders.workspace, second].map((folder) => ({ path: folder }));
  await writeFile(folders.several, JSON.stringify({ folders: both }));
  for (const [source, name] of [
    ['pythonExtension', 'ms-python.python-1.0.0'],
    ['debuggerExtension', 'ms-python.debugpy-1.0.0'],
    ['modelProvider', 'gistify-test.model-provider-1.0.0'],
  ]) {
    const from = path.join(root, 'test', 'vscode', String(source));
    await cp(from, path.join(folders.extensions, String(name)), { recursive: true });
  }
  await unpackPackage(folders, python);
  await bundleTests(folders.tests);
  await symlink(path.join(root, 'node_modules'), path.join(folders.extension, 'node_modules'), 'junction');
  await writeSettings(folders, userSettings);
}

/** @param {Folders} folders @param {object} settings */
async function writeSettings({ user }, settings) {
  await mkdir(path.join(user, 'User'), { recursive: true });
  await writeFile(path.join(user, 'User', 'settings.json'), JSON.stringify(settings, null, 2));
}

/** From then on a window that opens asks for no trust, and has none. @param {Folders} folders */
export async function trustNobody(folders) {
  const trust = {
    'security.workspace.trust.enabled': true,
    'security.workspace.trust.startupPrompt': 'never',
  };
  await writeSettings(folders, { ...userSettings, ...trust });
}

/**
 * A repository that knows where it is from, as exports tell.
 * @param {string} folder
 */
async function makeRepository(folder) {
  const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
  for (const args of [
    ['init', '--quiet'],
    ['remote', 'add', 'origin', 'git@github.com:gistify-test/shop.git'],
    ['add', '--all'],
    [...who, 'commit', '--quiet', '--message', 'The shop'],
  ])
    await command('git', args, folder);
}

/** @param {Folders} folders */
export async function removeFolders(folders) {
  await rm(folders.base, { recursive: true, force: true, maxRetries: 5 });
}

/**
 * Every file of a folder with a hash of its content.
 * @param {string} folder
 * @returns {Promise<string[]>}
 */
export async function contentsOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const lines = await Promise.all(
    files.map(async (file) => {
      const sum = createHash('sha256')
        .update(await readFile(file))
        .digest('hex');
      return `${path.relative(folder, file)} ${sum}`;
    }),
  );
  return lines.sort();
}

/** @param {string} file */
function isSource(file) {
  return !/(__pycache__|\.pytest_cache)$/.test(file);
}

/**
 * Packages the extension and lays it out as an installed one: what the allow-list leaves out is missing here too.
 * @param {Folders} folders
 * @param {string} python
 */
async function unpackPackage({ base, extension: target }, python) {
  const vsix = path.join(base, 'gistify.vsix');
  const vsce = path.join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  await command(process.execPath, [vsce, 'package', ...vsceFlags, '-o', vsix], root);
  await command(python, ['-m', 'zipfile', '-e', vsix, `${target}.zip`], base);
  await cp(path.join(`${target}.zip`, 'extension'), target, { recursive: true });
  await rm(`${target}.zip`, { recursive: true });
  await rm(vsix);
}

/** The bundles hold all dependencies, and there is no public repository to rewrite links to. */
const vsceFlags = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links'];

/** @param {string} outfile */
async function bundleTests(outfile) {
  await build({
    absWorkingDir: root,
    entryPoints: ['test/vscode/tests.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode', 'mocha'],
    sourcemap: 'inline',
    logLevel: 'warning',
  });
}

/**
 * @param {string} file
 * @param {readonly string[]} args
 * @param {string} cwd
 * @returns {Promise<void>}
 */
function command(file, args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => (said += text));
    }
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${path.basename(args[0] ?? file)} ended with ${String(code)}:\n${said}`));
    });
  });
}
