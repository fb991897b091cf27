// Engines, images and dev containers that cannot be used flow in; each fault names its cause and what to do next.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GistifyError } from '../../src/base/gistifyError.js';
import { defaultIsolation, type SandboxChoice } from '../../src/model/task.js';
import { engineFault } from '../../src/sandbox/containerEngine.js';
import { chooseConfig, findConfigs } from '../../src/sandbox/devContainerConfig.js';
import { findEndpoint } from '../../src/sandbox/dockerEndpoint.js';
import { openSandbox } from '../../src/sandbox/openSandbox.js';
import { environment, testEngine, testImage } from './testEngine.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { engine, reason } = await testEngine();
let work = '';

beforeAll(async () => {
  work = await mkdtemp(path.join(os.tmpdir(), 'gistify-test-'));
});

afterAll(async () => {
  await rm(work, { recursive: true, force: true });
});

/** A workspace with the given files. */
async function workspace(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = path.join(work, name);
  for (const [file, text] of Object.entries({ '.git/HEAD': '', ...files })) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  return folder;
}

interface Opening {
  readonly sandbox: SandboxChoice;
  readonly repo?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly python?: string;
  readonly log?: string[];
}

async function open({ sandbox, repo = work, env = {}, python = '', log = [] }: Opening): Promise<string> {
  const opened = await openSandbox({
    ...{ sandbox, repo, python, nodeId: '', cwd: repo, installation: path.join(root, 'dist') },
    isolation: defaultIsolation,
    env: { ...environment(), ...env },
    host: {
      signal: new AbortController().signal,
      progress: () => undefined,
      log: (line) => log.push(line),
    },
  });
  await opened.sandbox.dispose();
  return opened.words;
}

async function faultOf(opening: Opening): Promise<GistifyError> {
  const fault = await open(opening).then(
    (words) => new Error(`it opened: ${words}`),
    (error: unknown) => error,
  );
  if (fault instanceof GistifyError) return fault;
  throw fault;
}

