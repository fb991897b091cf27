// What a run needs of a container, as plain data; the same plan always finds the same warm container.
import { createHash } from 'node:crypto';
import type { Isolation } from '../model/task.js';

export interface PlannedMount {
  readonly type: 'bind' | 'volume';
  /** A path of the engine's machine, or a volume's name. */
  readonly source: string;
  readonly target: string;
}

export interface ContainerPlan {
  readonly kind: 'docker' | 'devcontainer';
  /** Id of an image that the engine has. */
  readonly image: string;
  /** '' for the image's own. */
  readonly user: string;
  /** Whether that user is root. */
  readonly root: boolean;
  /** All are read-only. */
  readonly mounts: readonly PlannedMount[];
  /** The codebase in the container, and its state where it is copied there instead of being mounted. */
  readonly codebase: { readonly repo: string; readonly root: string; readonly copied: string | null };
  /** The engine's name of the network, `none` where there is none. */
  readonly network: string;
  readonly isolation: Isolation;
}

const layoutVersion = 1;

/** Two plans with one key may share a container. */
export function planKey(plan: ContainerPlan): string {
  const text = JSON.stringify([layoutVersion, { ...plan, isolation: { ...plan.isolation, variables: [] } }]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
