// Plans flow in, running containers flow out, each held by one run at a time. One that a run left as it was is kept warm
// for the next; all others are removed. Names say who holds a container, so that those of the dead can be swept.
import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type Docker from 'dockerode';
import tar from 'tar-fs';
import { GistifyError } from '../base/gistifyError.js';
import { engineFault, type ContainerEngine } from './containerEngine.js';
import { isDead, ownMark } from './leftovers.js';
import { planKey, type ContainerPlan } from './containerPlan.js';

export const label = 'dev.gistify.sandbox';
const keyLabel = 'dev.gistify.plan';
/** Seconds after which a container that nobody uses ends and removes itself. */
const idle = 600;

/** Counts the seconds in which nobody has touched the file; ends the container after enough of them. */
const idleLoop = `trap 'exit 0' TERM INT
n=0
while [ $n -lt ${idle / 5} ]; do
  sleep 5 & wait $!
  if [ -e /dev/shm/.gistify-alive ]; then rm -f /dev/shm/.gistify-alive; n=0; else n=$((n+1)); fi
done`;

const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

function busyName(): string {
  return `gistify-busy-${machine}-${ownMark()}-${randomBytes(4).toString('hex')}`;
}

function warmName(): string {
  return `gistify-warm-${randomBytes(6).toString('hex')}`;
}

/** Whether the holder that a container's name tells of is a dead process of this machine. */
function isOrphan(name: string): boolean {
  const [, where, mark] = /^gistify-busy-([0-9a-f]{8})-(\d+-\d+)-/.exec(name) ?? [];
  return where === machine && mark !== undefined && isDead(mark);
}

export interface HeldContainer {
  readonly container: Docker.Container;
  readonly warm: boolean;
}

/** A container of the plan for this run alone: a warm one, else a new one. Sweeps what dead runs have left. */
export async function acquire(engine: ContainerEngine, plan: ContainerPlan): Promise<HeldContainer> {
  const { docker, endpoint } = engine;
  const key = planKey(plan);
  try {
    const all = await docker.listContainers({ all: true, filters: { label: [label] } });
    const gone = all.filter(({ Names, State }) => {
      const name = nameOf(Names);
      return isOrphan(name) || (name.startsWith('gistify-') && ['exited', 'dead'].includes(State));
    });
    const swept = Promise.all(gone.map(({ Id }) => discard(docker.getContainer(Id))));
    for (const { Id, Names, Labels, State } of all) {
      const name = nameOf(Names);
      if (!isWarm(Names) || Labels[keyLabel] !== key || State !== 'running') continue;
      // By its name, not its id: whoever comes second finds no such name.
      const claimed = await docker
        .getContainer(name)
        .rename({ name: busyName() })
        .then(
          () => true,
          () => false,
        );
      if (claimed) return { container: docker.getContainer(Id), warm: true };
    }
    await swept;
    return { container: await start(engine, plan, key), warm: false };
  } catch (error) {
    throw engineFault(error, endpoint, 'starting the container');
  }
}

/** Whether a container waits for its next run. */
export function isWarm(names: readonly string[]): boolean {
  return nameOf(names).startsWith('gistify-warm-');
}

