// `npm run speed`: how long `gistify run` takes over plain pytest, stage by stage, and what tracing costs beside
// coverage.py. All runs of a test follow each other, so that what else the machine does weighs on all alike.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { basePython } from './pythonEnv.mjs';
import { ensureBuilt, ensureInstalled, root, runMain, say, SetupError } from './setup.mjs';

const usage = `npm run speed -- --repo DIR [--python PATH] [--rounds N] [--json FILE] [--tests FILE] [node ids...]
npm run speed -- --calls [--python PATH]

Measures each test of a codebase: plain pytest, pytest under coverage.py (where the interpreter has it), the traced
run, and gistify run. --tests names a file with one node id a line. PYTHONPATH is used as given. With --calls a made
codebase is measured instead, from 10^4 to 10^7 calls. The first run of each kind is not counted: caches are warm.`;

/** @typedef {{ wall: number, cpu: number, status: number, words: string }} Measured */
/** @typedef {{ stage: string, seconds: number }} Stage */
/**
 * @typedef {{ node: string, round: number, plain: Measured, coverage: Measured | null, trace: Measured,
 *   gistify: Measured, stages: Stage[], memory: number, runs: number }} Row
 */

// Time of a command and all that it waited for, whatever the platform's shell has for that.
const timer = `
import json, resource, subprocess, sys, time
start = time.perf_counter()
done = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
wall, used = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
words = done.stdout.decode("utf-8", "replace")[-2000:]
print(json.dumps({"wall": wall, "cpu": used.ru_utime + used.ru_stime, "status": done.returncode, "words": words}))
`;

/**
 * @param {string} python
 * @param {readonly string[]} command
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Measured>}
 */
async function time(python, command, cwd, env) {
  const child = spawn(python, ['-c', timer, ...command], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) text += String(chunk);
  if (text === '') throw new SetupError(`${python} could not be run.`);
  /** @type {Measured} */
  const measured = JSON.parse(text);
  return measured;
}

/** @param {readonly number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = 0, high = 0] = [sorted[middle - 1], sorted[middle]];
  return sorted.length === 0 ? NaN : sorted.length % 2 === 1 ? high : (low + high) / 2;
}

/**
 * Everything about one test, once.
 * @param {{ python: string, repo: string, work: string, hasCoverage: boolean }} place
 * @param {string} node
 * @param {number} round
 * @returns {Promise<Row>}
 */
async function measure({ python, repo, work, hasCoverage }, node, round) {
  // Byte code of the plain run is cached, as it would be, but beside the codebase and not in it.
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, PYTHONHASHSEED: '0', PYTHONPYCACHEPREFIX: path.join(work, 'bytecode') };
  // Else each run would compile all that it imports, and every ratio would look better than it is.
  delete env['PYTHONDONTWRITEBYTECODE'];
  const pytest = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', node];
  const plain = await time(python, [python, ...pytest], repo, env);
  const data = `--data-file=${path.join(work, 'coverage')}`;
  const coverage = hasCoverage
    ? await time(python, [python, '-m', 'coverage', 'run', data, `--source=${repo}`, ...pytest], repo, env)
    : null;
  const spec = path.join(work, 'spec.json');
  const out = path.join(work, 'out.json');
  const args = pytest.slice(2);
  const traceSpec = { mode: 'trace', root: repo, inPlace: true, excluded: [], args, out };
  await writeFile(spec, JSON.stringify({ ...traceSpec, cache: path.join(work, 'code') }));
  const helper = path.join(root, 'dist', 'helper', 'gistify_runner.py');
  // As gistify runs it: pytest must not keep instrumented code where the next plain run would find it.
  const quiet = { ...env, PYTHONDONTWRITEBYTECODE: '1' };
  const trace = await time(python, [python, helper, spec], repo, quiet);
  const report = path.join(work, 'report.json');
  const peak = path.join(work, 'memory');
  await Promise.all([rm(report, { force: true }), rm(peak, { force: true })]);
  const hook = `import { writeFileSync } from 'node:fs'; process.on('exit', () => writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS)));`;
  const cli = path.join(root, 'dist', 'cli.js');
  const options = [
    '--repo',
    repo,
    '--python',
    python,
    '--out',
    path.join(work, 'gist.py'),
    '--report',
    report,
  ];
  const command = [process.execPath, '--import', `data:text/javascript,${encodeURIComponent(hook)}`];
  const gistify = await time(python, [...command, cli, 'run', node, ...options, '--quiet'], repo, {
    ...env,
    XDG_CACHE_HOME: path.join(work, 'cache'),
  });
  /** @type {{ timings: Stage[], runs: number }} */
  const told = existsSync(report) ? JSON.parse(await readFile(report, 'utf8')) : { timings: [], runs: 0 };
  const memory = existsSync(peak) ? Number(await readFile(peak, 'utf8')) / 1024 : NaN;
  return { node, round, plain, coverage, trace, gistify, stages: told.timings, memory, runs: told.runs };
}

