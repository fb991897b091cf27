// Names of private folders flow out, which say whose they are; what dead processes have left is found by them and goes.
import { readFileSync } from 'node:fs';
import { readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Tells a process from a later one that has its number; null where there is no such process. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    if (process.platform === 'linux') return null;
  }
  try {
    process.kill(pid, 0);
    return '0';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? '0' : null;
  }
}

let own: string | null = null;

/** `<pid>-<start>` of this process. */
export function ownMark(): string {
  own ??= `${process.pid}-${startOf(process.pid) ?? '0'}`;
  return own;
}

/** Whether the process that a mark names has ended. */
export function isDead(mark: string): boolean {
  const [pid = '', start = ''] = mark.split('-');
  return startOf(Number(pid)) !== start;
}

/** The beginning of a private folder's name. */
export function privateName(): string {
  return `gistify-${ownMark()}-`;
}

/** Removes the private folders of dead processes, and first of all ends what still runs in them. */
export async function sweepFolders(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  const dead = names.filter((name) => {
    const mark = /^gistify-(\d+-\d+)-\w{6}$/.exec(name)?.[1];
    return mark !== undefined && isDead(mark);
  });
  if (dead.length === 0) return;
  await killHolders(dead);
  const gone = dead.map((name) => rm(join(tmpdir(), name), { recursive: true, force: true }));
  // Another user's folders are theirs to remove.
  await Promise.all(gone.map((removal) => removal.catch(() => undefined)));
}

/** Kills processes whose environment names one of the folders: descendants that left their group keep that. */
export async function killHolders(names: readonly string[]): Promise<void> {
  if (process.platform !== 'linux') return;
  for (let round = 0; round < 20; round += 1) {
    const found = (await readdir('/proc')).filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid);
    const holders: number[] = [];
    for (const pid of found) {
      const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
      if (names.some((name) => environment.includes(`/${name}/`))) holders.push(Number(pid));
    }
    if (holders.length === 0) return;
    for (const pid of holders) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has just ended by itself.
      }
    }
  }
}
