// VS Code's server with the workbench in a headless Chromium: the extension runs in the server's Node extension host.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { chromium } from 'playwright-core';
import { ensureCodeServer } from './codeServer.mjs';
import { trustNobody } from './testFolders.mjs';

/** @typedef {import('./testFolders.mjs').Folders} Folders */
/** @typedef {import('playwright-core').Page} Page */

/**
 * @typedef {object} ServerHost
 * @property {() => Promise<void>} runTests resolves when the tests have left their results
 * @property {(file: string, how?: 'several' | 'untrusted') => Promise<Page>} openPage the workbench as a user has it, with a
 *   file of the workspace open; in a workspace of several folders, or not trusted
 * @property {() => Promise<void>} close
 */

/**
 * @param {Folders} folders
 * @param {NodeJS.ProcessEnv} env of the extension host
 * @returns {Promise<ServerHost>}
 */
export async function startServerHost(folders, env) {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error('no Chromium was found (Debian: apt-get install chromium)');
  const { node, main } = await ensureCodeServer();
  const port = await freePort();
  const origin = `127.0.0.1:${port}`;
  const args = [
    ...[main, '--host', '127.0.0.1', '--port', String(port), '--without-connection-token'],
    ...['--accept-server-license-terms', '--enable-smoke-test-driver'],
    ...['--disable-telemetry', '--user-data-dir', folders.user],
    ...['--server-data-dir', path.join(folders.base, 'server'), '--extensions-dir', folders.extensions],
  ];
  const server = spawn(node, args, {
    env,
    cwd: folders.base,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let said = '';
  const listening = new Promise((resolve, reject) => {
    for (const stream of [server.stdout, server.stderr]) {
      stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
        said += text;
        if (said.includes('Extension host agent listening')) resolve(undefined);
      });
    }
    server.once('error', reject);
    server.once('exit', (code) => {
      reject(new Error(`the VS Code server ended with ${String(code)}:\n${said}`));
    });
  });
  await inTime(listening, 60_000, 'the VS Code server does not start');
  const browser = await chromium.launch({
    executablePath,
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...[
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    ],
  });

  /**
   * @param {readonly (readonly [string, string])[]} payload
   * @param {Record<string, string>} place
   */
  const open = async (payload, place = { folder: folders.workspace }) => {
    const page = await browser.newPage({ viewport: { width: 1500, height: 860 }, deviceScaleFactor: 1 });
    const query = new URLSearchParams({
      ...place,
      payload: JSON.stringify([
        ['extensionDevelopmentPath', `vscode-remote://${origin}${folders.extension}`],
        ['skipWelcome', 'true'],
        ...payload,
      ]),
    });
    await page.goto(`http://${origin}/?${query.toString()}`);
    return page;
  };

  return {
    async runTests() {
      const page = await open([['extensionTestsPath', `vscode-remote://${origin}${folders.tests}`]]);
      /** @type {string[]} */
      const consoleErrors = [];
      page.on('console', (message) => {
        if (message.type() === 'error') consoleErrors.push(message.text());
      });
      const deadline = Date.now() + 1_200_000;
      while (!existsSync(folders.results)) {
        if (Date.now() > deadline)
          throw new Error(
            `the tests left no results:\n${consoleErrors.slice(-20).join('\n')}\nso far: ${partly(folders)}`,
          );
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      await page.close();
    },
    openPage: async (file, how) => {
      if (how === 'untrusted') await trustNobody(folders);
      const place = how === 'several' ? { workspace: folders.several } : { folder: folders.workspace };
      return open(
        [['openFile', `vscode-remote://${origin}${path.posix.join(folders.workspace, file)}`]],
        place,
      );
    },
    async close() {
      await browser.close();
      await stop(server);
    },
  };
}

/** @param {import('node:child_process').ChildProcess} server */
async function stop(server) {
  if (server.exitCode !== null || server.pid === undefined) return;
  const gone = once(server, 'exit');
  server.kill('SIGTERM');
  const late = setTimeout(() => {
    try {
      process.kill(-Number(server.pid), 'SIGKILL');
    } catch {
      // It is gone already.
    }
  }, 5000);
  await gone;
  clearTimeout(late);
  try {
    // Extension hosts outlive their server for a while, to let a window reconnect.
    process.kill(-server.pid, 'SIGKILL');
  } catch {
    // None was left.
  }
}

/** What the tests had found when they were given up. @param {Folders} folders */
function partly(folders) {
  const file = `${folders.results}.part`;
  return existsSync(file) ? readFileSync(file, 'utf8') : 'nothing';
}

/** @returns {string | null} */
export function findChromium() {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const onPath = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .flatMap((folder) => names.map((name) => path.join(folder, name)));
  const own = [process.env['CHROME_PATH'] ?? '', ...onPath, chromium.executablePath()];
  return own.find((file) => file !== '' && existsSync(file)) ?? null;
}

/** @returns {Promise<number>} */
async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return address.port;
}

/**
 * @param {Promise<unknown>} promise
 * @param {number} limit
 * @param {string} message
 */
async function inTime(promise, limit, message) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(message));
    }, limit);
  });
  try {
    await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