/**
 * @param {readonly Row[]} rows
 * @returns {string}
 */
function table(rows) {
  const made = rows.filter(({ gistify, plain }) => gistify.status === 0 && plain.status <= 1);
  const names = [...new Set(made.flatMap(({ stages }) => stages.map(({ stage }) => stage)))];
  /** @param {(row: Row) => number} value */
  const of = (value) => median(made.map(value)).toFixed(2);
  const withCoverage = made.filter(({ coverage }) => coverage !== null);
  /** @param {'wall' | 'cpu'} kind */
  const coverage = (kind) =>
    withCoverage.length === 0
      ? '-'
      : median(withCoverage.map((row) => (row.coverage?.[kind] ?? NaN) / row.plain[kind])).toFixed(2);
  const stageRows = names.map((name) => {
    /** @param {Row} row */
    const seconds = (row) => row.stages.find(({ stage }) => stage === name)?.seconds ?? 0;
    return `| stage ${name} | ${of((row) => seconds(row) / row.plain.wall)} | |`;
  });
  const largest = Math.max(...made.map(({ memory }) => memory));
  return [
    `${made.length} of ${rows.length} runs verified; medians over them, as multiples of plain pytest`,
    '',
    '| | wall time | CPU time |',
    '|---|---|---|',
    `| plain pytest, seconds | ${of((row) => row.plain.wall)} | ${of((row) => row.plain.cpu)} |`,
    `| coverage.py | ${coverage('wall')} | ${coverage('cpu')} |`,
    `| traced run | ${of((row) => row.trace.wall / row.plain.wall)} | ${of((row) => row.trace.cpu / row.plain.cpu)} |`,
    `| gistify run | ${of((row) => row.gistify.wall / row.plain.wall)} | ${of((row) => row.gistify.cpu / row.plain.cpu)} |`,
    ...stageRows,
    `| pytest runs | ${of((row) => row.runs)} | |`,
    `| peak memory of Node, MB (largest) | ${largest.toFixed(0)} | |`,
    '',
  ].join('\n');
}

/**
 * A codebase whose test makes so many calls.
 * @param {string} folder
 * @param {number} calls
 */
async function makeCalls(folder, calls) {
  await mkdir(folder, { recursive: true });
  const code = `def step(total, i):\n    if i % 3 == 0:\n        return total + 1\n    return total\n\n\ndef count(n):\n    total = 0\n    for i in range(n):\n        total = step(total, i)\n    return total\n`;
  await writeFile(path.join(folder, 'counting.py'), code);
  const test = `from counting import count\n\n\ndef test_count():\n    assert count(${calls}) > 0\n`;
  await writeFile(path.join(folder, 'test_count.py'), test);
}

/**
 * @param {string} python
 * @param {string} work
 * @param {boolean} hasCoverage
 */
