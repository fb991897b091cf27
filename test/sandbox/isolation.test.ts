// Commands that try to get out of a container flow in; what they were able to do there is compared with what they may.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, readdir, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultIsolation, type Isolation } from '../../src/model/task.js';
import { openContainer } from '../../src/sandbox/containerSandbox.js';
import { openSandbox } from '../../src/sandbox/openSandbox.js';
import type { OpenedSandbox } from '../../src/sandbox/sandbox.js';
import { environment, testEngine, testImage } from './testEngine.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { engine, reason } = await testEngine();
let repo = '';

beforeAll(async () => {
  repo = await realpath(await mkdtemp(path.join(os.tmpdir(), 'gistify-test-')));
  await cp(path.join(root, 'sample'), repo, { recursive: true });
});

afterAll(async () => {
  await rm(repo, { recursive: true, force: true });
});

async function open(isolation: Partial<Isolation> = {}): Promise<OpenedSandbox> {
  return openSandbox({
    ...{ sandbox: `docker:${testImage}`, repo, python: '', nodeId: '', cwd: repo },
    installation: path.join(root, 'dist'),
    isolation: { ...defaultIsolation, ...isolation },
    env: { ...environment(), HOST_SECRET: 'seen', TZ: 'Asia/Tokyo', GIVEN: 'yes' },
    host: { signal: new AbortController().signal, progress: () => undefined, log: () => undefined },
  });
}

interface Attempt {
  readonly name: string;
  readonly code: string;
  readonly expected: string;
  readonly isolation?: Partial<Isolation>;
}

const attempts: readonly Attempt[] = [
  {
    name: 'the codebase is read-only',
    code: "try:\n    open('shop/new.py', 'w')\nexcept OSError as e:\n    print(e.errno)",
    expected: '30',
  },
  {
    name: 'there is no network but the own',
    code: 'import os; print(sorted(os.listdir("/sys/class/net")))',
    expected: "['lo']",
  },
  {
    name: 'of the environment only what is named, and what changes Python',
    code: 'import os; print([os.environ.get(n) for n in ("HOST_SECRET", "GIVEN", "OTHER", "TZ")])',
    expected: "[None, 'yes', 'value', 'Asia/Tokyo']",
    isolation: { variables: ['GIVEN', 'OTHER=value'] },
  },
  {
    name: 'no privileges can be gained, and hardly any are there',
    code: 'import re; s = open("/proc/self/status").read(); print(re.findall(r"(?:CapEff|NoNewPrivs):\\s*(\\w+)", s))',
    expected: "['0000000000000002', '1']",
  },
  {
    name: 'processes are counted',
    code: [
      'import os, time',
      'made = 0',
      'try:',
      '    while made < 100:',
      '        if os.fork() == 0:',
      '            time.sleep(60)',
      '        made += 1',
      'except BlockingIOError:',
      '    print("stopped below", 40 if made < 40 else made)',
    ].join('\n'),
    expected: 'stopped below 40',
    isolation: { processes: 40 },
  },
  {
    name: 'what is written is private',
    code: 'import os, tempfile; print(tempfile.gettempdir(), [n for n in os.listdir("/tmp") if not n.startswith("gistify-")])',
    expected: '/tmp []',
  },
];