describe('the engine', () => {
  it('does not answer', async () => {
    const env = { DOCKER_HOST: `unix://${work}/no.sock` };
    const fault = await faultOf({ sandbox: 'docker:any', env });
    expect(fault).toMatchObject({ code: 'no-engine' });
    expect(fault.message).toContain('DOCKER_HOST');
    expect(fault.hint).toContain('--sandbox local');
  });

  it('may not be used', () => {
    const endpoint = { host: 'unix:///var/run/docker.sock', source: 'its usual place', tls: null };
    const refused = Object.assign(new Error('connect EACCES /var/run/docker.sock'), { code: 'EACCES' });
    expect(engineFault(refused, endpoint)).toMatchObject({ code: 'engine-permission' });
    expect(engineFault(refused, endpoint).hint).toContain('usermod -aG docker');
  });

  it.each([
    ['disk-full', 'write /var/lib/docker/tmp/x: no space left on device', 'docker system df'],
    ['image-unfit', 'exec /bin/sh: exec format error', 'emulation'],
    ['engine-failed', 'something new', 'Its own words'],
  ])('says what it refuses: %s', async (code, said, hint) => {
    // An engine's own words over its own protocol, for what cannot be brought about here.
    const server = createServer((request, response) => {
      const version = request.url?.endsWith('/version') === true;
      response.statusCode = version ? 200 : 500;
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(version ? { Version: '1', Arch: 'amd64' } : { message: said }));
    });
    const socket = path.join(work, `${code}.sock`);
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    try {
      const fault = await faultOf({ sandbox: 'docker:any', env: { DOCKER_HOST: `unix://${socket}` } });
      expect(fault).toMatchObject({ code });
      expect(fault.details).toContain(said);
      expect(fault.hint).toContain(hint);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('is found as the docker command finds it', async () => {
    const id = createHash('sha256').update('far').digest('hex');
    const home = await workspace('home', {
      '.docker/config.json': '{"currentContext": "far"}',
      [`.docker/contexts/meta/${id}/meta.json`]:
        '{"Name": "far", "Endpoints": {"docker": {"Host": "ssh://me@far"}}}',
    });
    expect(findEndpoint({}, home)).toMatchObject({ host: 'ssh://me@far' });
    expect(findEndpoint({ DOCKER_HOST: 'tcp://h:1' }, home)).toMatchObject({ host: 'tcp://h:1' });
    expect(() => findEndpoint({ DOCKER_CONTEXT: 'none' }, home)).toThrow('there is no such context');
  });
});

describe('dev containers', () => {
  it('are found in all three places, with comments and trailing commas', async () => {
    const repo = await workspace('three', {
      '.devcontainer/devcontainer.json': '{ // one\n "name": "One", }',
      '.devcontainer.json': '{"initializeCommand": "make"}',
      '.devcontainer/b/devcontainer.json': '{"remoteEnv": {"A": "${localEnv:A}", "B": "b"}}',
      'pkg/x.py': '',
    });
    const found = findConfigs(path.join(repo, 'pkg'));
    expect(found.map(({ names }) => names[0])).toEqual(['One', '.devcontainer.json', 'b']);
    expect(found.map(({ initialize }) => initialize)).toEqual([false, true, false]);
    expect(found[2]?.fromHost).toEqual(['A']);
    expect(chooseConfig(repo, found, 'b').file).toContain('/b/');
    expect(() => chooseConfig(repo, found, '')).toThrow('3 dev container configurations');
  });

  it('that are no JSON are named with the line', async () => {
    const repo = await workspace('broken', { '.devcontainer.json': '{\n"a" 1}' });
    expect(() => findConfigs(repo)).toThrow('line 2');
  });

  it('are not taken where there is none, no engine answers, or this is one', async () => {
    const plain = await workspace('plain', {});
    const repo = await workspace('one', { '.devcontainer.json': `{"image": "${testImage}"}` });
    const none = { DOCKER_HOST: `unix://${work}/no.sock` };
    expect(await open({ sandbox: 'auto', repo: plain })).toContain('has no dev container');
    expect(await open({ sandbox: 'auto', repo, env: none })).toContain('no container engine answers');
    expect(await open({ sandbox: 'auto', repo, env: { REMOTE_CONTAINERS: 'true' } })).toContain('already');
  });
});

describe.skipIf(engine === null)(`with an engine${reason === '' ? '' : ` (skipped: ${reason})`}`, () => {
  it('an image is missing and cannot be fetched', async () => {
    const fault = await faultOf({ sandbox: 'docker:localhost:9/no/such:image' });
    expect(fault).toMatchObject({ code: 'image-missing' });
    expect(fault.hint).toContain('docker pull');
  });

  it('an interpreter is missing', async () => {
    const fault = await faultOf({ sandbox: `docker:${testImage}`, python: '/no/python' });
    expect(fault).toMatchObject({ code: 'python-not-found' });
    expect(fault.hint).toContain('--allow install');
  });

  it('initializeCommand is asked for first', async () => {
    const repo = await workspace('init', {
      '.devcontainer.json': `{"image": "${testImage}", "initializeCommand": "touch made"}`,
    });
    const fault = await faultOf({ sandbox: 'devcontainer', repo });
    expect(fault).toMatchObject({ code: 'not-allowed' });
    expect(fault.hint).toContain('--allow initialize-command');
  });

  it('a build that fails shows its last lines', async () => {
    const repo = await workspace('build', {
      '.devcontainer/devcontainer.json': '{"build": {"dockerfile": "Dockerfile"}}',
      '.devcontainer/Dockerfile': `FROM ${testImage}\nRUN echo the reason && exit 3\n`,
    });
    const fault = await faultOf({ sandbox: 'devcontainer', repo });
    expect(fault).toMatchObject({ code: 'build-failed' });
    expect(fault.details).toContain('the reason');
  });

  it('a dev container is brought up, prepared and thrown away', async () => {
    const repo = await workspace('up', {
      '.devcontainer/devcontainer.json': JSON.stringify({
        image: testImage,
        runArgs: ['--network=none'],
        workspaceMount: 'source=${localWorkspaceFolder},target=/code/up,type=bind',
        workspaceFolder: '/code/up',
        containerEnv: { ONE: '1', SECRET: '${localEnv:HOME}' },
        remoteEnv: { TWO: '${containerEnv:ONE}2' },
        postCreateCommand: 'echo ready > /opt/made',
      }),
      'a.py': 'print(1)\n',
    });
    const opened = await openSandbox({
      ...{ sandbox: 'auto', repo, python: '', nodeId: 'a.py::x', cwd: repo },
      installation: path.join(root, 'dist'),
      env: environment(),
      host: { signal: new AbortController().signal, progress: () => undefined, log: () => undefined },
    });
    const { sandbox, python, env } = opened;
    try {
      expect(opened.words).toContain('dev container');
      expect(sandbox.inside(path.join(repo, 'a.py'))).toBe('/code/up/a.py');
      expect(sandbox.outside('at /code/up/a.py:1, not /code/upper')).toBe(
        `at ${repo}/a.py:1, not /code/upper`,
      );
      const code =
        'import os; print(open("/opt/made").read().strip(), *map(os.environ.get, ["ONE", "TWO", "SECRET"]))';
      const command = { argv: [python, '-c', code], cwd: '/code/up', env, timeout: 30 };
      const ended = await sandbox.run(command, new AbortController().signal);
      expect(`${ended.stdout}${ended.stderr}`.trim()).toBe('ready 1 12');
    } finally {
      await sandbox.dispose();
      const made = await engine?.docker.listContainers({
        all: true,
        filters: { label: [`devcontainer.local_folder=${repo}`] },
      });
      for (const { Id } of made ?? []) await engine?.docker.getContainer(Id).remove({ force: true });
    }
  });
});
