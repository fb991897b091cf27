// Commands run as child processes of a process group of their own, with limits; a cancel, a time-out or the end of this
// process, however it comes, kills the whole group. All files are in one private folder, which goes with `dispose`.
import { spawn, type ChildProcess } from 'node:child_process';
import {
  access,
  constants,
  copyFile,
  cp,
  link,
  lstat,
  mkdir,
  readFile,
  readdir,
  rm,
  writeFile,
} from 'node:fs/promises';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { GistifyError } from '../base/gistifyError.js';
import { createInterface } from 'node:readline';
import { killHolders, privateName } from './leftovers.js';
import type { Command, Conversation, CopyOptions, Ended, Listener, Prepared, Sandbox } from './sandbox.js';

const outputLimit = 1 << 20;
/** Milliseconds for output that is still under way when a command has ended. */
const patience = 1000;

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}

const windows = process.platform === 'win32';

/**
 * Waits beside the command for the end of this process, and then kills the group; the command is no parent of what
 * waits and does not see it. Then the limits: no core files, no run-away, no file beyond four gigabytes.
 */
const guarded = `( { read _; kill -9 -$$; } <&3 >/dev/null 2>&1 & )
exec 3<&-
ulimit -c 0 2>/dev/null; ulimit -t "$1" 2>/dev/null; ulimit -f 8388608 2>/dev/null
shift
exec "$@"`;

function wrapped(argv: readonly string[], seconds: number | null): readonly string[] {
  if (windows) return argv;
  return ['/bin/sh', '-c', guarded, 'sh', seconds === null ? 'unlimited' : String(seconds), ...argv];
}

/** Collects the last part of what a stream gives, however much that is. */
function keepEnd(stream: Readable): () => string {
  let chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size <= 2 * outputLimit) return;
    chunks = [Buffer.concat(chunks).subarray(-outputLimit)];
    size = outputLimit;
  });
  return () => Buffer.concat(chunks).subarray(-outputLimit).toString('utf8');
}

function start(command: Command, stdin: 'ignore' | 'pipe', groups: Set<number>): ChildProcess {
  const [program, ...args] = wrapped(command.argv, Math.ceil(command.timeout * availableParallelism()) + 10);
  if (program === undefined) throw new GistifyError('internal', 'an empty command');
  const child = spawn(program, args, {
    cwd: command.cwd,
    env: command.env,
    detached: true,
    stdio: [stdin, 'pipe', 'pipe', 'pipe'],
  });
  if (child.pid !== undefined) groups.add(child.pid);
  return child;
}

/** A process that is ready to go on is there at once; one that could not be started says so when it is asked to. */
function prepareLocal(command: Command, groups: Set<number>): Prepared {
  const child = start(command, 'pipe', groups);
  const early = new Promise<Error>((resolve) => child.once('error', resolve));
  // What is sent to a process that has just ended is lost, and its end is told.
  child.stdin?.on('error', () => undefined);
  return {
    async run(line, signal) {
      signal.throwIfAborted();
      if (child.pid === undefined) throw await early;
      child.stdin?.end(`${line}\n`);
      return followed(child, command.timeout, signal, groups);
    },
  };
}

function runLocal(command: Command, signal: AbortSignal, groups: Set<number>): Promise<Ended> {
  signal.throwIfAborted();
  return followed(start(command, 'ignore', groups), command.timeout, signal, groups);
}

/** The end of a process that was just started or has just got its work. */
function followed(
  child: ChildProcess,
  timeout: number,
  signal: AbortSignal,
  groups: Set<number>,
): Promise<Ended> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    if (child.stdout === null || child.stderr === null) throw new GistifyError('internal', 'no pipes');
    const { stdout, stderr } = child;
    const [out, err] = [keepEnd(stdout), keepEnd(stderr)];
    let late = false;
    const stop = () => {
      if (child.pid !== undefined) killGroup(child.pid);
    };
    const timer = setTimeout(() => {
      late = true;
      stop();
    }, timeout * 1000);
    signal.addEventListener('abort', stop, { once: true });
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      // Children that outlive the command belong to the same group and go with it.
      if (child.pid !== undefined) {
        killGroup(child.pid);
        groups.delete(child.pid);
      }
    };
    child.on('error', (error) => {
      settle();
      reject(error);
    });
    const ended = (code: number | null, killedBy: NodeJS.Signals | null) => {
      settle();
      const finish = () => {
        if (signal.aborted) reject(signal.reason as Error);
        else {
          const status = late ? null : killedBy === null ? code : 128 + (signalNumbers[killedBy] ?? 0);
          resolve({
            status,
            stdout: out(),
            stderr: err(),
            seconds: (performance.now() - start) / 1000,
            note: '',
          });
        }
      };
      if (stdout.closed && stderr.closed) finish();
      else {
        // What left the group may hold the pipes open.
        const timer = setTimeout(finish, patience);
        child.on('close', () => {
          clearTimeout(timer);
          finish();
        });
      }
    };
    if (child.exitCode === null && child.signalCode === null) child.on('exit', ended);
    else ended(child.exitCode, child.signalCode);
  });
}

