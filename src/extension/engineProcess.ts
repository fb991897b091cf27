// Arguments of the command line flow in, its progress and its end flow out: the engine runs as a process of its own,
// so that a heavy run never stalls the extension host and a cancelled one is gone whole.
import { spawn, type ChildProcess } from 'node:child_process';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { exitStatus } from '../base/gistifyError.js';
import { hostVariable, type HostMessage } from '../model/hostMessages.js';

export interface EngineHost {
  readonly signal: AbortSignal;
  progress(fraction: number, message: string): void;
  log(line: string): void;
  /** Answers what the engine asks its host: language models, keys. */
  hear(message: unknown, answer: (message: HostMessage) => void): void;
}

export interface EngineEnd {
  readonly status: number;
  /** What it said on the error stream beside its progress. */
  readonly said: readonly string[];
}

/** How long a cancelled engine may take to stop its own children before it is killed with them. */
const grace = 10_000;

/** Runs the bundled command line; resolves at its end, also where it was cancelled. */
export async function runEngine(
  cli: string,
  args: readonly string[],
  cwd: string,
  host: EngineHost,
): Promise<EngineEnd> {
  const child = spawn(process.execPath, [cli, ...args], {
    cwd,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // A group of its own, so that the last resort reaches everything in it.
    detached: process.platform !== 'win32',
  });
  const said: string[] = [];
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('the engine has no output');
  createInterface(stdout).on('line', (line) => {
    host.log(line);
  });
  createInterface(stderr).on('line', (line) => {
    const progress = /^progress (\d+(?:\.\d+)?) \S+ ?(.*)$/.exec(line);
    if (progress !== null) {
      host.progress(Number(progress[1]), progress[2] ?? '');
      return;
    }
    said.push(line);
    host.log(line);
  });
  child.on('message', (message) => {
    host.hear(message, (answer) => {
      // An engine that has ended wants no answer.
      if (child.connected) child.send(answer, () => undefined);
    });
  });
  const release = stopOn(host.signal, child);
  try {
    const status = await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => {
        resolve(code ?? exitStatus.cancelled);
      });
    });
    return { status, said };
  } finally {
    release();
  }
}

/** The user's environment as given; only what VS Code put there for its own processes is left out. */
function environment(): NodeJS.ProcessEnv {
  const given = Object.entries(process.env).filter(([name]) => !/^(VSCODE|ELECTRON)_/.test(name));
  return {
    ...Object.fromEntries(given),
    ELECTRON_RUN_AS_NODE: '1',
    GISTIFY_PROGRESS: 'lines',
    [hostVariable]: 'vscode',
  };
}

function stopOn(signal: AbortSignal, child: ChildProcess): () => void {
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    send(child, 'SIGINT');
    timer = setTimeout(() => {
      send(child, 'SIGKILL');
    }, grace);
  };
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  return () => {
    signal.removeEventListener('abort', stop);
    clearTimeout(timer);
  };
}

/** An interrupt asks the engine alone, which stops its children in order; a kill goes to the whole group. */
function send(child: ChildProcess, signal: 'SIGINT' | 'SIGKILL'): void {
  if (child.pid === undefined || child.exitCode !== null) return;
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore' });
    return;
  }
  try {
    process.kill(signal === 'SIGKILL' ? -child.pid : child.pid, signal);
  } catch {
    // It has just ended by itself.
  }
}