async function series(python, work, hasCoverage) {
  /** @type {string[]} */
  const lines = [
    '| calls | plain s | coverage.py s | traced s | gistify run s | traced, ns a call | gistify, ns a call |',
    '|---|---|---|---|---|---|---|',
  ];
  /** @type {Row | null} */
  let least = null;
  for (const calls of [1e4, 1e5, 1e6, 1e7]) {
    const repo = path.join(work, `calls-${calls}`);
    await makeCalls(repo, calls);
    const place = { python, repo, work, hasCoverage };
    await measure(place, 'test_count.py::test_count', 0);
    const row = await measure(place, 'test_count.py::test_count', 1);
    least ??= row;
    const base = least;
    /** @param {'trace' | 'gistify'} kind */
    const each = (kind) =>
      calls === 1e4 ? '' : `${Math.round(((row[kind].cpu - base[kind].cpu) / (calls - 1e4)) * 1e9)}`;
    /** @param {Measured | null} measured */
    const seconds = (measured) => measured?.cpu.toFixed(2) ?? '-';
    lines.push(
      `| ${calls.toExponential(0)} | ${seconds(row.plain)} | ${seconds(row.coverage)} | ${seconds(row.trace)} | ${seconds(row.gistify)} | ${each('trace')} | ${each('gistify')} |`,
    );
    say(lines.at(-1) ?? '');
  }
  return `CPU time by the number of calls; costs of a call beyond the first ten thousand\n\n${lines.join('\n')}\n`;
}

await runMain(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      repo: { type: 'string' },
      python: { type: 'string' },
      rounds: { type: 'string', default: '1' },
      tests: { type: 'string' },
      json: { type: 'string' },
      calls: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  const from = process.env['INIT_CWD'] ?? process.cwd();
  if (values.help === true || (values.calls !== true && values.repo === undefined)) {
    say(usage);
    return values.help === true ? 0 : 2;
  }
  ensureInstalled();
  ensureBuilt();
  const given = values.python;
  const python =
    given === undefined
      ? (await basePython()).python
      : given.includes('/')
        ? path.resolve(from, given)
        : given;
  const work = await realpath(await mkdtemp(path.join(os.tmpdir(), 'gistify-speed-')));
  try {
    const pytest = await time(python, [python, '-c', 'import pytest'], work, process.env);
    if (pytest.status !== 0)
      throw new SetupError(`${python} has no pytest; name another interpreter with --python.`);
    const hasCoverage =
      (await time(python, [python, '-c', 'import coverage'], work, process.env)).status === 0;
    if (!hasCoverage) say(`${python} has no coverage.py: tracing is not compared with it.`);
    if (values.calls === true) {
      process.stdout.write(await series(python, work, hasCoverage));
      return 0;
    }
    const listed = values.tests === undefined ? '' : await readFile(path.resolve(from, values.tests), 'utf8');
    const nodes = [...positionals, ...listed.split('\n').map((line) => line.trim())].filter(
      (id) => id !== '',
    );
    if (nodes.length === 0) throw new SetupError('no node ids were given.');
    const repo = await realpath(path.resolve(from, values.repo ?? ''));
    const place = { python, repo, work, hasCoverage };
    /** @type {Row[]} */
    const rows = [];
    for (const node of nodes) {
      for (let round = 0; round <= Number(values.rounds); round += 1) {
        const row = await measure(place, node, round);
        if (round === 0 && row.plain.status > 1)
          say(`${node}: plain pytest ended with status ${row.plain.status}\n${row.plain.words}`);
        if (round === 0) continue;
        rows.push(row);
        const ratio = (row.gistify.wall / row.plain.wall).toFixed(2);
        const cpu = (row.gistify.cpu / row.plain.cpu).toFixed(2);
        say(`${node}: ${ratio} (CPU ${cpu}), ${row.runs} pytest runs, status ${row.gistify.status}`);
      }
    }
    if (values.json !== undefined)
      await writeFile(path.resolve(from, values.json), JSON.stringify(rows, null, 1));
    process.stdout.write(table(rows));
    return 0;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
});
