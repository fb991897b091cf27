// Language models as agents of a run: scripted ones over a real connection, each with another way to end, so that
// scores, what they took, and what reports say of their failures are checked by value.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { cp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { basePython, ensureVenv } from '../../scripts/pythonEnv.mjs';
import { defaultAgentOptions } from '../../src/model/agentOptions.js';
import { startModelServer, type ModelServer, type Turn } from '../agent/modelServer.js';
import { solve } from '../agent/solvers.js';
import { bench, reportRows, resultsIn, samples } from './benchCli.js';

const minimal = fileURLToPath(new URL('../requirements-minimal.txt', import.meta.url));
const nodeId = 'tests/test_shop.py::test_price';
const gist = readFileSync(path.join(samples, 'agents', 'good', 'test_price.py'), 'utf8');
let work = '';
let python = '';
let server: ModelServer;
/** How often each model was asked. */
const asked = new Map<string, number>();
let keyHolds = false;

function solution(scaffold: 'mini' | 'swe-agent'): readonly Turn[] {
  return solve({ gist, nodeId, options: { ...defaultAgentOptions, scaffold } }).map((turn) => ({
    ...turn,
    usage: { input: 1000, output: 100 },
  }));
}

const importing = 'from shop.prices import price\n\n\ndef test_price():\n    assert price(3) == 1\n';
const scripts: Readonly<Record<string, readonly Turn[]>> = {
  knows: solution('mini'),
  slow: solution('swe-agent'),
  imports: [{ text: `\`\`\`python\n${importing}\`\`\`` }],
  locked: solution('mini'),
};

beforeAll(async () => {
  python = await ensureVenv(minimal, await basePython());
  work = await realpath(mkdtempSync(path.join(os.tmpdir(), 'gistify-models-')));
  await cp(path.join(samples, 'shop'), path.join(work, 'shop'), { recursive: true });
  server = await startModelServer(({ body }) => {
    const model = String(body['model']);
    const index = asked.get(model) ?? 0;
    asked.set(model, index + 1);
    if (model === 'locked' && !keyHolds) return { status: 401 };
    const script = scripts[model] ?? [];
    return script[Math.min(index, script.length - 1)] ?? { status: 404 };
  });
  const agent = (name: string, options: object) => ({
    ...{ kind: 'model', name, model: `openai-compatible/${name}`, baseUrl: server.url },
    ...options,
  });
  const agents = [
    agent('knows', { price: { input: 1, output: 10, cachedInput: 0.1 } }),
    agent('slow', { scaffold: 'swe-agent', maxSteps: 2, execution: 'edit', base: 'knows' }),
    agent('imports', { scaffold: 'static', stream: false }),
    agent('locked', {}),
  ];
  writeFileSync(path.join(work, 'agents.json'), JSON.stringify({ schema: 1, agents }));
  const dataset = {
    ...{ schema: 1, name: 'one', tasks: [{ repository: 'shop', nodeId }] },
    repositories: [{ name: 'shop', source: { folder: 'shop' } }],
  };
  writeFileSync(path.join(work, 'one.json'), JSON.stringify(dataset));
});

afterAll(async () => {
  await server.close();
  await rm(work, { recursive: true, force: true });
});

it('scores what models leave, and tells what kept the others from it', async () => {
  const out = path.join(work, 'results');
  const args = ['run', path.join(work, 'one.json'), '-a', path.join(work, 'agents.json')];
  const run = [...args, '--python', python, '-j', '2', '-o', out];
  const first = await bench(run);
  expect(first.code, first.stderr).toBe(4);
  expect(first.stderr).toContain("1 of 4 tasks are still to be done, since the model's service failed");
  const results = new Map([...resultsIn(out)].map(([folder, one]) => [one.agent, { folder, one }]));
  expect([...results.keys()]).toEqual(['imports', 'knows', 'slow']);
  const replies = scripts['knows']?.length ?? 0;
  expect(results.get('knows')?.one).toMatchObject({
    status: 'scored',
    stopped: null,
    score: { fidelity: 1, failure: 'none', testF1: 1 },
    usage: {
      steps: replies,
      inputTokens: 1000 * replies,
      outputTokens: 100 * replies,
      cost: (2000 * replies) / 1e6,
    },
  });
  expect(results.get('slow')?.one).toMatchObject({
    ...{ status: 'no-gist', stopped: 'limit-reached', score: null, words: 'step-limit: 2 steps' },
    usage: { steps: 2, inputTokens: 2000, outputTokens: 200, cost: null },
  });
  expect(results.get('imports')?.one).toMatchObject({
    ...{ status: 'scored', score: { fidelity: 0, failure: 'codebase-import' }, usage: { steps: 1 } },
  });
  const events = readFileSync(path.join(out, results.get('knows')?.folder ?? '', 'trajectory.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string });
  expect(events.filter(({ type }) => type === 'reply')).toHaveLength(replies);
  expect(events.at(-1)).toMatchObject({ type: 'end', end: 'submitted' });

  const before = new Map(asked);
  keyHolds = true;
  asked.set('locked', 0);
  const second = await bench(run);
  expect(second.code, second.stderr).toBe(0);
  for (const name of ['knows', 'slow', 'imports']) expect(asked.get(name), name).toBe(before.get(name));
  expect(resultsIn(out).size).toBe(4);

  const ended = await bench(['report', out, '--out', path.join(work, 'report')]);
  expect(ended.code, ended.stderr).toBe(0);
  const rows = reportRows(path.join(work, 'report'), 'main');
  expect(rows.map((row) => [row['agent'], row['tools'], row['fidelity'], row['tokens']])).toEqual([
    ['imports', 'no', 0, expect.any(Number)],
    ['knows', 'no', 1, 1100 * replies],
    ['locked', 'no', 1, 1100 * replies],
    ['slow', 'edit', 0, 2200],
  ]);
  const none = { import: 0, 'missing-file': 0, 'missing-test': 0, runtime: 0, failures: 0 };
  expect(reportRows(path.join(work, 'report'), 'attribution')).toEqual([
    { agent: 'imports', ...none, import: 1, failures: 1 },
    { agent: 'knows', ...none },
    { agent: 'locked', ...none },
    { agent: 'slow', ...none, 'missing-file': 1, failures: 1 },
  ]);
  expect(
    reportRows(path.join(work, 'report'), 'errors').map((row) => [row['agent'], row['failure']]),
  ).toEqual([
    ['imports', 'codebase-import'],
    ['slow', 'limit-reached'],
  ]);
});

it('refuses options that do not go together before anything is run', async () => {
  const agents = [
    { kind: 'model', name: 'x', model: 'openai-compatible/x', scaffold: 'static', execution: 'on' },
  ];
  writeFileSync(path.join(work, 'wrong.json'), JSON.stringify({ schema: 1, agents }));
  const args = ['run', path.join(work, 'one.json'), '-o', path.join(work, 'none'), '--python', python];
  const wrong = await bench([...args, '-a', path.join(work, 'wrong.json')]);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('the static agent makes one call and runs nothing');
  const lost = await bench([...args, '-a', 'mini:openai-compatible/x']);
  expect(lost.code).toBe(2);
  expect(lost.stderr).toContain('where is the server of openai-compatible/x?');
});
