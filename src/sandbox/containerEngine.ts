// An endpoint flows in, a client of the engine that answers there flows out, with the few facts about it that decide how
// runs are set up; whatever the engine says goes wrong flows out as a GistifyError that says what to do next.
import { spawn } from 'node:child_process';
import { Agent } from 'node:http';
import { Duplex } from 'node:stream';
import type Docker from 'dockerode';
import { GistifyError, type ErrorCode } from '../base/gistifyError.js';
import type { DockerEndpoint } from './dockerEndpoint.js';

export interface ContainerEngine {
  readonly docker: Docker;
  readonly endpoint: DockerEndpoint;
  /** `Docker 20.10.24` */
  readonly name: string;
  readonly podman: boolean;
  /** As images name it: `amd64`, `arm64`, … */
  readonly architecture: string;
}

const patience = 10_000;

/** Asks the engine for its version; throws GistifyError where none answers. */
export async function connectEngine(endpoint: DockerEndpoint): Promise<ContainerEngine> {
  const { default: Client } = await import('dockerode');
  const docker = new Client(clientOptions(endpoint));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${patience / 1000} s`));
    }, patience);
  });
  try {
    const version = await Promise.race([docker.version(), late]);
    const components = (version as { Components?: readonly { Name: string; Version: string }[] }).Components;
    const podman = components?.find(({ Name }) => Name.startsWith('Podman'));
    const name = podman === undefined ? `Docker ${version.Version}` : `Podman ${podman.Version}`;
    return { docker, endpoint, name, podman: podman !== undefined, architecture: version.Arch };
  } catch (error) {
    throw engineFault(error, endpoint);
  } finally {
    clearTimeout(timer);
  }
}

function clientOptions({ host, tls }: DockerEndpoint): Docker.DockerOptions {
  const withScheme = host.includes('://') ? host : `tcp://${host}`;
  if (withScheme.startsWith('unix://')) return { socketPath: withScheme.slice('unix://'.length) };
  if (withScheme.startsWith('npipe://')) return { socketPath: withScheme.slice('npipe://'.length) };
  if (withScheme.startsWith('ssh://'))
    return {
      protocol: 'http',
      host: 'docker',
      port: 80,
      agent: sshAgent(withScheme),
    } as Docker.DockerOptions;
  const url = URL.parse(withScheme);
  if (url === null)
    throw new GistifyError(
      'no-engine',
      `${host} is no address of an engine`,
      'Mend DOCKER_HOST or the context.',
    );
  const secure = tls !== null || url.protocol === 'https:' || url.port === '2376';
  return {
    protocol: secure ? 'https' : 'http',
    host: url.hostname,
    port: url.port === '' ? (secure ? 2376 : 2375) : Number(url.port),
    ...(tls === null ? {} : { ca: tls.ca, cert: tls.cert, key: tls.key }),
  };
}

/** The user's own ssh carries the connection, with the user's own keys and settings, as the docker command does it. */
function sshAgent(host: string): Agent {
  const { username, hostname, port } = new URL(host);
  const args = [
    ...['-o', 'ConnectTimeout=10', '-o', 'BatchMode=yes'],
    ...(username === '' ? [] : ['-l', username]),
    ...(port === '' ? [] : ['-p', port]),
    ...['--', hostname, 'docker', 'system', 'dial-stdio'],
  ];
  const agent = new Agent();
  agent.createConnection = () => {
    const child = spawn('ssh', args, { stdio: ['pipe', 'pipe', 'ignore'] });
    const pipe = Duplex.from({ readable: child.stdout, writable: child.stdin });
    child.on('error', (error) => pipe.destroy(error));
    pipe.on('close', () => child.kill());
    return Object.assign(pipe, { setKeepAlive: () => pipe, setNoDelay: () => pipe, setTimeout: () => pipe });
  };
  return agent;
}

interface Words {
  readonly code?: string;
  readonly statusCode?: number;
  readonly message: string;
  readonly reason?: string;
}

/** What the engine or the way to it said, as a fault with the next step. */
export function engineFault(error: unknown, endpoint: DockerEndpoint, doing = ''): GistifyError {
  if (error instanceof GistifyError) return error;
  const words: Words = error instanceof Error ? error : { message: String(error) };
  const at = `${endpoint.host} (from ${endpoint.source})`;
  const local = 'or run on this machine with --sandbox local';
  if (words.code === 'EACCES' || words.code === 'EPERM')
    return new GistifyError(
      'engine-permission',
      `the container engine at ${at} may not be used by this user`,
      `Add yourself to the group that owns the socket (sudo usermod -aG docker $USER, then log in again), use a rootless engine, ${local}.`,
      words.message,
    );
  if (words.statusCode === undefined)
    return new GistifyError(
      'no-engine',
      `no container engine answers at ${at}`,
      `Start Docker or Podman, check DOCKER_HOST and \`docker context ls\`, ${local}.`,
      words.message,
    );
  const [code, message, hint] = explain(words.message, local);
  return new GistifyError(code, doing === '' ? message : `${message} (${doing})`, hint, words.message);
}

function explain(said: string, local: string): readonly [ErrorCode, string, string] {
  if (/no space left on device|ENOSPC|disk quota exceeded/i.test(said))
    return [
      'disk-full',
      'the disk of the container engine is full',
      'Free some space (docker system df shows what takes it, docker system prune gives it back), then run again.',
    ];
  if (/exec format error|does not match the specified platform|no matching manifest/i.test(said))
    return [
      'image-unfit',
      'the image is made for another kind of processor than the engine runs on',
      `Choose an image for the engine's own architecture, or install its emulation (docker run --privileged tonistiigi/binfmt --install all), ${local}.`,
    ];
  return ['engine-failed', 'the container engine refused', `Its own words are above; mend that, ${local}.`];
}
