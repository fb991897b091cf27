// Shards that write to one S3-compatible store, a real server: one of them is killed midway and started again.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { cp, realpath, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basePython, ensureVenv } from '../../scripts/pythonEnv.mjs';
import { finishedTasks } from '../../src/bench/runBench.js';
import type { ResultStore } from '../../src/bench/resultStore.js';
import { openStore } from '../../src/bench/openStore.js';
import { bench, reportRows, samples, startBench, until } from './benchCli.js';

const minimal = fileURLToPath(new URL('../requirements-minimal.txt', import.meta.url));
const where = 's3://results/some/run';
let work = '';
let python = '';
let server: S3rver;
let env: Record<string, string> = {};
let store: ResultStore;

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

beforeAll(async () => {
  python = await ensureVenv(minimal, await basePython());
  work = await realpath(mkdtempSync(path.join(os.tmpdir(), 'gistify-s3-')));
  await cp(path.join(samples, 'shop'), path.join(work, 'shop'), { recursive: true });
  const names = ['good', 'middling', 'poor'];
  const agents = names.map((name) => ({
    kind: 'command',
    name,
    command: [python, path.join(samples, 'agents', 'agent.py'), path.join(samples, 'agents', name)],
  }));
  writeFileSync(path.join(work, 'agents.json'), JSON.stringify({ schema: 1, agents }));
  const tests = ['test_each', 'test_price', 'test_shout'];
  const dataset = {
    schema: 1,
    name: 'shop',
    repositories: [{ name: 'shop', source: { folder: 'shop' } }],
    tasks: tests.map((name) => ({ repository: 'shop', nodeId: `tests/test_shop.py::${name}` })),
  };
  writeFileSync(path.join(work, 'shop.json'), JSON.stringify(dataset));
  const port = await freePort();
  server = new S3rver({
    address: '127.0.0.1',
    port,
    silent: true,
    directory: path.join(work, 'store'),
    configureBuckets: [{ name: 'results', configs: [] }],
  });
  await server.run();
  env = {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
    SCRIPT_LOG: path.join(work, 'log'),
  };
  Object.assign(process.env, env);
  store = await openStore(where);
});

afterAll(async () => {
  await server.close();
  await rm(work, { recursive: true, force: true });
});

function shard(words: string): string[] {
  const files = [path.join(work, 'shop.json'), '--agent', path.join(work, 'agents.json')];
  return ['run', ...files, '--python', python, '-j', '2', '--out', where, '--shard', words];
}

describe('an S3-compatible store', () => {
  it('keeps what a killed shard had finished; another number of shards finishes the rest', async () => {
    const first = startBench(shard('1/2'), { ...env, SCRIPT_PAUSE: '0.3' });
    await until('a task is in the store', async () => (await finishedTasks(store)).size >= 1);
    first.child.kill('SIGKILL');
    await first.ended;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const before = await finishedTasks(store);
    for (const words of ['1/3', '2/3', '3/3']) {
      const ended = await bench(shard(words), env);
      expect(ended.code, ended.stderr).toBe(0);
    }
    expect((await finishedTasks(store)).size).toBe(9);
    const calls = readFileSync(path.join(work, 'log'), 'utf8').split('\n');
    for (const task of before) {
      const [, agent = '', , test = ''] = /^tasks\/(\w+)\/(\w+)\/.*\.(test_\w+)-\w+$/.exec(task) ?? [];
      expect(
        calls.filter((call) => call === `${agent} ${test}`),
        task,
      ).toHaveLength(1);
    }
  }, 600_000);

  it('is reported from as a folder is', async () => {
    const folder = path.join(work, 'report');
    const ended = await bench(['report', where, '--out', folder], env);
    expect(ended.code, ended.stderr).toBe(0);
    expect(reportRows(folder, 'main').map((row) => [row['agent'], row['fidelity']])).toEqual([
      ['good', 1],
      ['middling', 1 / 3],
      ['poor', 0],
    ]);
  });

  it('is copied into a folder by merge', async () => {
    const ended = await bench(['merge', where, '--out', path.join(work, 'local')], env);
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stderr).toContain('9 tasks taken');
  });

  it('that cannot be reached is named, with what to look at', async () => {
    const ended = await bench(['report', 's3://no-such-bucket/run'], env);
    expect(ended.code).toBe(4);
    expect(ended.stderr).toMatch(/store-failed[^]*NoSuchBucket[^]*AWS_ENDPOINT_URL/);
  });
});