function nameOf(names: readonly string[]): string {
  return (names[0] ?? '').replace(/^\//, '');
}

async function start(engine: ContainerEngine, plan: ContainerPlan, key: string): Promise<Docker.Container> {
  const { docker, podman } = engine;
  const { isolation, codebase } = plan;
  const container = await docker.createContainer({
    name: busyName(),
    Image: plan.image,
    Entrypoint: ['/bin/sh', '-c', idleLoop],
    Cmd: [],
    ...(plan.user === '' ? {} : { User: plan.user }),
    WorkingDir: '/',
    Labels: { [label]: '1', [keyLabel]: key },
    Healthcheck: { Test: ['NONE'] },
    HostConfig: {
      AutoRemove: true,
      // Podman needs a program of its own for this, which is often missing; the loop reaps as well.
      Init: !podman,
      NetworkMode: plan.network,
      Memory: isolation.memory,
      MemorySwap: isolation.memory,
      PidsLimit: isolation.processes,
      CapDrop: ['ALL'],
      // Files of the workspace may belong to anyone; they are read-only all the same.
      CapAdd: plan.root && codebase.copied === null ? ['DAC_OVERRIDE'] : [],
      SecurityOpt: ['no-new-privileges'],
      IpcMode: 'private',
      LogConfig: { Type: podman ? 'k8s-file' : 'none', Config: {} },
      Ulimits: [{ Name: 'core', Soft: 0, Hard: 0 }],
      Tmpfs: { '/tmp': `rw,exec,nosuid,nodev,mode=1777,size=${Math.floor(isolation.memory / 2)}` },
      Mounts: plan.mounts.map(({ type, source, target }) => ({
        Type: type,
        Source: source,
        Target: target,
        ReadOnly: true,
      })),
    },
  });
  try {
    if (codebase.copied !== null) await copyIn(container, codebase.repo, codebase.root);
    await container.start();
    return container;
  } catch (error) {
    await discard(container);
    throw error;
  }
}

/** Names of the codebase that no run needs. */
export const leftBehind = new Set(['.git', 'node_modules', '.tox', '__pycache__']);

/** The codebase as an archive, for engines that do not see this machine's disk; nobody in the container may write it. */
async function copyIn(container: Docker.Container, repo: string, root: string): Promise<void> {
  const prefix = root.replace(/^\/+/, '');
  const pack = tar.pack(repo, {
    ignore: (name) => leftBehind.has(name.slice(name.lastIndexOf('/') + 1)),
    map(header) {
      const mode = header.mode & 0o555;
      return { ...header, name: `${prefix}/${header.name}`, uid: 0, gid: 0, mode: mode | 0o444 };
    },
  });
  await container.putArchive(pack, { path: '/' });
}

/** Gives a container back: kept warm where the run left nothing in it, else removed. */
export async function release(held: HeldContainer, plan: ContainerPlan, clean: boolean): Promise<void> {
  const { container } = held;
  if (clean && (await isUntouched(container, plan))) {
    const kept = await container.rename({ name: warmName() }).then(
      () => true,
      () => false,
    );
    if (kept) return;
  }
  await discard(container);
}

/** Whether the container's own layer is as the engine made it: only folders for mounts were put there. */
async function isUntouched(container: Docker.Container, plan: ContainerPlan): Promise<boolean> {
  const { root, copied } = plan.codebase;
  // The engine says null where nothing has changed.
  type Changes = readonly { readonly Path: string; readonly Kind: number }[];
  const changes = await container.changes().then(
    (found: unknown) => (Array.isArray(found) ? (found as Changes) : []),
    () => null,
  );
  if (changes === null) return false;
  const inits = changes.map(({ Path }) => Path).filter((path) => path.endsWith('/docker-init'));
  const places = [...engineFiles, ...inits, root, ...plan.mounts.map(({ target }) => target)];
  return changes.every(
    ({ Path, Kind }) =>
      (copied !== null && Path.startsWith(`${root}/`)) ||
      (Kind !== deleted && places.some((place) => place === Path || place.startsWith(`${Path}/`))),
  );
}

const deleted = 2;
/** What engines lay into a container that they start. */
const engineFiles = [
  ...['/tmp', '/dev/shm', '/dev/pts', '/dev/mqueue', '/dev/console', '/dev/init', '/proc', '/sys'],
  ...['/run/.containerenv', '/run/secrets', '/etc/hosts', '/etc/hostname', '/etc/resolv.conf', '/etc/mtab'],
];

/** Removes a container with its anonymous volumes; one that is gone or going already is no fault. */
export async function discard(container: Docker.Container): Promise<void> {
  await container.remove({ force: true, v: true }).catch((error: unknown) => {
    const { statusCode, message } = error as { statusCode?: number; message: string };
    if (statusCode === 404 || statusCode === 409) return;
    throw new GistifyError(
      'engine-failed',
      'a container could not be removed',
      'It ends by itself after ten minutes without use; gistify also removes it at its next start.',
      message,
    );
  });
}
