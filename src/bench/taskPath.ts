// An agent, a repository and a node id flow in, the folder of that task in a run's results flows out: the same for the
// same task on every machine, readable, and never the same for two tasks.
import { createHash } from 'node:crypto';

/** Relative POSIX path of a task's folder: `tasks/<agent>/<repository>/<test>-<hash>`. */
export function taskPath(agent: string, repository: string, nodeId: string): string {
  const slug = nodeId
    .replaceAll('::', '.')
    .replaceAll(/\.py\b/g, '')
    .replaceAll(/[^\w.-]+/g, '_')
    .slice(-80)
    .replace(/^[._-]+/, '');
  const hash = createHash('sha256').update(`${repository}\0${nodeId}`).digest('hex').slice(0, 8);
  return `tasks/${agent}/${repository}/${slug}-${hash}`;
}