function converseLocal(command: Command, listener: Listener, groups: Set<number>): Conversation {
  const [program, ...args] = wrapped(command.argv, null);
  if (program === undefined) throw new GistifyError('internal', 'an empty command');
  const child = spawn(program, args, {
    cwd: command.cwd,
    env: command.env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  if (child.pid !== undefined) groups.add(child.pid);
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    words = (words + chunk).slice(-10_000);
  });
  createInterface(child.stdout).on('line', listener.line);
  // What is sent to a process that has just ended is lost, and its end is told.
  child.stdin.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      if (child.pid !== undefined) {
        killGroup(child.pid);
        groups.delete(child.pid);
      }
      listener.end(words);
      resolve();
    };
    child.once('error', end).once('exit', end);
  });
  return {
    send: (line) => void child.stdin.write(`${line}\n`),
    async close() {
      child.stdin.end();
      const late = setTimeout(() => {
        if (child.pid !== undefined) killGroup(child.pid);
      }, 1000);
      await ended;
      clearTimeout(late);
    },
  };
}

const signalNumbers: Partial<Record<NodeJS.Signals, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGTERM: 15,
};

/** Pipes, sockets and what may not be read stay behind. */
async function isCopied(source: string): Promise<boolean> {
  const stat = await lstat(source);
  if (stat.isSymbolicLink()) return true;
  if (!stat.isFile() && !stat.isDirectory()) return false;
  return access(source, constants.R_OK).then(
    () => true,
    () => false,
  );
}

async function copyTree(from: string, to: string, { skip, only }: CopyOptions): Promise<void> {
  if (only === null) {
    const filter = async (source: string) =>
      source === from || (!skip.has(basename(source)) && (await isCopied(source)));
    await cp(from, to, { recursive: true, verbatimSymlinks: true, filter });
    return;
  }
  const pattern = new RegExp(only);
  const walk = async (source: string, target: string): Promise<void> => {
    for (const entry of await readdir(source, { withFileTypes: true })) {
      if (skip.has(entry.name)) continue;
      const file = join(source, entry.name);
      if (entry.isDirectory()) await walk(file, join(target, entry.name));
      else if (pattern.test(entry.name)) {
        await mkdir(target, { recursive: true });
        const copy = join(target, entry.name);
        await link(file, copy).catch(() => copyFile(file, copy));
      }
    }
  };
  await walk(from, to);
}

export interface LocalSandbox extends Sandbox {
  /** The private folder, which holds all that the sandbox writes. */
  readonly root: string;
}

/** A sandbox on this machine. `confine` puts a command into a stricter one, where there is such a thing. */
export function createLocalSandbox(
  confine: (argv: readonly string[], root: string) => readonly string[] = (argv) => argv,
): LocalSandbox {
  const root = mkdtempSync(join(tmpdir(), privateName()));
  const temporary = join(root, 't');
  mkdirSync(temporary);
  const groups = new Set<number>();
  let folders = 0;
  let disposed = false;
  const prepared = (command: Command): Command => {
    // Whoever still wants to start something when all is over would leave it behind.
    if (disposed) throw new GistifyError('internal', 'the sandbox is gone');
    return {
      ...command,
      argv: confine(command.argv, root),
      env: { ...command.env, [windows ? 'TEMP' : 'TMPDIR']: temporary },
    };
  };
  const atExit = () => {
    for (const pid of groups) killGroup(pid);
    rmSync(root, { recursive: true, force: true });
  };
  process.on('exit', atExit);
  return {
    kind: 'local',
    root,
    inside: (path) => path,
    outside: (text) => text,
    bring: (folder) => Promise.resolve(folder),
    async folder(prefix) {
      folders += 1;
      const folder = join(root, `${prefix}-${folders}`);
      await mkdir(folder);
      return folder;
    },
    write: (file, text) => writeFile(file, text),
    read: (file) => readFile(file, 'utf8').catch(() => null),
    copy: copyTree,
    run(command, signal) {
      return runLocal(prepared(command), signal, groups);
    },
    prepare: (command) => prepareLocal(prepared(command), groups),
    converse(command, listener) {
      return converseLocal(prepared(command), listener, groups);
    },
    async dispose() {
      disposed = true;
      for (const pid of groups) killGroup(pid);
      await killHolders([basename(root)]);
      await rm(root, { recursive: true, force: true, maxRetries: 3 });
      process.off('exit', atExit);
    },
  };
}
