// A tiny codebase through collect, run, report and compare, with three scripted agents of different quality: every
// expected number was counted by hand.
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { cp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basePython, ensureVenv } from '../../scripts/pythonEnv.mjs';
import { bench, readDatasetFile, reportRows, resultsIn, samples, startBench, until } from './benchCli.js';

const minimal = fileURLToPath(new URL('../requirements-minimal.txt', import.meta.url));
let work = '';
let python = '';

beforeAll(async () => {
  python = await ensureVenv(minimal, await basePython());
  work = await realpath(mkdtempSync(path.join(os.tmpdir(), 'gistify-bench-')));
  await cp(path.join(samples, 'shop'), path.join(work, 'shop'), { recursive: true });
  const agents = ['good', 'middling', 'poor'].map((name) => ({
    kind: 'command',
    name,
    label: `${name} script`,
    execution: name === 'good',
    command: [python, path.join(samples, 'agents', 'agent.py'), path.join(samples, 'agents', name)],
    ...(name === 'middling' ? { base: 'good' } : {}),
  }));
  writeFileSync(path.join(work, 'agents.json'), JSON.stringify({ schema: 1, agents }));
});

afterAll(async () => {
  await rm(work, { recursive: true, force: true });
});

function inWork(...names: string[]): string {
  return path.join(work, ...names);
}

function invocations(log: string): readonly string[] {
  return readFileSync(log, 'utf8').trim().split('\n').toSorted();
}

function runArguments(out: string, ...more: string[]): string[] {
  return [
    'run',
    inWork('three.json'),
    '--agent',
    inWork('agents.json'),
    '--python',
    python,
    '-j',
    '2',
    '-o',
    out,
    ...more,
  ];
}

