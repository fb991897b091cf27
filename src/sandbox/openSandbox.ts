// The user's choice flows in, an open sandbox flows out, and the words that say which it is and why.
import { GistifyError } from '../base/gistifyError.js';
import { connectEngine, type ContainerEngine } from './containerEngine.js';
import { openDevContainer } from './devContainer.js';
import { findConfigs } from './devContainerConfig.js';
import { findEndpoint } from './dockerEndpoint.js';
import { findEngine, openDocker } from './dockerImage.js';
import { openLocal } from './openLocal.js';
import type { OpenedSandbox } from './sandbox.js';
import type { SandboxRequest } from './sandboxRequest.js';

/** Opens the sandbox that a run is to use. Throws GistifyError where it cannot be had. */
export async function openSandbox(request: SandboxRequest): Promise<OpenedSandbox> {
  const { sandbox, env } = request;
  if (sandbox === 'local') return openLocal(request, '');
  if (sandbox === 'auto') return openAuto(request);
  if (sandbox.startsWith('docker:')) return openDocker(request, sandbox.slice('docker:'.length));
  return openDevContainer(request, await findEngine(env), sandbox.slice('devcontainer:'.length));
}

async function openAuto(request: SandboxRequest): Promise<OpenedSandbox> {
  const engine = await devContainerEngine(request);
  if (typeof engine === 'string') return openLocal(request, engine);
  request.host.log(`auto: the codebase has a dev container and ${engine.name} answers`);
  // The interpreter that was found on this machine means nothing in there.
  return openDevContainer({ ...request, python: '' }, engine, '');
}

/** The engine for the dev container of the codebase, or why there is none to use. */
async function devContainerEngine({ repo, env }: SandboxRequest): Promise<ContainerEngine | string> {
  if (isContainer(env)) return 'this is a dev container already';
  if (findConfigs(repo).length === 0) return 'the codebase has no dev container';
  try {
    const endpoint = findEndpoint(env);
    return endpoint === null ? 'no container engine was found' : await connectEngine(endpoint);
  } catch (error) {
    if (error instanceof GistifyError) return error.message;
    throw error;
  }
}

/** Dev containers and codespaces say so; a container that merely holds an engine of its own is a machine like others. */
function isContainer(env: Readonly<Record<string, string>>): boolean {
  return ['REMOTE_CONTAINERS', 'CODESPACES'].some((name) => env[name] === 'true');
}
