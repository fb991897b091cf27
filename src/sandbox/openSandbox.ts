// The user's choice flows in, an open sandbox flows out, and the words that say which it is and why.
import { openDocker } from './dockerImage.js';
import { createLocalSandbox } from './localSandbox.js';
import type { OpenedSandbox } from './sandbox.js';
import type { SandboxRequest } from './sandboxRequest.js';

/** Opens the sandbox that a run is to use. Throws GistifyError where it cannot be had. */
export async function openSandbox(request: SandboxRequest): Promise<OpenedSandbox> {
  const { sandbox, python, env } = request;
  if (sandbox.startsWith('docker:')) return openDocker(request, sandbox.slice('docker:'.length));
  return { sandbox: createLocalSandbox(), python, env, words: 'a process of this machine' };
}