describe('a tiny codebase', () => {
  it('is collected: what passes is measured, what does not is dropped with the reason', async () => {
    const out = inWork('all.json');
    const ended = await bench([
      'collect',
      '--repo',
      inWork('shop'),
      '--python',
      python,
      '--slow',
      '3',
      '-o',
      out,
    ]);
    expect(ended.code, ended.stderr).toBe(0);
    const { tasks, dropped } = readDatasetFile(out);
    const measures = tasks.map(({ nodeId, instances, calls, files }) => [
      nodeId.split('::')[1],
      instances,
      calls,
      files,
    ]);
    // Calls: the test and what it calls, an instance each.
    expect(measures).toEqual([
      ['test_after_the_crash', 1, 2, 2],
      ['test_each', 2, 4, 2],
      ['test_price', 1, 2, 2],
      ['test_shout', 1, 2, 2],
    ]);
    expect(dropped.map(({ nodeId, reason }) => [nodeId, reason])).toEqual([
      ['tests/test_broken.py', 'not-collected'],
      ['tests/test_shop.py::test_crashes', 'crashes'],
      ['tests/test_shop.py::test_expected', 'expected-to-fail'],
      ['tests/test_shop.py::test_fails', 'fails'],
      ['tests/test_shop.py::test_flaky', 'flaky'],
      ['tests/test_shop.py::test_place', 'location-dependent'],
      ['tests/test_shop.py::test_skipped', 'skipped'],
      ['tests/test_shop.py::test_slow', 'slow'],
    ]);
    const kept = {
      ...readDatasetFile(out),
      tasks: tasks.filter(({ nodeId }) => !nodeId.endsWith('crash')),
      dropped: [],
    };
    writeFileSync(inWork('unmarked.json'), JSON.stringify(kept));
    const sampled = await bench([
      'sample',
      inWork('unmarked.json'),
      '--mark-hard',
      '1',
      '-o',
      inWork('three.json'),
    ]);
    expect(sampled.code, sampled.stderr).toBe(0);
    expect(readDatasetFile(inWork('three.json')).tasks.map(({ hard }) => hard)).toEqual([
      ['calls', 'files'],
      undefined,
      undefined,
    ]);
  });

  it('is run by three scripts, killed and resumed: no finished task is lost or made again', async () => {
    const out = inWork('results');
    const log = inWork('log');
    const first = startBench(runArguments(out), { SCRIPT_LOG: log, SCRIPT_PAUSE: '0.3' });
    await until('three tasks are finished', () => {
      try {
        return resultsIn(out).size >= 3;
      } catch {
        return false;
      }
    });
    first.child.kill('SIGKILL');
    await first.ended;
    // The processes of its tasks see that it is gone, and go.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const before = resultsIn(out);
    const times = new Map(
      [...before.keys()].map((task) => [task, statSync(path.join(out, task, 'result.json')).mtimeMs]),
    );
    const asked = invocations(log).length;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(invocations(log).length, 'nothing goes on without the parent').toBe(asked);
    expect(before.size).toBeLessThan(9);

    const second = await bench(runArguments(out), { SCRIPT_LOG: log });
    expect(second.code, second.stderr).toBe(0);
    expect(resultsIn(out).size).toBe(9);
    for (const [task, time] of times)
      expect(statSync(path.join(out, task, 'result.json')).mtimeMs, task).toBe(time);
    const calls = invocations(log);
    for (const { agent, nodeId } of before.values()) {
      const name = `${agent} ${nodeId.split('::')[1] ?? ''}`;
      expect(
        calls.filter((call) => call === name),
        name,
      ).toHaveLength(1);
    }
    const third = await bench(runArguments(out), { SCRIPT_LOG: log });
    expect(third.code, third.stderr).toBe(0);
    expect(invocations(log), 'a finished run does nothing').toEqual(calls);
  }, 600_000);

  it('gives the tables that were counted by hand', async () => {
    const folder = inWork('report');
    const ended = await bench(['report', inWork('results'), '--out', folder]);
    expect(ended.code, ended.stderr).toBe(0);
    const main = reportRows(folder, 'main').map((row) => [
      row['agent'],
      row['tools'],
      row['tasks'],
      row['fidelity'],
    ]);
    expect(main).toEqual([
      ['good script', 'yes', 3, 1],
      ['middling script', 'no', 3, 1 / 3],
      ['poor script', 'no', 3, 0],
    ]);
    const errors = reportRows(folder, 'errors').map((row) => [row['agent'], row['failure'], row['count']]);
    expect(errors).toEqual([
      ['middling script', 'codebase-import', 1],
      ['middling script', 'wrong-output', 1],
      ['poor script', 'no-file', 1],
      ['poor script', 'syntax-error', 1],
      ['poor script', 'test-missing', 1],
    ]);
    // test_each has the longest trace; the test that touches the most files is any, the first by name.
    expect(reportRows(folder, 'hard').map((row) => [row['tasks'], row['fidelity']])).toEqual([
      [1, 1],
      [1, 0],
      [1, 0],
    ]);
    expect(reportRows(folder, 'ablation').map((row) => [row['agent'], row['difference']])).toEqual([
      ['good script', null],
      ['+ middling script', 1 / 3 - 1],
    ]);
    const task = (agent: string, name: string) =>
      reportRows(folder, 'tasks').find(
        (row) => row['agent'] === agent && String(row['nodeId']).endsWith(name),
      );
    // Seven lines can run, `return 1` does not; the helper's two are not of the codebase.
    expect(task('middling', 'test_price')).toMatchObject({
      fidelity: 1,
      execution: 6 / 7,
      existence: 5 / 7,
      testF1: 1,
    });
    expect(task('middling', 'test_shout')).toMatchObject({
      fidelity: 0,
      execution: 1,
      existence: 1,
      failure: 'wrong-output',
    });
    expect(task('middling', 'test_each')).toMatchObject({ fidelity: 0, execution: null, existence: 1 });
    expect(task('poor', 'test_price')).toMatchObject({ status: 'no-gist', existence: null, lines: null });
    // Execution of the middling script: 6/7 and 1, the third did not run. Existence: 5/7, 1 and 1.
    const [, middling] = reportRows(folder, 'main');
    expect(middling?.['execution']).toBeCloseTo((6 / 7 + 1) / 2, 12);
    expect(middling?.['existence']).toBeCloseTo((5 / 7 + 2) / 3, 12);
    const byCalls = reportRows(folder, 'calls').filter((row) => row['agent'] === 'middling script');
    expect(byCalls.map((row) => [row['from'], row['to'], row['tasks'], row['fidelity']])).toEqual([
      [2, 2, 2, 1 / 2],
      [4, 4, 1, 0],
    ]);
    const page = readFileSync(path.join(folder, 'report.html'), 'utf8');
    expect(page.match(/<svg /g)).toHaveLength(3);
    expect(page).not.toMatch(/<script|<link|src=|https?:/);
    const csv = readFileSync(path.join(folder, 'errors.csv'), 'utf8').split('\n')[1];
    expect(csv).toMatch(/^middling script,codebase-import,1,0\.5,tasks\/middling\/shop\//);
  });

  it('is compared in pairs', async () => {
    const results = inWork('results');
    const ended = await bench(['compare', `${results}@middling`, `${results}@good`, '--json', '--seed', '3']);
    expect(ended.code, ended.stderr).toBe(0);
    const { differences } = JSON.parse(ended.stdout) as { differences: Record<string, unknown>[] };
    expect(differences[0]).toMatchObject({ measure: 'fidelity', pairs: 3, higher: 2, lower: 0, same: 1 });
    expect(differences[0]?.['difference']).toBeCloseTo(2 / 3, 12);
    // Of the 27 ways to draw three of {1, 1, 0}, one has mean 0 and eight have mean 1: both within 95%.
    expect(differences[0]?.['interval']).toEqual([0, 1]);
    const again = await bench(['compare', `${results}@middling`, `${results}@good`, '--json', '--seed', '3']);
    expect(again.stdout).toBe(ended.stdout);
  });

  it('is run in shards that are merged', async () => {
    const env = { SCRIPT_LOG: inWork('shard-log') };
    const shards = [1, 2].map((index) => inWork(`shard-${index}`));
    for (const [at, out] of shards.entries()) {
      const ended = await bench(runArguments(out, '--shard', `${at + 1}/2`), env);
      expect(ended.code, ended.stderr).toBe(0);
    }
    expect(shards.map((out) => resultsIn(out).size)).toEqual([5, 4]);
    const merged = await bench(['merge', ...shards, '--out', inWork('merged')]);
    expect(merged.code, merged.stderr).toBe(0);
    expect(merged.stderr).toContain('9 tasks taken, 0 were there');
    expect(numbers(inWork('merged'))).toEqual(numbers(inWork('results')));
  }, 600_000);

  it('does not mix results of different runs', async () => {
    const other = readDatasetFile(inWork('three.json'));
    writeFileSync(inWork('other.json'), JSON.stringify({ ...other, tasks: other.tasks.slice(1) }));
    const ended = await bench([
      'run',
      inWork('other.json'),
      '--agent',
      inWork('agents.json'),
      '--python',
      python,
      '-o',
      inWork('results'),
    ]);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('holds results of another run');
  });
});

/** Results without what a clock decides. */
function numbers(folder: string): unknown {
  return [...resultsIn(folder)].map(([task, { seconds: _, ...result }]) => [task, result]);
}
