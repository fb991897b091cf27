// `node scripts/compareReducers.mjs SUBJECTS.json [--cap S] [--times N] [--out FILE]`: reduces gists of real tests with
// `--reduce minimal` and with C-Vise (Debian: `apt install cvise`), under the same condition, one after the other on the
// same machine, and prints a table. SUBJECTS.json: [{ "repo", "python", "path", "tests": [node ids] }].
// A reducer that reaches the cap is stopped, and its time then counts as `at least`; with `--times` C-Vise is stopped once it
// has used N times the CPU seconds of `--reduce minimal`, which a loaded machine does not change. C-Vise then goes on from
// what `--reduce minimal` left, under the same cap: the lines it still takes away are what was missed.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { root, runMain, say, SetupError } from './setup.mjs';

/** @typedef {{ readonly seconds: number, readonly cpu: number, readonly code: number }} Measured */

/**
 * Runs a command to its end, or kills its group at the cap. CPU seconds are those of all its processes.
 * @param {readonly string[]} argv
 * @param {{ readonly cwd: string, readonly env: NodeJS.ProcessEnv, readonly cap: number, readonly cpuCap?: number }} options
 * @returns {Promise<Measured>}
 */
function measure(argv, { cwd, env, cap, cpuCap = Infinity }) {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const timed = spawn(
      'bash',
      ['-c', 'TIMEFORMAT="cpu %U %S"; time timeout -k 5 "$CAP" "$@"', 'bash', ...argv],
      {
        cwd,
        env: { ...env, CAP: String(cap) },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    const watch = setInterval(() => {
      if (cpuOf(timed.pid ?? 0) < cpuCap) return;
      for (const child of childrenOf(timed.pid ?? 0)) process.kill(child, 'SIGTERM');
    }, 2000);
    let words = '';
    timed.stderr.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      words = (words + text).slice(-4000);
    });
    timed.on('error', reject).on('close', (code) => {
      clearInterval(watch);
      const [, user = '0', system = '0'] = /cpu ([\d.]+) ([\d.]+)\s*$/.exec(words) ?? [];
      resolve({
        seconds: (performance.now() - began) / 1000,
        cpu: Number(user) + Number(system),
        code: code ?? 1,
      });
    });
  });
}

