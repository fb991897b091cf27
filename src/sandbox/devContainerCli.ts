// Commands of @devcontainers/cli flow in, what it printed flows out; it implements the whole specification (builds,
// compose, features, lifecycle commands) and runs as a child process, whose log goes to the user's as it comes.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { GistifyError } from '../base/gistifyError.js';
import type { DevContainerConfig } from './devContainerConfig.js';
import type { DockerEndpoint } from './dockerEndpoint.js';
import type { SandboxRequest } from './sandboxRequest.js';

export interface BroughtUp {
  readonly containerId: string;
  readonly remoteUser: string;
  readonly remoteWorkspaceFolder: string;
}

const shownLines = 20;

/** Brings the dev container up, which does nothing but start it where it exists. */
export async function devContainerUp(
  request: SandboxRequest,
  endpoint: DockerEndpoint,
  config: DevContainerConfig,
): Promise<BroughtUp> {
  const said: string[] = [];
  const out = await runCli(request, endpoint, config, ['up', '--log-format', 'json'], (line) => {
    said.push(line);
    request.host.log(line);
    request.host.progress({ stage: 'start', message: `dev container: ${line.slice(0, 80)}`, fraction: 0 });
  });
  const result = lastJson(out) as
    | (BroughtUp & { readonly outcome: 'success' })
    | { readonly outcome: 'error'; readonly message?: string; readonly description?: string }
    | null;
  if (result?.outcome === 'success') return result;
  throw new GistifyError(
    'build-failed',
    `the dev container of ${config.workspace} could not be made: ${result?.description ?? result?.message ?? 'its builder ended'}`,
    `Mend ${config.file} (the whole log is shown with --verbose), or run on this machine with --sandbox local.`,
    [...said.slice(-shownLines), result?.message ?? ''].join('\n').trim(),
  );
}

/** The environment of the dev container's user: containerEnv, remoteEnv and what the user's shell sets. */
export async function devContainerEnvironment(
  request: SandboxRequest,
  endpoint: DockerEndpoint,
  config: DevContainerConfig,
): Promise<Record<string, string>> {
  const out = await runCli(request, endpoint, config, ['exec', 'sh', '-c', 'env -0'], () => undefined);
  const entries = out.split('\0').map((entry) => [entry, entry.indexOf('=')] as const);
  return Object.fromEntries(
    entries
      .filter(([entry, at]) => at > 0 && /^\w+=/.test(entry))
      .map(([entry, at]) => [entry.slice(0, at), entry.slice(at + 1)]),
  );
}

async function runCli(
  { installation, env, host }: SandboxRequest,
  endpoint: DockerEndpoint,
  { workspace, file }: DevContainerConfig,
  [command = '', ...args]: readonly string[],
  log: (line: string) => void,
): Promise<string> {
  const docker = onPath(['docker', 'podman'], env);
  if (docker === null)
    throw new GistifyError(
      'no-engine',
      'dev containers need the docker (or podman) command, and it is not on PATH',
      'Install it (Debian: docker-cli or docker.io), or run on this machine with --sandbox local.',
    );
  const cli = join(installation, 'devcontainers', 'devcontainer.js');
  const places = ['--workspace-folder', workspace, '--config', file, '--docker-path', docker];
  // A group of its own, so that a cancel reaches the builds it starts.
  const child = spawn(process.execPath, [cli, command, ...places, ...args], {
    cwd: workspace,
    env: { ...env, DOCKER_HOST: endpoint.host, ELECTRON_RUN_AS_NODE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const stop = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  };
  host.signal.addEventListener('abort', stop, { once: true });
  process.once('exit', stop);
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  createInterface(child.stderr).on('line', (line) => {
    const words = logWords(line);
    if (words !== '') log(words);
  });
  try {
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', () => {
        resolve();
      });
    });
  } finally {
    host.signal.removeEventListener('abort', stop);
    process.off('exit', stop);
  }
  host.signal.throwIfAborted();
  return out;
}

/** A line of its log, which is JSON, in plain words; '' for what is of no use to a person. */
function logWords(line: string): string {
  const entry = lastJson(line) as { readonly type?: string; readonly text?: unknown } | null;
  if (entry === null) return line.trim();
  if (typeof entry.text !== 'string' || entry.type === 'stop') return '';
  // Terminals' colours and line feeds.
  return entry.text.replaceAll(/\u001B\[[\d;?]*[A-Za-z]|\r/g, '').trim();
}

function lastJson(text: string): unknown {
  try {
    return JSON.parse(text.trim().split('\n').at(-1) ?? '');
  } catch {
    return null;
  }
}

function onPath(names: readonly string[], env: Readonly<Record<string, string>>): string | null {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const endings = process.platform === 'win32' ? ['.exe'] : [''];
  const places = names.flatMap((name) =>
    endings.flatMap((ending) => folders.map((folder) => join(folder, name + ending))),
  );
  return places.find((place) => existsSync(place)) ?? null;
}
