// A task and an agent's options flow in, a private copy of the codebase with the tools' commands on its PATH flows out.
// The user's tree is read only; what may hold secrets stays behind.
import { readdir } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { pythonPrograms, refusal, refusedStatus } from '../agent/executionGuard.js';
import { runGistCommand } from '../agent/tools/runGistTool.js';
import type { Workspace } from '../agent/workspace.js';
import { GistifyError } from '../base/gistifyError.js';
import { testSelector } from '../base/testSelector.js';
import { isSecretFile } from '../link/dataFiles.js';
import type { AgentOptions } from '../model/agentOptions.js';
import type { Task } from '../model/task.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { withoutCodebase } from './originalRun.js';

export interface WorkspaceInput {
  readonly sandbox: Sandbox;
  /** `python` is the interpreter as the sandbox's commands start it. */
  readonly task: Pick<Task, 'repo' | 'nodeId' | 'python' | 'pytestArgs'>;
  /** The codebase as they see it. */
  readonly codebase: string;
  readonly options: AgentOptions;
  /** The sandbox's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute entries of its PYTHONPATH. */
  readonly pythonPath: readonly string[];
  /** Top-level names of the codebase, and the tree of its compiled modules. */
  readonly block: readonly string[];
  readonly shadow: string;
  /** Folder of the Python helper. */
  readonly helper: string;
  /** The file to write. */
  readonly file: string;
  /** What `search_graph NAME` and `gold_trace` say where the shell is the only tool; null where they are not offered. */
  readonly graphFile: string | null;
  readonly traceText: string | null;
}

const leftBehind = [
  ...['.git', '.hg', 'node_modules', '.tox', '.nox', '__pycache__', '.pytest_cache', '.mypy_cache'],
  ...['.venv', 'venv'],
];

/** Names of files of the codebase that may hold secrets. */
async function secretNames(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const within = entries.filter((entry) => entry.isDirectory() && !leftBehind.includes(entry.name));
  const deeper = await Promise.all(within.map(({ name }) => secretNames(join(folder, name)).catch(() => [])));
  return [...entries.filter(({ name }) => isSecretFile(name)).map(({ name }) => name), ...deeper.flat()];
}

/** Variables of the user that say nothing about them and that programs want. */
const harmless = /^(PATH|LANG|LC_\w+|TZ|TMPDIR|SYSTEMROOT|PATHEXT)$/;

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A Python program that runs the gist as it will be judged: alone, the codebase blocked. */
function runGistProgram({ helper, block, shadow, file, task }: WorkspaceInput): string {
  const test = testSelector(task.nodeId);
  const args = ['-q', '-p', 'no:cacheprovider', '-c', '/dev/null', ...task.pytestArgs];
  return `import os, shutil, sys, tempfile
helper, names, shadow, source, test, args = ${JSON.stringify([helper, block, shadow, file, test, args])}
if not os.path.exists(source):
    sys.exit("there is no " + source + " yet")
folder = tempfile.mkdtemp(prefix="gistify-gist-")
try:
    shutil.copy(source, folder)
    os.chdir(folder)
    sys.path[:] = [helper] + [entry for entry in sys.path if entry]
    import gistify_blocker
    sys.path.remove(helper)
    gistify_blocker.block(names, shadow)
    import pytest
    status = pytest.main(args + ["--rootdir", folder, os.path.basename(source) + "::" + test])
finally:
    shutil.rmtree(folder, ignore_errors=True)
sys.exit(int(status))
`;
}

/** Small programs that stand first on the PATH. */
function programs(input: WorkspaceInput, bin: string): ReadonlyMap<string, string> {
  const { options, task, codebase, graphFile, traceText, pythonPath, sandbox } = input;
  const separator = sandbox.kind === 'local' ? delimiter : ':';
  const python = quoted(task.python);
  const out = new Map<string, string>();
  if (options.execution === 'bash' || options.execution === 'on') {
    for (const name of ['python', 'python3']) out.set(name, `exec ${python} "$@"`);
    for (const name of ['pytest', 'py.test']) out.set(name, `exec ${python} -m pytest "$@"`);
  } else {
    for (const name of pythonPrograms) out.set(name, `echo ${quoted(refusal)}\nexit ${refusedStatus}`);
  }
  if (options.execution === 'edit' || options.execution === 'on') {
    const outside = withoutCodebase(pythonPath, codebase).join(separator);
    out.set(runGistCommand, `PYTHONPATH=${quoted(outside)} exec ${python} ${quoted(`${bin}/run_gist.py`)}`);
  }
  if (graphFile !== null)
    out.set(
      'search_graph',
      `awk -v name="$1" '/^\\001/ { on = ($0 == "\\001" name); next } on { found = 1; print } END { exit !found }' ${quoted(graphFile)} || { echo "The codebase defines nothing called $1."; exit 1; }`,
    );
  if (traceText !== null) out.set('gold_trace', `cat ${quoted(`${bin}/gold_trace.txt`)}`);
  return out;
}

/** Copies the codebase and makes it ready for the tools. */
export async function makeWorkspace(input: WorkspaceInput, signal: AbortSignal): Promise<Workspace> {
  const { sandbox, task, codebase, options, env, traceText, pythonPath } = input;
  const base = await sandbox.folder('agent');
  const root = `${base}/${basename(task.repo)}`;
  const skip = new Set([...leftBehind, ...(await secretNames(task.repo))]);
  await sandbox.copy(codebase, root, { skip, only: null });
  const [bin, staging, home] = [`${base}/.bin`, `${base}/.staging`, `${base}/.home`];
  const make = async (...argv: readonly string[]): Promise<void> => {
    const { status, stderr } = await sandbox.run({ argv, cwd: base, env, timeout: 60 }, signal);
    if (status !== 0) throw new GistifyError('internal', `${argv.join(' ')}: ${stderr.trim()}`);
  };
  await make('mkdir', bin, staging, home);
  const scripts = programs(input, bin);
  for (const [name, script] of scripts) await sandbox.write(`${bin}/${name}`, `#!/bin/sh\n${script}\n`);
  await make('chmod', '755', ...[...scripts.keys()].map((name) => `${bin}/${name}`));
  await sandbox.write(`${bin}/run_gist.py`, runGistProgram(input));
  if (traceText !== null) await sandbox.write(`${bin}/gold_trace.txt`, traceText);
  const separator = sandbox.kind === 'local' ? delimiter : ':';
  const inCopy = pythonPath.map((entry) =>
    withoutCodebase([entry], codebase).length > 0 ? entry : root + entry.slice(codebase.length),
  );
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => harmless.test(name)));
  return {
    sandbox,
    root,
    staging,
    timeout: options.stepSeconds,
    env: {
      ...kept,
      ...{ HOME: home, PAGER: 'cat', TERM: 'dumb', PYTHONDONTWRITEBYTECODE: '1', PYTHONHASHSEED: '0' },
      PATH: `${bin}${separator}${env['PATH'] ?? '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'}`,
      ...(inCopy.length > 0 ? { PYTHONPATH: inCopy.join(separator) } : {}),
    },
  };
}

/** The graph as one text that a shell can search: a line `\x01name` before the neighbourhood of each name. */
export function graphText(names: readonly string[], around: (name: string) => string | null): string {
  return names.map((name) => `\u0001${name}\n${around(name) ?? ''}\n`).join('');
}