describe.skipIf(engine === null)(`a container${reason === '' ? '' : ` (skipped: ${reason})`}`, () => {
  it.each(attempts)('$name', async ({ code, expected, isolation }) => {
    const { sandbox, python, env } = await open(isolation);
    try {
      const command = { argv: [python, '-c', code], cwd: sandbox.inside(repo) ?? '', env, timeout: 30 };
      const ended = await sandbox.run(command, new AbortController().signal);
      expect(`${ended.stdout}${ended.stderr}`.trim()).toBe(expected);
    } finally {
      await sandbox.dispose();
    }
  });

  it('bounds memory, and says so', async () => {
    const { sandbox, python, env } = await open({ memory: 128 * 1024 ** 2 });
    const argv = [python, '-c', 'x = bytearray(512 << 20)'];
    const ended = await sandbox.run(
      { argv, cwd: sandbox.inside(repo) ?? '', env, timeout: 30 },
      new AbortController().signal,
    );
    await sandbox.dispose();
    expect(ended).toMatchObject({ status: 137 });
    expect(ended.note).toContain('--memory');
  });

  it('bounds time, and what a command leaves behind ends with it', async () => {
    const { sandbox, python, env } = await open();
    const detached =
      'import os, sys, time\nif os.fork() == 0:\n    os.setsid()\n    open("/tmp/left", "w").close()\ntime.sleep(60)';
    const command = { argv: [python, '-c', detached], cwd: sandbox.inside(repo) ?? '', env, timeout: 1 };
    const ended = await sandbox.run(command, new AbortController().signal);
    expect(ended.status).toBeNull();
    await sandbox.dispose();
    // The same container is warm now: nothing of the first run is in it.
    const next = await open();
    expect(next.words).toContain('warm');
    const look =
      'import os; print([open("/proc/%s/cmdline" % p).read()[:40] for p in os.listdir("/proc") if p.isdigit()], os.listdir("/tmp"))';
    const seen = await next.sandbox.run(
      { argv: [next.python, '-c', look], cwd: '/', env, timeout: 30 },
      new AbortController().signal,
    );
    await next.sandbox.dispose();
    expect(seen.stdout).not.toContain('left');
    expect(seen.stdout).not.toContain('time.sleep');
  });

  it('is thrown away where a run has changed it', async () => {
    const first = await open();
    const argv = [first.python, '-c', 'open("/opt/changed", "w").close()'];
    await first.sandbox.run({ argv, cwd: '/', env: first.env, timeout: 30 }, new AbortController().signal);
    await first.sandbox.dispose();
    const second = await open();
    await second.sandbox.dispose();
    expect(second.words).not.toContain('warm');
  });

  it('takes the codebase as an archive where the engine does not see this disk', async () => {
    if (engine === null) throw new Error('no engine');
    const { Id } = await engine.docker.getImage(testImage).inspect();
    const { sandbox, python, env } = await openContainer({
      engine,
      plan: {
        ...{ kind: 'docker', image: Id, user: '', root: true, mounts: [], network: 'none' },
        codebase: { repo, root: '/workspaces/shop', copied: 'once' },
        isolation: defaultIsolation,
      },
      ...{ python: '', variables: {}, helper: path.join(root, 'dist/sandbox') },
      signal: new AbortController().signal,
    });
    const code =
      'import os\nprint(sorted(os.listdir(".")))\ntry:\n    open("shop/new.py", "w")\nexcept OSError as e:\n    print(e.errno)';
    const command = { argv: [python, '-c', code], cwd: sandbox.inside(repo) ?? '', env, timeout: 30 };
    const ended = await sandbox.run(command, new AbortController().signal);
    await sandbox.dispose();
    const names = (await readdir(repo)).toSorted().map((name) => `'${name}'`);
    expect(ended.stdout.trim()).toBe(`[${names.join(', ')}]\n13`);
  });
});

describe('a process of this machine', () => {
  it('loses what it started, also what left its group', async () => {
    const { stdout } = await promisify(execFile)('sh', ['-c', 'command -v python3']);
    const { sandbox, env } = await openSandbox({
      ...{ sandbox: 'local', repo, python: stdout.trim(), nodeId: '', cwd: repo, installation: '' },
      env: environment(),
      host: { signal: new AbortController().signal, progress: () => undefined, log: () => undefined },
    });
    const code =
      'import os, time, tempfile\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(60)\nelse:\n    print(tempfile.gettempdir())';
    const command = { argv: [stdout.trim(), '-c', code], cwd: sandbox.inside(repo) ?? '', env, timeout: 30 };
    const ended = await sandbox.run(command, new AbortController().signal);
    const temporary = ended.stdout.trim();
    expect(temporary).toContain('gistify-');
    await sandbox.dispose();
    expect(await holders(temporary)).toEqual([]);
    await expect(readdir(temporary)).rejects.toThrow('ENOENT');
  });

  it('does not see credentials, and says which', async () => {
    const log: string[] = [];
    const { env, sandbox } = await openSandbox({
      ...{ sandbox: 'local', repo, python: '', nodeId: '', cwd: repo, installation: '' },
      isolation: { ...defaultIsolation, variables: ['KEPT_TOKEN'] },
      env: { PATH: environment()['PATH'] ?? '', GITHUB_TOKEN: 'x', KEPT_TOKEN: 'y', TOKENIZER: 'z' },
      host: {
        signal: new AbortController().signal,
        progress: () => undefined,
        log: (line) => log.push(line),
      },
    });
    await sandbox.dispose();
    expect(env).toMatchObject({ KEPT_TOKEN: 'y', TOKENIZER: 'z' });
    expect(env).not.toHaveProperty('GITHUB_TOKEN');
    expect(log.join('\n')).toContain('GITHUB_TOKEN');
  });
});

/** Processes whose environment holds the words; only Linux tells. */
async function holders(words: string): Promise<readonly string[]> {
  if (process.platform !== 'linux') return [];
  const found: string[] = [];
  for (const pid of await readdir('/proc')) {
    const text = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
    if (text.includes(words)) found.push(pid);
  }
  return found;
}
