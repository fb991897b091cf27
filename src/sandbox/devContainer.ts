// A workspace with a dev container flows in, a sandbox in a throw-away container of its prepared image flows out.
import { posix, relative, sep } from 'node:path';
import { GistifyError } from '../base/gistifyError.js';
import { defaultIsolation } from '../model/task.js';
import type { ContainerEngine } from './containerEngine.js';
import type { ContainerPlan, PlannedMount } from './containerPlan.js';
import { chooseConfig, findConfigs } from './devContainerConfig.js';
import { withPytest } from './installLayer.js';
import { prepareImage, type PreparedImage } from './preparedImage.js';
import { openWithCodebase } from './openWithCodebase.js';
import type { OpenedSandbox } from './sandbox.js';
import type { SandboxRequest } from './sandboxRequest.js';
import { sandboxVariables } from './sandboxVariables.js';

/** Opens a sandbox in the dev container of the codebase. `name` is '' where there is one configuration only. */
export async function openDevContainer(
  request: SandboxRequest,
  engine: ContainerEngine,
  name: string,
): Promise<OpenedSandbox> {
  const { repo, python, env, cwd, installation, host, isolation = defaultIsolation } = request;
  const config = chooseConfig(repo, findConfigs(repo), name);
  if (config.initialize && !isolation.allow.includes('initialize-command'))
    throw new GistifyError(
      'not-allowed',
      `${config.file} has an initializeCommand, which runs on this machine, outside of any container`,
      'Read it; where you trust it, run again with --allow initialize-command.',
    );
  const prepared = await prepareImage(request, engine, config);
  const root = rootIn(prepared, repo, config.workspace);
  const plan: ContainerPlan = {
    kind: 'devcontainer',
    image: isolation.allow.includes('install')
      ? await withPytest(request, engine, prepared.image)
      : prepared.image,
    user: prepared.user,
    root: /^(root|0)(:|$)/.test(prepared.user),
    mounts: prepared.mounts,
    codebase: { repo, root, copied: null },
    network: isolation.allow.includes('network') ? prepared.network : 'none',
    isolation,
  };
  const variables = {
    ...prepared.environment,
    ...sandboxVariables(env, isolation.variables, { repo, root, cwd }),
  };
  const opened = await openWithCodebase(
    { engine, plan, python, variables, helper: `${installation}/sandbox`, signal: host.signal },
    request.nodeId.split('::')[0] ?? '',
    host.log,
  );
  return {
    ...opened,
    words: `${opened.words}, dev container ${config.names[0] ?? ''} of ${config.workspace}`,
  };
}

/** Where the codebase lies in the container: in the innermost mount that holds it. */
function rootIn({ mounts, workspaceFolder }: PreparedImage, repo: string, workspace: string): string {
  const holds = ({ source, type }: PlannedMount) =>
    type === 'bind' && (repo === source || repo.startsWith(source.endsWith(sep) ? source : source + sep));
  const [mount] = mounts.filter(holds).sort((a, b) => b.source.length - a.source.length);
  const [from, to] = mount === undefined ? [workspace, workspaceFolder] : [mount.source, mount.target];
  return posix.join(to, relative(from, repo).split(sep).join('/'));
}
