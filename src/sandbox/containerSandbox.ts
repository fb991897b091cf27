// A plan flows in, a sandbox in a throw-away container flows out: the codebase read-only, no network, bounded memory
// and processes, nothing of this machine's environment but what is named. Whatever ends this process ends the runs.
import { readFile, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { GistifyError } from '../base/gistifyError.js';
import { engineFault, type ContainerEngine } from './containerEngine.js';
import type { ContainerPlan } from './containerPlan.js';
import { acquire, discard, release, type HeldContainer } from './containerPool.js';
import { InsideFault, openChannel, type InsideChannel } from './insideChannel.js';
import type { Command, Ended, OpenedSandbox, Sandbox } from './sandbox.js';

export interface ContainerRequest {
  readonly engine: ContainerEngine;
  readonly plan: ContainerPlan;
  /** '' for the one that is found there. */
  readonly python: string;
  /** The environment that commands get beside the container's own. */
  readonly variables: Readonly<Record<string, string>>;
  /** Folder of `gistify_inside.py`. */
  readonly helper: string;
  readonly signal: AbortSignal;
}

/** How long the inside may take to end a command whose time is over. */
const grace = 15_000;

/** The first interpreter that runs carries on with the program; 127 where there is none. */
const findPython = `program=$1; repo=$2; shift 2
[ $# -gt 0 ] || set -- "\${VIRTUAL_ENV:+$VIRTUAL_ENV/bin/python}" "$repo/.venv/bin/python" "$repo/venv/bin/python" python3 python
for python in "$@"; do
  [ -n "$python" ] || continue
  found=$(command -v "$python" 2>/dev/null) || continue
  "$found" -I -S -c 'import sys; sys.exit(sys.version_info < (3, 8))' 2>/dev/null || continue
  exec "$found" -I -S -u -c "$program"
done
exit 127`;

/** Starts or reuses a container for the plan. */
export async function openContainer(request: ContainerRequest): Promise<OpenedSandbox> {
  const { engine, plan, signal } = request;
  signal.throwIfAborted();
  let held = await acquire(engine, plan);
  const stop = () => void discard(held.container).catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  let channel: InsideChannel;
  try {
    try {
      channel = await enter(request, held);
    } catch (error) {
      // A warm container may have ended itself between being found and being entered.
      if (!held.warm || signal.aborted) throw error;
      await discard(held.container);
      held = await acquire(engine, plan);
      channel = await enter(request, held);
    }
  } catch (error) {
    signal.removeEventListener('abort', stop);
    await discard(held.container);
    signal.throwIfAborted();
    throw engineFault(error, engine.endpoint, 'entering the container');
  }
  signal.removeEventListener('abort', stop);
  const sandbox = createContainerSandbox(request, held, channel);
  const { hello } = channel;
  return {
    sandbox,
    python: hello.python,
    env: { ...hello.environment, ...request.variables },
    isLocal: false,
    offline: plan.network === 'none',
    words: `${held.warm ? 'warm ' : ''}container of ${engine.name}`,
  };
}

async function enter(
  { engine, plan, python, helper, variables }: ContainerRequest,
  { container }: HeldContainer,
): Promise<InsideChannel> {
  const program = await readFile(join(helper, 'gistify_inside.py'), 'utf8');
  const exec = await container.exec({
    Cmd: ['/bin/sh', '-c', findPython, 'sh', program, plan.codebase.root, ...(python === '' ? [] : [python])],
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
    WorkingDir: '/',
    ...(plan.user === '' ? {} : { User: plan.user }),
    Env: Object.entries(variables).map(([name, value]) => `${name}=${value}`),
  });
  const stream = await exec.start({ hijack: true, stdin: true });
  const { PassThrough } = await import('node:stream');
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  engine.docker.modem.demuxStream(stream, stdout, stderr);
  try {
    return await openChannel(stream, stdout, stderr);
  } catch (error) {
    const { ExitCode } = await exec.inspect().catch(() => ({ ExitCode: null }));
    const words = error instanceof Error ? error.message : String(error);
    if (ExitCode === 127)
      throw new GistifyError(
        'python-not-found',
        python === ''
          ? 'the container has no Python 3.8 or newer'
          : `the container has no interpreter ${python} of Python 3.8 or newer`,
        'Add Python to the image, name its place with --python, or run again with --allow install: Python and pytest are then added in a throw-away layer.',
        words === 'the connection ended' ? '' : words,
      );
    if (/exec format error/i.test(words))
      throw engineFault({ statusCode: 500, message: words }, engine.endpoint);
    throw new GistifyError(
      'engine-failed',
      `the container could not be entered${ExitCode === null ? '' : ` (status ${String(ExitCode)})`}`,
      'The image needs a shell at /bin/sh. Run on this machine with --sandbox local, or choose another image.',
      words,
    );
  }
}

function createContainerSandbox(
  { engine, plan, signal }: ContainerRequest,
  held: HeldContainer,
  channel: InsideChannel,
): Sandbox {
  const { repo, root } = plan.codebase;
  let clean = true;
  // A cancel must not wait for answers: what runs in the container ends with it.
  const cancel = () => {
    clean = false;
    void discard(held.container).catch(() => undefined);
  };
  signal.addEventListener('abort', cancel, { once: true });
  const ask = async <T>(op: string, parameters: Readonly<Record<string, unknown>>): Promise<T> => {
    signal.throwIfAborted();
    try {
      return (await channel.request(op, parameters)) as T;
    } catch (error) {
      clean = false;
      signal.throwIfAborted();
      throw insideFault(error, engine);
    }
  };
  const sandbox: Sandbox = {
    kind: plan.kind,
    inside(path) {
      const within = relative(repo, path);
      if (within === '') return root;
      if (within === '..' || within.startsWith(`..${sep}`)) return null;
      return `${root}/${within.split(sep).join('/')}`;
    },
    outside: (text) => (root === repo ? text : text.replaceAll(pathPattern(root), repo)),
    async bring(folder) {
      const target = await sandbox.folder('helper');
      for (const name of await readdir(folder))
        if (name.endsWith('.py'))
          await sandbox.write(`${target}/${name}`, await readFile(join(folder, name), 'utf8'));
      return target;
    },
    folder: (prefix) => ask('folder', { prefix }),
    write: (file, text) => ask('write', { file, text }),
    read: (file) => ask('read', { file }),
    copy: (from, to, { skip, only }) => ask('copy', { from, to, skip: [...skip], only }),
    run: (command, aborted) => run(command, aborted, ask, cancel, plan),
    async dispose() {
      signal.removeEventListener('abort', cancel);
      if (clean) {
        const left = (await channel.request('clear', {}).catch(() => null)) as {
          files: number;
          processes: number;
        } | null;
        clean = left?.files === 0 && left.processes === 0 && channel.hello.temporary.length === 0;
      }
      channel.end();
      await release(held, plan, clean);
    },
  };
  return sandbox;
}

/** A path as a whole: not as the beginning of a longer name. */
function pathPattern(path: string): RegExp {
  const literal = path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(String.raw`${literal}(?![\w.-])`, 'g');
}

async function run(
  { argv, cwd, env, timeout }: Command,
  signal: AbortSignal,
  ask: <T>(op: string, parameters: Readonly<Record<string, unknown>>) => Promise<T>,
  cancel: () => void,
  plan: ContainerPlan,
): Promise<Ended> {
  signal.throwIfAborted();
  signal.addEventListener('abort', cancel, { once: true });
  const started = performance.now();
  const over = new AbortController();
  const timer = setTimeout(
    () => {
      over.abort();
      cancel();
    },
    timeout * 1000 + grace,
  );
  try {
    const ended = await ask<Omit<Ended, 'note'> & { readonly outOfMemory: boolean }>('run', {
      argv,
      cwd,
      env,
      timeout,
    });
    return { ...ended, note: ended.outOfMemory ? memoryNote(plan) : '' };
  } catch (error) {
    if (!over.signal.aborted) throw error;
    return { status: null, stdout: '', stderr: '', seconds: (performance.now() - started) / 1000, note: '' };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

function memoryNote({ isolation }: ContainerPlan): string {
  const gigabytes = (isolation.memory / 1024 ** 3).toFixed(1);
  return `It needed more memory than the ${gigabytes} GB that the sandbox gives: allow more with --memory.`;
}

const diskFull = 28;

function insideFault(error: unknown, { endpoint }: ContainerEngine): unknown {
  if (error instanceof InsideFault)
    return error.errno === diskFull
      ? new GistifyError(
          'disk-full',
          'the private folder of the sandbox is full',
          'It takes half of the memory that the sandbox gives: allow more with --memory.',
          error.message,
        )
      : new GistifyError('engine-failed', 'the sandbox could not do what the run needs', '', error.message);
  const words = error instanceof Error ? error.message : String(error);
  return new GistifyError(
    'engine-failed',
    'the container ended in the middle of the run',
    `See whether the engine at ${endpoint.host} still answers (docker ps), then run again; nothing of this run is left behind.`,
    words,
  );
}
