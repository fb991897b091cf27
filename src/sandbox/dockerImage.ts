// The name of an image flows in, a sandbox in a container of it flows out; the codebase stands there where it stands
// on this machine, so that paths mean the same on both sides.
import { basename } from 'node:path';
import { GistifyError } from '../base/gistifyError.js';
import { defaultIsolation } from '../model/task.js';
import { connectEngine, engineFault, type ContainerEngine } from './containerEngine.js';
import type { ContainerPlan } from './containerPlan.js';
import { findEndpoint } from './dockerEndpoint.js';
import { withPytest } from './installLayer.js';
import type { SandboxRequest } from './sandboxRequest.js';
import { openWithCodebase } from './openWithCodebase.js';
import type { OpenedSandbox } from './sandbox.js';
import { sandboxVariables } from './sandboxVariables.js';

/** Opens a sandbox in a container of an image. */
export async function openDocker(request: SandboxRequest, reference: string): Promise<OpenedSandbox> {
  const { repo, python, env, cwd, installation, host, isolation = defaultIsolation } = request;
  const engine = await findEngine(env);
  const image = await ensureImage(engine, reference, request);
  const root = placeFor(repo);
  const user = image.user;
  const plan: ContainerPlan = {
    kind: 'docker',
    image: isolation.allow.includes('install') ? await withPytest(request, engine, image.id) : image.id,
    user: '',
    root: user === '' || /^(root|0)(:|$)/.test(user),
    mounts: [{ type: 'bind', source: repo, target: root }],
    codebase: { repo, root, copied: null },
    network: isolation.allow.includes('network') ? 'default' : 'none',
    isolation,
  };
  const variables = sandboxVariables(env, isolation.variables, { repo, root, cwd });
  const opened = await openWithCodebase(
    { engine, plan, python, variables, helper: `${installation}/sandbox`, signal: host.signal },
    request.nodeId.split('::')[0] ?? '',
    host.log,
  );
  return { ...opened, words: `${opened.words}, image ${reference}` };
}

/** The same path, but for what the container has of its own, and for paths that are none there. */
function placeFor(repo: string): string {
  const usable = repo.startsWith('/') && repo !== '/' && !/^\/(tmp|dev|proc|sys)(\/|$)/.test(repo);
  return usable ? repo : `/workspaces/${basename(repo)}`;
}

/** The engine that the user's environment names. */
export async function findEngine(env: Readonly<Record<string, string>>): Promise<ContainerEngine> {
  const endpoint = findEndpoint(env);
  if (endpoint === null)
    throw new GistifyError(
      'no-engine',
      'no container engine was found: no socket of Docker or Podman lies in a usual place',
      'Start Docker or Podman, name it with DOCKER_HOST or a Docker context, or run on this machine with --sandbox local.',
    );
  return connectEngine(endpoint);
}

interface Image {
  readonly id: string;
  readonly user: string;
}

/** The image as the engine has it, fetched where it has not. */
async function ensureImage(
  engine: ContainerEngine,
  reference: string,
  { host }: SandboxRequest,
): Promise<Image> {
  const { docker, endpoint, architecture } = engine;
  const look = async (): Promise<Image | null> => {
    try {
      const { Id, Config, Architecture } = await docker.getImage(reference).inspect();
      if (Architecture !== '' && Architecture !== architecture)
        host.log(
          `the image is made for ${Architecture}, the engine runs on ${architecture}: it needs emulation`,
        );
      return { id: Id, user: Config.User };
    } catch (error) {
      if ((error as { statusCode?: number }).statusCode === 404) return null;
      throw engineFault(error, endpoint);
    }
  };
  const present = await look();
  if (present !== null) return present;
  host.progress({ stage: 'start', message: `fetching the image ${reference}`, fraction: 0 });
  try {
    const stream = await docker.pull(reference, { abortSignal: host.signal });
    await new Promise<void>((resolve, reject) => {
      docker.modem.followProgress(
        stream,
        (error) => {
          if (error === null) resolve();
          else reject(error);
        },
        ({ id, status }: { id?: string; status?: string }) => {
          if (status !== undefined) host.log(id === undefined ? status : `${id}: ${status}`);
        },
      );
    });
  } catch (error) {
    host.signal.throwIfAborted();
    const fault = engineFault(error, endpoint);
    if (fault.code !== 'engine-failed') throw fault;
    throw new GistifyError(
      'image-missing',
      `the engine has no image ${reference}, and it could not be fetched`,
      'Check the name and the way to the registry (docker pull shows more), load the image from a file (docker load), or choose another sandbox.',
      fault.details,
    );
  }
  const fetched = await look();
  if (fetched !== null) return fetched;
  throw new GistifyError(
    'image-missing',
    `the engine has no image ${reference}`,
    'Check its name with docker images.',
  );
}
