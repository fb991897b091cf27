// A task's original test flows in, its trace flows out: run in the user's own tree under a write guard, and in a
// private copy where the test would write there. The tree is left as it was found.
import path, { delimiter, posix } from 'node:path';
import { GistifyError } from '../base/gistifyError.js';
import type { Host } from '../model/progress.js';
import type { Task } from '../model/task.js';
import type { Trace } from '../model/trace.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { traceOriginal, type Runner } from '../trace/runPytest.js';

/** Absolute entries of a PYTHONPATH, by the rules of the machine that its commands run on. */
export function pythonPathEntries(
  sandbox: Sandbox,
  env: Readonly<Record<string, string>>,
  cwd: string,
): readonly string[] {
  const here = sandbox.kind === 'local';
  const rules = here ? path : posix;
  return (env['PYTHONPATH'] ?? '')
    .split(here ? delimiter : ':')
    .filter((entry) => entry !== '')
    .map((entry) => (rules.isAbsolute(entry) ? entry : rules.resolve(cwd, entry)));
}

/** The codebase as the sandbox's commands see it. */
export function rootInside(sandbox: Sandbox, repo: string): string {
  const root = sandbox.inside(repo);
  if (root === null) throw new GistifyError('internal', `the sandbox does not see ${repo}`);
  return root;
}

/** Entries that do not lead into the codebase: all that a gist may import from. */
export function withoutCodebase(entries: readonly string[], root: string): readonly string[] {
  return entries.filter((entry) => entry !== root && !/^[/\\]/.test(rest(entry, root)));
}

/** What follows `root` in a path that begins with it, else ''. */
function rest(entry: string, root: string): string {
  return entry.startsWith(root) ? entry.slice(root.length) : '';
}

/** Where a path of the codebase lies in a copy of it; other paths as they are. */
export function inCopy(entry: string, root: string, copy: string): string {
  return withoutCodebase([entry], root).length > 0 ? entry : copy + rest(entry, root);
}

/** Version control and caches, which no copy needs. */
export const leftBehind: ReadonlySet<string> = new Set(['.git', 'node_modules', '.tox', '__pycache__']);

/** Top-level names of the codebase, which a gist's run must not find; the gist's own name is none of them. */
export function topNames(trace: Trace, fileName: string): readonly string[] {
  const names = [
    ...trace.instances.map((instance) => instance.name),
    ...trace.compiled.map(([name]) => name),
  ];
  const tops = new Set(names.map((name) => name.split('.')[0] ?? name));
  tops.delete(fileName.replace(/\.py$/, ''));
  tops.delete('conftest');
  tops.delete('__main__');
  return [...tops].toSorted();
}

/** Traces in the user's tree under a write guard; in a private copy where the test would write or start programs. */
export async function traceInSafety(
  sandbox: Sandbox,
  runner: Runner,
  task: Pick<Task, 'repo' | 'nodeId' | 'pytestArgs'>,
  pythonPath: readonly string[],
  host: Host,
): Promise<{ trace: Trace; runs: number }> {
  const root = rootInside(sandbox, task.repo);
  const request = {
    root,
    cwd: root,
    nodeId: task.nodeId,
    pytestArgs: task.pytestArgs,
    pythonPath,
    inPlace: true,
    excluded: [],
  };
  const first = await traceOriginal(runner, request);
  if (first.kind === 'trace') return { trace: first.trace, runs: 1 };
  host.log(`the test ${first.what}: running it in a private copy`);
  const copy = `${await sandbox.folder('copy')}/repo`;
  await sandbox.copy(root, copy, { skip: leftBehind, only: null });
  const second = await traceOriginal(runner, {
    ...request,
    root: copy,
    cwd: copy,
    pythonPath: pythonPath.map((entry) => inCopy(entry, root, copy)),
    inPlace: false,
  });
  if (second.kind !== 'trace')
    throw new GistifyError('internal', `the run in a copy was stopped: it ${second.what}`);
  return { trace: second.trace, runs: 2 };
}
