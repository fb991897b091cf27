// A dev container flows in, the image prepared from it flows out: what its build and its lifecycle commands made, held
// for throw-away containers. It is made anew when the container, its contents or its configuration have changed.
import { createHash } from 'node:crypto';
import type Docker from 'dockerode';
import { engineFault, type ContainerEngine } from './containerEngine.js';
import { discard, isWarm } from './containerPool.js';
import type { PlannedMount } from './containerPlan.js';
import { devContainerEnvironment, devContainerUp } from './devContainerCli.js';
import type { DevContainerConfig } from './devContainerConfig.js';
import type { SandboxRequest } from './sandboxRequest.js';

export interface PreparedImage {
  readonly image: string;
  readonly user: string;
  readonly workspaceFolder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly mounts: readonly PlannedMount[];
  /** The network of the dev container, where its other services are. */
  readonly network: string;
}

type Facts = Omit<PreparedImage, 'image'>;

const stateLabel = 'dev.gistify.prepared.state';
const placeLabel = 'dev.gistify.prepared.place';
const factsLabel = 'dev.gistify.prepared.facts';

function digest(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 24);
}

/** The image of the dev container as it is now; brings the container up only where it must. */
export async function prepareImage(
  request: SandboxRequest,
  engine: ContainerEngine,
  config: DevContainerConfig,
): Promise<PreparedImage> {
  const { docker, endpoint } = engine;
  const place = digest(config.file);
  try {
    const images = await docker.listImages({ filters: { label: [`${placeLabel}=${place}`] } });
    const existing = await devContainerOf(docker, config);
    const state = existing === null ? null : await stateOf(existing, config);
    for (const { Id, Labels } of images) {
      if (state === null || Labels[stateLabel] !== state) continue;
      return { ...(JSON.parse(Labels[factsLabel] ?? '') as Facts), image: Id };
    }
    const wasRunning = existing !== null && (await existing.inspect()).State.Running;
    const made = await commit(request, engine, config, place);
    for (const { Id } of images) await removeImage(docker, Id);
    if (!wasRunning)
      await docker
        .getContainer(made.container)
        .stop({ t: 1 })
        .catch(() => undefined);
    return made.prepared;
  } catch (error) {
    request.host.signal.throwIfAborted();
    throw engineFault(error, endpoint, 'preparing the dev container');
  }
}

/** An image that a run still uses stays, and goes when the next one is prepared. */
async function removeImage(docker: Docker, id: string): Promise<void> {
  const users = await docker.listContainers({ all: true, filters: { ancestor: [id] } });
  const warm = users.filter(({ Names }) => isWarm(Names));
  await Promise.all(warm.map(({ Id }) => discard(docker.getContainer(Id))));
  await docker
    .getImage(id)
    .remove()
    .catch(() => undefined);
}

/** The container that the dev container tools of any editor have made for the configuration. */
async function devContainerOf(docker: Docker, config: DevContainerConfig): Promise<Docker.Container | null> {
  const label = [`devcontainer.local_folder=${config.workspace}`, `devcontainer.config_file=${config.file}`];
  const [found] = await docker.listContainers({ all: true, filters: { label } });
  return found === undefined ? null : docker.getContainer(found.Id);
}

/** Changes when the configuration does, when the container is made anew, and when a file comes or goes in it. */
async function stateOf(container: Docker.Container, config: DevContainerConfig): Promise<string> {
  const changes: unknown = await container.changes();
  const lines = Array.isArray(changes) ? changes.map((change) => JSON.stringify(change)) : [];
  // The engine tells them in any order.
  return digest(container.id, config.text, ...lines.filter((line) => !line.includes('"/tmp')).toSorted());
}

async function commit(
  request: SandboxRequest,
  engine: ContainerEngine,
  config: DevContainerConfig,
  place: string,
): Promise<{ readonly container: string; readonly prepared: PreparedImage }> {
  const { docker, endpoint } = engine;
  const { host } = request;
  const up = await devContainerUp(request, endpoint, config);
  const container = docker.getContainer(up.containerId);
  const given = await devContainerEnvironment(request, endpoint, config);
  const { Mounts, Config, HostConfig } = await container.inspect();
  const named = new Set(request.isolation?.variables.map((word) => word.split('=')[0]));
  const withheld = config.fromHost.filter((name) => name in given && !named.has(name));
  if (withheld.length > 0)
    host.log(`of this machine's environment, ${withheld.join(', ')} stay out (--env NAME lets one in)`);
  const environment = Object.fromEntries(
    Object.entries(given).filter(([name]) => !withheld.includes(name) && !passing.has(name)),
  );
  const facts: Facts = {
    user: up.remoteUser,
    workspaceFolder: up.remoteWorkspaceFolder,
    environment: { ...environment, ...Object.fromEntries(withheld.map((name) => [name, ''])) },
    mounts: Mounts.flatMap((mount) => planned(mount, host.log)),
    network: ['host', 'none', ''].includes(HostConfig.NetworkMode ?? '')
      ? 'default'
      : (HostConfig.NetworkMode ?? ''),
  };
  host.progress({ stage: 'start', message: 'keeping the prepared dev container', fraction: 0.02 });
  // An editor must not take the throw-away containers for the dev container itself.
  const foreign = Object.keys(Config.Labels).filter((name) => name.startsWith('devcontainer.'));
  const labels = {
    ...Object.fromEntries(foreign.map((name) => [name, ''])),
    [placeLabel]: place,
    [stateLabel]: await stateOf(container, config),
    [factsLabel]: JSON.stringify(facts),
  };
  const changes = Object.entries(labels).map(([name, value]) => `LABEL ${name}=${JSON.stringify(value)}`);
  const { Id } = (await container.commit({
    repo: 'gistify-prepared',
    tag: place,
    changes: changes.join('\n'),
  })) as {
    Id: string;
  };
  return { container: up.containerId, prepared: { ...facts, image: Id } };
}

/** Of the process that was asked, not of the container. */
const passing = new Set(['_', 'SHLVL', 'PWD', 'OLDPWD', 'HOSTNAME', 'TERM']);

const private_ =
  /(^|\/)(\.ssh|\.aws|\.gnupg|\.docker|\.kube|\.azure|\.netrc|\.git-credentials|\.config\/(gh|gcloud))(\/|$)/;

/** A mount of the dev container, read-only; sockets and credentials of this machine stay out. */
function planned(
  {
    Type,
    Name,
    Source,
    Destination,
  }: { Type?: string; Name?: string | undefined; Source: string; Destination: string },
  log: (line: string) => void,
): readonly PlannedMount[] {
  if (Type === 'volume' && Name !== undefined) return [{ type: 'volume', source: Name, target: Destination }];
  if (Type !== 'bind') return [];
  if (/\.sock$|^\/(run|var\/run)\//.test(Source) || private_.test(Source)) {
    log(`the mount of ${Source} stays out of the sandbox`);
    return [];
  }
  return [{ type: 'bind', source: Source, target: Destination }];
}
