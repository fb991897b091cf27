// A task's original test flows in, its trace flows out: run in the user's own tree under a write guard, and in a
// private copy where the test would write there. The tree is left as it was found.
import { cp } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve, sep } from 'node:path';
import { GistifyError } from '../base/gistifyError.js';
import type { Host } from '../model/progress.js';
import type { Task } from '../model/task.js';
import type { Trace } from '../model/trace.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { traceOriginal, type Runner } from '../trace/runPytest.js';

/** Absolute entries of the PYTHONPATH as given. */
export function pythonPathEntries(env: Readonly<Record<string, string>>, cwd: string): readonly string[] {
  return (env['PYTHONPATH'] ?? '')
    .split(delimiter)
    .filter((entry) => entry !== '')
    .map((entry) => (isAbsolute(entry) ? entry : resolve(cwd, entry)));
}

/** Top-level names of the codebase, which a gist's run must not find; the gist's own name is none of them. */
export function topNames(trace: Trace, fileName: string): readonly string[] {
  const names = [
    ...trace.instances.map((instance) => instance.name),
    ...trace.compiled.map(([name]) => name),
  ];
  const tops = new Set(names.map((name) => name.split('.')[0] ?? name));
  tops.delete(fileName.replace(/\.py$/, ''));
  tops.delete('conftest');
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
  const request = {
    root: task.repo,
    cwd: task.repo,
    nodeId: task.nodeId,
    pytestArgs: task.pytestArgs,
    pythonPath,
    inPlace: true,
    excluded: [],
  };
  const first = await traceOriginal(runner, request);
  if (first.kind === 'trace') return { trace: first.trace, runs: 1 };
  host.log(`the test ${first.what}: running it in a private copy`);
  const copy = join(await sandbox.folder('copy'), 'repo');
  await cp(task.repo, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !/[/\\](\.git|node_modules|\.tox|__pycache__)$/.test(source),
  });
  const inCopy = (entry: string) =>
    entry === task.repo || entry.startsWith(task.repo + sep) ? copy + entry.slice(task.repo.length) : entry;
  const second = await traceOriginal(runner, {
    ...request,
    root: copy,
    cwd: copy,
    pythonPath: pythonPath.map(inCopy),
    inPlace: false,
  });
  if (second.kind !== 'trace')
    throw new GistifyError('internal', `the run in a copy was stopped: it ${second.what}`);
  return { trace: second.trace, runs: 2 };
}
