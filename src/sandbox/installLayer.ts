// An image without Python or pytest flows in, one that has them flows out: a layer of its own, thrown away with the image
// it stands on. Only for users who have allowed it, since the installation uses the network.
import { PassThrough } from 'node:stream';
import type Docker from 'dockerode';
import { GistifyError } from '../base/gistifyError.js';
import { engineFault, type ContainerEngine } from './containerEngine.js';
import { discard, label } from './containerPool.js';
import type { SandboxRequest } from './sandboxRequest.js';

const baseLabel = 'dev.gistify.installed.on';

/** As the image's own package manager does it; pip where there is a Python already. */
const script = `python=$(command -v "$1" || command -v python3 || command -v python)
[ -n "$python" ] && "$python" -c 'import pytest' 2>/dev/null && exit 0
if [ -n "$python" ]; then
  "$python" -m pip install --disable-pip-version-check --root-user-action=ignore pytest && exit 0
  "$python" -m pip install --disable-pip-version-check --break-system-packages pytest && exit 0
fi
if command -v apt-get; then apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends python3 python3-pytest
elif command -v apk; then apk add --no-cache python3 py3-pytest
elif command -v dnf; then dnf install -y python3 python3-pytest
elif command -v microdnf; then microdnf install -y python3 python3-pytest
else echo 'no package manager that is known here'; exit 1
fi`;

/** The image itself where it has pytest, else one with a layer that adds it. */
export async function withPytest(
  { host, env, python }: SandboxRequest,
  { docker, endpoint }: ContainerEngine,
  image: string,
): Promise<string> {
  try {
    const [made] = await docker.listImages({ filters: { label: [`${baseLabel}=${image}`] } });
    if (made !== undefined) return made.Id;
    host.progress({ stage: 'start', message: 'adding pytest in a throw-away layer', fraction: 0 });
    const options = {
      Image: image,
      User: '0',
      Entrypoint: ['/bin/sh', '-c', script, 'sh', python === '' ? 'python3' : python],
      Cmd: [],
      Labels: { [label]: '1' },
      Env: Object.entries(env)
        .filter(([name]) => /^PIP_\w*INDEX\w*$|^(https?|no)_proxy$/i.test(name))
        .map(([name, value]) => `${name}=${value}`),
      HostConfig: { NetworkMode: await networkOf(docker) },
    };
    const { Config } = await docker.getImage(image).inspect();
    const container = await docker.createContainer(options);
    try {
      const said = await runToEnd(docker, container, host);
      const entry = Config.Entrypoint ?? [];
      const changes = [
        `LABEL ${baseLabel}=${image}`,
        `USER ${Config.User === '' ? '0' : Config.User}`,
        `ENTRYPOINT ${JSON.stringify(entry)}`,
      ];
      if (said !== null)
        throw new GistifyError(
          'build-failed',
          'pytest could not be added to the image',
          'Add it to the image itself (its Dockerfile or devcontainer.json), or choose another sandbox.',
          said,
        );
      const { Id } = (await container.commit({ repo: 'gistify-installed', changes: changes.join('\n') })) as {
        Id: string;
      };
      return Id;
    } finally {
      await discard(container);
    }
  } catch (error) {
    host.signal.throwIfAborted();
    throw engineFault(error, endpoint, 'adding pytest');
  }
}

/** The engine's own bridge; an engine that was set up without one has the network of its machine. */
async function networkOf(docker: Docker): Promise<string> {
  const networks = await docker.listNetworks();
  return networks.some(({ Name }) => Name === 'bridge' || Name === 'podman') ? 'default' : 'host';
}

const shownLines = 20;

/** Null where it ended well, else its last words. */
async function runToEnd(
  docker: Docker,
  container: Docker.Container,
  { log, signal }: SandboxRequest['host'],
): Promise<string | null> {
  const output = new PassThrough();
  const lines: string[] = [];
  output.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\n').filter((words) => words.trim() !== '')) {
      lines.push(line);
      log(line);
    }
  });
  const stream = await container.attach({ stream: true, stdout: true, stderr: true });
  docker.modem.demuxStream(stream, output, output);
  const stop = () => void discard(container).catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await container.start();
    const { StatusCode } = (await container.wait()) as { StatusCode: number };
    signal.throwIfAborted();
    return StatusCode === 0 ? null : lines.slice(-shownLines).join('\n');
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
