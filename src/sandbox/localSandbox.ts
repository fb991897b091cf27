// Commands run as child processes of a process group of their own; a cancel, a time-out or the end of this process
// kills the whole group, and every temporary folder goes with `dispose`.
import { spawn } from 'node:child_process';
import { copyFile, cp, link, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { GistifyError } from '../base/gistifyError.js';
import { createInterface } from 'node:readline';
import type { Command, Conversation, CopyOptions, Ended, Listener, OpenedSandbox, Sandbox } from './sandbox.js';
import type { SandboxRequest } from './sandboxRequest.js';

const outputLimit = 1 << 20;

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}

function runLocal(command: Command, signal: AbortSignal, groups: Set<number>): Promise<Ended> {
  const [program, ...args] = command.argv;
  if (program === undefined) throw new GistifyError('internal', 'an empty command');
  signal.throwIfAborted();
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: command.cwd,
      env: command.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const out: string[] = ['', ''];
    const collect = (i: 0 | 1) => (chunk: string) => {
      out[i] = ((out[i] ?? '') + chunk).slice(-outputLimit);
    };
    child.stdout.setEncoding('utf8').on('data', collect(0));
    child.stderr.setEncoding('utf8').on('data', collect(1));
    let late = false;
    const stop = () => {
      if (child.pid !== undefined) killGroup(child.pid);
    };
    const timer = setTimeout(() => {
      late = true;
      stop();
    }, command.timeout * 1000);
    signal.addEventListener('abort', stop, { once: true });
    if (child.pid !== undefined) groups.add(child.pid);
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
    child.on('exit', (code, killedBy) => {
      settle();
      const finish = () => {
        if (signal.aborted) reject(signal.reason as Error);
        else {
          const status = late ? null : killedBy === null ? code : 128 + (signalNumbers[killedBy] ?? 0);
          resolve({
            status,
            stdout: out[0] ?? '',
            stderr: out[1] ?? '',
            seconds: (performance.now() - start) / 1000,
            note: '',
          });
        }
      };
      if (child.stdout.closed && child.stderr.closed) finish();
      else child.on('close', finish);
    });
  });
}

function converseLocal(command: Command, listener: Listener, groups: Set<number>): Conversation {
  const [program, ...args] = command.argv;
  if (program === undefined) throw new GistifyError('internal', 'an empty command');
  const child = spawn(program, args, {
    cwd: command.cwd,
    env: command.env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
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

async function copyTree(from: string, to: string, { skip, only }: CopyOptions): Promise<void> {
  if (only === null) {
    const filter = (source: string) => source === from || !skip.has(basename(source));
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

/** Opens the sandbox on this machine; `why` says why it is this one, where that was decided here. */
export async function openLocal({ python, env }: SandboxRequest, why: string): Promise<OpenedSandbox> {
  const words = `a process of this machine${why === '' ? '' : ` (${why})`}`;
  return Promise.resolve({ sandbox: createLocalSandbox(), python, env, words });
}

/** A sandbox on this machine: process groups and private temporary folders, no isolation beyond that. */
export function createLocalSandbox(): Sandbox {
  const folders: string[] = [];
  const groups = new Set<number>();
  const atExit = () => {
    for (const pid of groups) killGroup(pid);
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  };
  process.on('exit', atExit);
  return {
    kind: 'local',
    inside: (path) => path,
    outside: (text) => text,
    bring: (folder) => Promise.resolve(folder),
    async folder(prefix) {
      const folder = await mkdtemp(join(tmpdir(), `gistify-${prefix}-`));
      folders.push(folder);
      return folder;
    },
    write: (file, text) => writeFile(file, text),
    read: (file) => readFile(file, 'utf8').catch(() => null),
    copy: copyTree,
    run: (command, signal) => runLocal(command, signal, groups),
    converse: (command, listener) => converseLocal(command, listener, groups),
    async dispose() {
      for (const pid of groups) killGroup(pid);
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
      folders.length = 0;
      process.off('exit', atExit);
    },
  };
}
