// Two packages of the index, whose wheels ship their tests, through collect, sample, run (killed and resumed) and
// report: real codebases, standing in for the dataset's releases from a folder.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { cp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basePython, ensureVenv } from '../../scripts/pythonEnv.mjs';
import { bench, readDatasetFile, reportRows, resultsIn, startBench, until } from './benchCli.js';

const requirements = fileURLToPath(new URL('requirements.txt', import.meta.url));
const isolate = 'networkx/algorithms/tests/test_isolate.py::test_number_of_isolates';
let work = '';
let python = '';

function inWork(...names: string[]): string {
  return path.join(work, ...names);
}

beforeAll(async () => {
  python = await ensureVenv(requirements, await basePython());
  work = await realpath(mkdtempSync(path.join(os.tmpdir(), 'gistify-wheels-')));
  const program =
    'import importlib.metadata as m, json; print(json.dumps([[n, m.version(n), str(m.distribution(n).locate_file(n))] for n in ("networkx", "toolz")]))';
  const found = JSON.parse(execFileSync(python, ['-c', program], { encoding: 'utf8' })) as string[][];
  for (const [name = '', , folder = ''] of found)
    await cp(folder, inWork('root', name, name), {
      recursive: true,
      filter: (file) => !file.endsWith('__pycache__'),
    });
  const dataset = {
    schema: 1,
    name: 'wheels',
    repositories: found.map(([name, version]) => ({ name, source: { package: `${name}==${version}` } })),
    tasks: [{ repository: 'networkx', nodeId: isolate }],
  };
  writeFileSync(inWork('wheels.json'), JSON.stringify(dataset));
});

afterAll(() => rm(work, { recursive: true, force: true }));

describe('packages of the index', () => {
  it('are collected and sampled', async () => {
    const places = ['toolz/tests/test_recipes.py', 'toolz/tests/test_utils.py'];
    const where = ['--root', inWork('root'), '--python', python];
    const collected = await bench([
      ...['collect', '--dataset', inWork('wheels.json'), ...where, '-o', inWork('all.json'), ...places],
    ]);
    expect(collected.code, collected.stderr).toBe(0);
    const { tasks, dropped } = readDatasetFile(inWork('all.json'));
    expect(dropped).toEqual([]);
    expect(tasks.map(({ nodeId }) => nodeId)).toEqual([
      isolate,
      'toolz/tests/test_recipes.py::test_countby',
      'toolz/tests/test_recipes.py::test_partitionby',
      'toolz/tests/test_utils.py::test_raises',
    ]);
    for (const { nodeId, calls, files } of tasks) {
      // The test itself, and at least one function of another file.
      expect(calls, nodeId).toBeGreaterThanOrEqual(2);
      expect(files, nodeId).toBeGreaterThanOrEqual(2);
    }
    const sampled = await bench([
      ...['sample', inWork('all.json'), '-n', '2', '--seed', '7', '-o', inWork('sample.json')],
    ]);
    expect(sampled.code, sampled.stderr).toBe(0);
    const chosen = readDatasetFile(inWork('sample.json'));
    expect(chosen.seed).toBe(7);
    expect(chosen.tasks.map(({ repository }) => repository)).toEqual(['networkx', 'toolz', 'toolz']);
    for (const task of chosen.tasks) expect(tasks).toContainEqual(task);
  });

  it('are run by the built-in agent, killed and resumed, and reported', async () => {
    const out = inWork('results');
    const args = [
      ...['run', inWork('sample.json'), '--agent', 'builtin', '--root', inWork('root')],
      ...['--python', python, '-j', '2', '-o', out],
    ];
    const first = startBench(args);
    await until(
      'a task is finished',
      () => {
        try {
          return resultsIn(out).size >= 1;
        } catch {
          return false;
        }
      },
      280,
    );
    first.child.kill('SIGKILL');
    await first.ended;
    const before = [...resultsIn(out).keys()];
    expect(before.length).toBeLessThan(3);
    const time = (task: string) => statSync(path.join(out, task, 'result.json')).mtimeMs;
    const times = before.map(time);

    const second = await bench(args);
    expect(second.code, second.stderr).toBe(0);
    expect(before.map(time), 'what was finished is not made again').toEqual(times);
    const results = resultsIn(out);
    expect(results.size).toBe(3);
    for (const [task, { status, score, gist, nodeId }] of results) {
      expect({ status, problems: score?.problems }, nodeId).toEqual({ status: 'scored', problems: [] });
      expect(score, nodeId).toMatchObject({ fidelity: 1, failure: 'none', testF1: 1 });
      if (nodeId.startsWith('toolz')) expect(gist?.lines, nodeId).toBeLessThan(200);
      expect(readFileSync(path.join(out, task, 'gist.py'), 'utf8')).toContain(
        `def ${nodeId.split('::')[1] ?? ''}(`,
      );
    }

    const reported = await bench(['report', out, '--out', inWork('report')]);
    expect(reported.code, reported.stderr).toBe(0);
    expect(reportRows(inWork('report'), 'main')[0]).toMatchObject({ tasks: 3, fidelity: 1 });
    const tasks = reportRows(inWork('report'), 'tasks');
    expect(tasks.map((row) => row['repository'])).toEqual(['networkx', 'toolz', 'toolz']);
  }, 900_000);
});
