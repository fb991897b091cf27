// The user's environment and Docker configuration flow in, the address of the container engine flows out, found as the
// docker command finds it: DOCKER_HOST, DOCKER_CONTEXT, the current context, then the sockets where engines listen.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { GistifyError } from '../base/gistifyError.js';

export interface DockerEndpoint {
  /** `unix:///…`, `npipe://…`, `tcp://…`, `http(s)://…` or `ssh://…`. */
  readonly host: string;
  /** Who named it, in words. */
  readonly source: string;
  readonly tls: { readonly ca: string; readonly cert: string; readonly key: string } | null;
}

type Environment = Readonly<Record<string, string>>;

/** The engine's address; null where nothing names one and no socket lies about. */
export function findEndpoint(env: Environment, home = homedir()): DockerEndpoint | null {
  const given = env['DOCKER_HOST'] ?? '';
  if (given !== '') {
    const folder = env['DOCKER_CERT_PATH'] ?? configFolder(env, home);
    const verified = (env['DOCKER_TLS_VERIFY'] ?? '') !== '';
    return { host: given, source: 'DOCKER_HOST', tls: verified ? readTls(folder) : null };
  }
  const named = env['DOCKER_CONTEXT'] ?? '';
  const context = named === '' ? currentContext(env, home) : named;
  if (context !== 'default') {
    return readContext(env, home, context, named === '' ? 'the current Docker context' : 'DOCKER_CONTEXT');
  }
  const runtime = env['XDG_RUNTIME_DIR'] ?? '';
  const sockets = [
    '/var/run/docker.sock',
    ...(runtime === '' ? [] : [join(runtime, 'docker.sock')]),
    join(home, '.docker', 'run', 'docker.sock'),
    ...(runtime === '' ? [] : [join(runtime, 'podman', 'podman.sock')]),
    '/run/podman/podman.sock',
  ];
  if (process.platform === 'win32')
    return { host: 'npipe:////./pipe/docker_engine', source: 'its usual place', tls: null };
  const socket = sockets.find((path) => existsSync(path));
  return socket === undefined ? null : { host: `unix://${socket}`, source: 'its usual place', tls: null };
}

function configFolder(env: Environment, home: string): string {
  const given = env['DOCKER_CONFIG'] ?? '';
  return given === '' ? join(home, '.docker') : given;
}

function currentContext(env: Environment, home: string): string {
  const file = join(configFolder(env, home), 'config.json');
  if (!existsSync(file)) return 'default';
  try {
    const config = JSON.parse(readFileSync(file, 'utf8')) as { currentContext?: unknown };
    return typeof config.currentContext === 'string' && config.currentContext !== ''
      ? config.currentContext
      : 'default';
  } catch {
    throw new GistifyError('no-engine', `${file} is not JSON`, 'Mend it, or set DOCKER_HOST.');
  }
}

/** Contexts lie in folders that are named by the hash of their name. */
function readContext(env: Environment, home: string, name: string, source: string): DockerEndpoint {
  const id = createHash('sha256').update(name).digest('hex');
  const contexts = join(configFolder(env, home), 'contexts');
  const file = join(contexts, 'meta', id, 'meta.json');
  try {
    const meta = JSON.parse(readFileSync(file, 'utf8')) as {
      Endpoints?: { docker?: { Host?: unknown } };
    };
    const host = meta.Endpoints?.docker?.Host;
    if (typeof host !== 'string' || host === '') throw new Error('no host');
    return { host, source: `${source} (${name})`, tls: readTls(join(contexts, 'tls', id, 'docker')) };
  } catch {
    throw new GistifyError(
      'no-engine',
      `${source} is ${JSON.stringify(name)}, and there is no such context`,
      'See `docker context ls`; `docker context use default` goes back to the local engine.',
    );
  }
}

function readTls(folder: string): DockerEndpoint['tls'] {
  const [ca, cert, key] = ['ca.pem', 'cert.pem', 'key.pem'].map((name) => join(folder, name));
  if (ca === undefined || cert === undefined || key === undefined || !existsSync(ca)) return null;
  return {
    ca: readFileSync(ca, 'utf8'),
    cert: existsSync(cert) ? readFileSync(cert, 'utf8') : '',
    key: existsSync(key) ? readFileSync(key, 'utf8') : '',
  };
}