/** Fields of a process as Linux tells them, from its state on. @param {number} pid */
function fieldsOf(pid) {
  try {
    const text = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** @param {number} pid */
function childrenOf(pid) {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((other) => fieldsOf(other)[1] === String(pid));
}

/** CPU seconds of a process and all below it, ended ones included. @param {number} pid @returns {number} */
function cpuOf(pid) {
  const ticks = fieldsOf(pid)
    .slice(11, 15)
    .reduce((sum, field) => sum + Number(field), 0);
  return childrenOf(pid).reduce((sum, child) => sum + cpuOf(child), ticks / 100);
}

/** @param {string} text */
function codeLines(text) {
  return text.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('#')).length;
}

/**
 * @param {{ readonly repo: string, readonly python: string, readonly path?: string }} subject
 * @param {string} test
 * @param {number} cap
 * @param {number} times
 */
async function compare(subject, test, cap, times) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'reducers-'));
  try {
    const entry = path.join(subject.repo, subject.path ?? '.');
    const env = { ...process.env, PYTHONPATH: entry, PYTHONHASHSEED: '0', PYTHONDONTWRITEBYTECODE: '1' };
    const cli = path.join(root, 'dist/cli.js');
    const common = [
      process.execPath,
      cli,
      'run',
      test,
      '--repo',
      subject.repo,
      '--python',
      subject.python,
      '-q',
    ];
    const place = (/** @type {string} */ name) => path.join(folder, name);
    const plain = await measure([...common, '--out', place('concise.py')], { cwd: folder, env, cap });
    if (plain.code !== 0) return `| ${test} | not verified (${String(plain.code)}) |`;
    const before = await readFile(place('concise.py'), 'utf8');
    const ours = await measure(
      [
        ...common,
        '--reduce',
        'minimal',
        '--budget',
        String(cap),
        '--out',
        place('concise.py'),
        '--report',
        place('r.json'),
      ],
      { cwd: folder, env, cap: cap + 120 },
    );
    /** @type {{ readonly blocked: readonly string[], readonly reduction: { readonly seconds: number, readonly complete: boolean, readonly keeps: { readonly kind: string } } }} */
    const report = JSON.parse(await readFile(place('r.json'), 'utf8'));
    const smallest = await readFile(place('concise.py'), 'utf8');
    await writeFile(place('concise.py'), before);
    const spec = {
      once: 'verify',
      expect: report.reduction.keeps,
      fileName: 'concise.py',
      block: report.blocked,
      shadow: '',
      out: 'out.json',
      args: [
        '-q',
        '-p',
        'no:cacheprovider',
        '-c',
        '/dev/null',
        '--rootdir',
        '.',
        '--confcutdir',
        '.',
        `concise.py::${test.split('::').slice(1).join('::')}`,
      ],
    };
    await writeFile(place('spec.json'), JSON.stringify(spec));
    const helper = path.join(root, 'dist/helper/gistify_forkserver.py');
    const script = `#!/bin/sh\nexec "${subject.python}" "${helper}" "${place('spec.json')}" >/dev/null 2>&1 </dev/null\n`;
    await writeFile(place('interesting.sh'), script, { mode: 0o755 });
    const bare = { ...env, PYTHONPATH: '' };
    const check = await measure([place('interesting.sh')], { cwd: folder, env: bare, cap: 60 });
    if (check.code !== 0) return `| ${test} | the condition does not hold of the gist itself |`;
    const argv = ['cvise', '--not-c', '--n', '2', '--timeout', '60', place('interesting.sh'), 'concise.py'];
    const seconds = report.reduction.seconds;
    const cpu = Math.max(0.1, ours.cpu - plain.cpu);
    const cpuCap = cpu * times;
    const theirs = await measure(argv, { cwd: folder, env: bare, cap, cpuCap });
    const reduced = await readFile(place('concise.py'), 'utf8');
    await writeFile(place('concise.py'), smallest);
    const more = await measure(argv, { cwd: folder, env: bare, cap, cpuCap });
    const further = await readFile(place('concise.py'), 'utf8');
    const capped = theirs.code !== 0 ? '≥ ' : '';
    const cells = [
      `${path.basename(subject.repo)} ${test.split('::').slice(1).join('::')}`,
      JSON.stringify(report.reduction.keeps.kind),
      String(codeLines(before)),
      `${String(codeLines(smallest))}${report.reduction.complete ? '' : ' (stopped)'}`,
      `${String(codeLines(reduced))}${capped === '' ? '' : ' (stopped)'}`,
      `${String(codeLines(further))}${more.code === 0 ? '' : ' (stopped)'}`,
      `${seconds.toFixed(1)} / ${cpu.toFixed(1)}`,
      `${capped}${theirs.seconds.toFixed(1)} / ${theirs.cpu.toFixed(1)}`,
      `${capped}${(theirs.seconds / seconds).toFixed(1)} / ${(theirs.cpu / cpu).toFixed(1)}`,
    ];
    return `| ${cells.join(' | ')} |`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await runMain(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { cap: { type: 'string' }, times: { type: 'string' }, out: { type: 'string' } },
  });
  const [file] = positionals;
  if (file === undefined)
    throw new SetupError('which tests? Give a JSON file: [{ "repo", "python", "path", "tests" }].');
  /** @type {readonly { readonly repo: string, readonly python: string, readonly path?: string, readonly tests: readonly string[] }[]} */
  const subjects = JSON.parse(await readFile(file, 'utf8'));
  const cap = Number(values.cap ?? '3600');
  const times = Number(values.times ?? 'Infinity');
  const rows = [
    '| test | outcome | lines | minimal: lines | cvise: lines | cvise from minimal: lines | minimal: s wall / CPU | cvise: s wall / CPU | times faster: wall / CPU |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
  ];
  for (const subject of subjects)
    for (const test of subject.tests) {
      const row = await compare(subject, test, cap, times);
      say(row);
      rows.push(row);
      if (values.out !== undefined) await writeFile(values.out, `${rows.join('\n')}\n`);
    }
  process.stdout.write(`${rows.join('\n')}\n`);
  return 0;
});
