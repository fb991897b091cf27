// The desktop VS Code through @vscode/test-electron, where its download can be reached and there is a display to show it on.
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { cacheFolder } from '../../scripts/pythonEnv.mjs';

/** @returns {Promise<string | null>} why this host cannot be used here; null where it can */
export async function whyNoElectron() {
  if (process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY']) {
    return 'there is no display for the desktop VS Code';
  }
  const cached = path.join(cacheFolder(), 'vscode-desktop');
  if (existsSync(cached)) return null;
  try {
    const answer = await fetch('https://update.code.visualstudio.com/api/releases/stable', {
      signal: AbortSignal.timeout(5000),
    });
    return answer.ok ? null : `VS Code's download server answers ${String(answer.status)}`;
  } catch {
    return "VS Code's download server cannot be reached";
  }
}

/**
 * @param {import('./testFolders.mjs').Folders} folders
 * @param {NodeJS.ProcessEnv} env of the extension host
 */
export async function runInElectron(folders, env) {
  const vscodeExecutablePath = await downloadAndUnzipVSCode({
    cachePath: path.join(cacheFolder(), 'vscode-desktop'),
  });
  await runTests({
    vscodeExecutablePath,
    extensionDevelopmentPath: folders.extension,
    extensionTestsPath: folders.tests,
    extensionTestsEnv: /** @type {Record<string, string>} */ (env),
    launchArgs: [
      folders.workspace,
      ...['--disable-workspace-trust', '--skip-welcome', '--skip-release-notes'],
      ...[
        '--user-data-dir',
        folders.user,
        '--extensions-dir',
        folders.extensions,
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
    ],
  });
}
