// The user's surroundings flow in, a sandbox on this machine flows out: without the variables that hold credentials, and
// where bubblewrap works, with the disk read-only and without network.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { defaultIsolation } from '../model/task.js';
import { sweepFolders } from './leftovers.js';
import { createLocalSandbox } from './localSandbox.js';
import type { OpenedSandbox } from './sandbox.js';
import type { SandboxRequest } from './sandboxRequest.js';
import { namedVariables } from './sandboxVariables.js';

/** Opens the sandbox on this machine; `why` says why it is this one, where that was decided here. */
export async function openLocal(request: SandboxRequest, why: string): Promise<OpenedSandbox> {
  const { python, env, host, keep = [], isolation = defaultIsolation } = request;
  const network = isolation.allow.includes('network');
  const [confinement] = await Promise.all([
    isolation.allow.includes('unconfined') ? 'not wanted' : findBubblewrap(env, network),
    sweepFolders(),
  ]);
  for (const folder of typeof confinement === 'string' ? [] : keep)
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => undefined);
  const named = namedVariables(env, isolation.variables);
  const withheld = Object.keys(env).filter((name) => credentials.test(name) && !(name in named));
  if (withheld.length > 0) host.log(`kept from the test: ${withheld.join(', ')} (--env NAME hands one over)`);
  const given = Object.entries(env).filter(([name]) => !withheld.includes(name));
  const bubblewrap = typeof confinement === 'string' ? null : confinement;
  const sandbox = createLocalSandbox((argv, root) =>
    bubblewrap === null ? argv : [...bubblewrap.argv, ...writable([root, ...keep]), '--', ...argv],
  );
  const bounds =
    typeof confinement === 'string'
      ? `bubblewrap ${confinement}`
      : `in bubblewrap: disk read-only, ${network ? 'with' : 'no'} network`;
  return {
    sandbox,
    python,
    isLocal: true,
    offline: bubblewrap !== null && !network,
    env: { ...Object.fromEntries(given), ...named },
    words: `a process of this machine${why === '' ? '' : `, because ${why}`} (${bounds})`,
  };
}

const credentials =
  /(^|_)(TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|API_?KEYS?|ACCESS_KEY(_ID)?|PRIVATE_KEY|CREDENTIALS?)(_|$)|^(SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO|KUBECONFIG)$/i;

function writable(folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) => ['--bind-try', folder, folder]);
}

/** The command that confines, where it works here; else why not. */
async function findBubblewrap(
  env: Readonly<Record<string, string>>,
  network: boolean,
): Promise<{ readonly argv: readonly string[] } | string> {
  if (process.platform !== 'linux') return 'is for Linux alone';
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const program = folders.map((folder) => join(folder, 'bwrap')).find((path) => existsSync(path));
  if (program === undefined) return 'is not installed';
  const root = process.getuid?.() === 0;
  const argv = [
    program,
    ...['--die-with-parent', '--unshare-pid', '--unshare-ipc', ...(network ? [] : ['--unshare-net'])],
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--cap-drop', 'ALL'],
    // Files of the codebase may belong to anyone; they are read-only all the same.
    ...(root ? ['--cap-add', 'CAP_DAC_OVERRIDE'] : []),
  ];
  try {
    await promisify(execFile)(program, [...argv.slice(1), '--', '/bin/true'], { timeout: 5000 });
    return { argv };
  } catch (error) {
    const words = (error as { stderr?: string }).stderr?.trim().split('\n').at(-1) ?? '';
    return `does not work here${words === '' ? '' : ` (${words})`}`;
  }
}
