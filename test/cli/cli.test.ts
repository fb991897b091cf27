// The command line as a person uses it: exit statuses, words, files and what is left behind, on a codebase made here.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basePython, ensureVenv } from '../../scripts/pythonEnv.mjs';
import type { Report } from '../../src/model/report.js';

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const cli = path.join(root, 'dist', 'cli.js');
let work = '';
let repo = '';
/** Everything temporary of a run must be here, and nothing of it afterwards. */
let temporary = '';
let python = '';

const files: Readonly<Record<string, string>> = {
  'pytest.ini': '[pytest]\naddopts = -m "not slow"\nmarkers = slow\n',
  'bank/__init__.py': '',
  'bank/account.py':
    'RATE = 2\n\n\ndef interest(amount):\n    return amount * RATE\n\n\ndef unused():\n    return None\n',
  'bank/audit.py': 'class Audit:\n    size = 1\n',
  'bank/note.py': 'class Note:\n    size = 2\n',
  'bank/loose.py': 'import no_such_package\n',
  'tests/test_bank.py': [
    'import os',
    'import time',
    '',
    'import pytest',
    '',
    'from bank.account import interest',
    '',
    '',
    'def test_interest():',
    '    assert interest(2) == 4',
    '',
    '',
    '@pytest.mark.slow',
    'def test_deselected():',
    '    assert True',
    '',
    '',
    'class TestMore:',
    "    @pytest.mark.parametrize('n', [1, 2])",
    '    def test_each(self, n):',
    '        assert interest(n) == 2 * n',
    '',
    '    async def test_later(self):',
    '        pass',
    '',
    '',
    'def test_patient():',
    "    with open(os.environ['STARTED'], 'w') as file:",
    '        file.write(str(os.getpid()))',
    '    time.sleep(100)',
    '',
    '',
    'def test_once():',
    "    print(os.path.exists(os.path.join(os.environ['CODEBASE'], '..', 'sealed')))",
    "    open(os.path.join(os.environ['CODEBASE'], '..', 'sealed'), 'w').close()",
    '',
  ].join('\n'),
  'tests/test_modules.py': [
    'from bank.audit import Audit',
    'from bank.note import Note',
    '',
    '',
    'def test_modules():',
    "    assert [kind.__module__.split('.')[1] for kind in (Audit, Note)] == ['audit', 'note']",
    '    assert Audit.size < Note.size',
    '',
  ].join('\n'),
  'tests/test_missing.py': 'import bank.loose\n\n\ndef test_missing():\n    assert bank.loose\n',
  'tests/test_broken.py': 'def test_broken(:\n    pass\n',
};

beforeAll(async () => {
  work = await realpath(await mkdtemp(path.join(os.tmpdir(), 'cli-test-')));
  repo = path.join(work, 'codebase');
  temporary = path.join(work, 'tmp');
  await mkdir(temporary);
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(repo, file)), { recursive: true });
    await writeFile(path.join(repo, file), text);
  }
  python = await ensureVenv(path.join(root, 'test/requirements-minimal.txt'), await basePython());
});

afterAll(() => rm(work, { recursive: true, force: true }));

interface Call {
  readonly env?: Readonly<Record<string, string>>;
  /** Called with the process once it runs. */
  readonly during?: (child: { kill(signal: NodeJS.Signals): boolean }) => Promise<void>;
}

async function gistify(args: readonly string[], { env = {}, during }: Call = {}): Promise<Ended> {
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: work,
    env: { PATH: process.env['PATH'], HOME: os.homedir(), TMPDIR: temporary, CODEBASE: repo, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.stderr += text));
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, ...texts })));
  await during?.(child);
  return ended;
}

const run = (node: string, ...more: readonly string[]): Promise<Ended> =>
  gistify(['run', node, '--repo', repo, '--python', python, ...more]);

async function codebase(): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(repo, { recursive: true, withFileTypes: true });
  const found: Record<string, string> = {};
  for (const entry of entries) {
    const full = path.join(entry.parentPath, entry.name);
    if (entry.isFile()) found[path.relative(repo, full)] = await readFile(full, 'utf8');
    else if (!['bank', 'tests'].includes(entry.name)) found[path.relative(repo, full)] = 'not a file';
  }
  return found;
}

async function expectNothingLeft(): Promise<void> {
  expect((await readdir(temporary)).filter((name) => name.startsWith('gistify'))).toEqual([]);
  expect(await codebase()).toEqual(files);
}

describe('gistify run', () => {
  it('makes a verified gist and a report, and leaves nothing else', async () => {
    const [out, reportFile] = [path.join(work, 'made.py'), path.join(work, 'report.json')];
    const ended = await run('tests/test_bank.py::test_interest', '--out', out, '--report', reportFile);
    expect(ended).toMatchObject({ code: 0, stdout: '' });
    expect(ended.stderr).toMatch(/^verified {2}.*made\.py$/m);
    const gist = await readFile(out, 'utf8');
    expect(gist).toContain('return amount * RATE');
    expect(gist).not.toMatch(/unused|import/);
    const report = JSON.parse(await readFile(reportFile, 'utf8')) as Report;
    expect(report).toMatchObject({
      schema: 1,
      task: { repo, nodeId: 'tests/test_bank.py::test_interest', python, layout: 'auto', pytestArgs: [] },
      gist: { text: gist, file: out },
      verified: true,
      score: { fidelity: 1, problems: [], failure: 'none', testF1: 1, invented: [] },
      layout: { kind: 'flat', held: [] },
      original: { tests: [{ name: 'test_interest' }], exitCode: 0 },
      observed: { tests: [{ name: 'test_interest' }], exitCode: 0 },
      runs: 2,
    });
    expect(report.lines).toHaveLength(gist.split('\n').length - 1);
    const body = gist.split('\n').findIndex((line) => line.includes('return amount'));
    expect(report.lines[body]).toEqual({
      origin: { kind: 'kept', file: 'bank/account.py', line: 5 },
      ran: 'yes',
    });
    expect(report.timings.map(({ stage }) => stage)).toEqual(
      expect.arrayContaining(['trace', 'scan', 'link', 'verify']),
    );
    expect(report.environment.python).toMatch(/^3\.\d+\.\d+/);
    await expectNothingLeft();
  });

  it('writes the gist to standard output, and nothing with it', async () => {
    const ended = await run('tests/test_bank.py::test_interest', '--out', '-', '--quiet');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout.startsWith('# bank/account.py\n')).toBe(true);
  });

  it('takes options for pytest after --', async () => {
    const node = 'tests/test_bank.py::test_deselected';
    const out = path.join(work, 'slow.py');
    const refused = await run(node, '--out', out);
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain('1 deselected');
    expect(existsSync(out)).toBe(false);
    expect((await run(node, '--out', out, '--', '-m', 'slow')).code).toBe(0);
    expect(existsSync(out)).toBe(true);
  });

  it('gistifies one instance of a parametrized test', async () => {
    const ended = await run('tests/test_bank.py::TestMore::test_each[2]', '--out', '-', '--quiet');
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('def test_each(self, n):');
  });

  it('says so where the gist does not verify, and writes it all the same', async () => {
    // Two classes that tell of two modules: one namespace cannot be both.
    const [out, reportFile] = [path.join(work, 'unverified.py'), path.join(work, 'unverified.json')];
    const node = 'tests/test_modules.py::test_modules';
    const ended = await run(node, '--layout', 'flat', '--out', out, '--report', reportFile);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(`NOT VERIFIED  ${out}`);
    expect(ended.stderr).toContain('test_modules (call): outcome is "passed" in the original');
    expect(await readFile(out, 'utf8')).toContain('def test_modules():');
    const report = JSON.parse(await readFile(reportFile, 'utf8')) as Report;
    expect(report).toMatchObject({ verified: false, score: { fidelity: 0, failure: 'wrong-outcome' } });
    expect((await run(node, '--layout', 'held', '--out', out)).code).toBe(0);
    await expectNothingLeft();
  });

  it('ends with status 4 where two runs of the original differ', async () => {
    const ended = await run('tests/test_bank.py::test_once', '--out', path.join(work, 'never.py'));
    expect(ended.code).toBe(4);
    expect(ended.stderr).toContain('[flaky]');
    expect(ended.stderr).toContain('"False\\n" in the first run and "True\\n" in the second run');
    await expectNothingLeft();
  });

  it.each([
    [
      'a package that is missing',
      'tests/test_missing.py::test_missing',
      ['No module named', 'no_such_package'],
    ],
    ['bad syntax', 'tests/test_broken.py::test_broken', ['SyntaxError', 'test_broken.py']],
    ['a test that is not there', 'tests/test_bank.py::test_absent', ['[test-not-found]', 'test_absent']],
  ])('ends with status 4 on %s', async (_what, node, words) => {
    const out = path.join(work, 'never.py');
    const ended = await run(node, '--out', out);
    expect(ended.code).toBe(4);
    for (const word of words) expect(ended.stderr).toContain(word);
    expect(existsSync(out)).toBe(false);
    await expectNothingLeft();
  });

  it('ends with status 4 where the interpreter has no pytest, or the time is over', async () => {
    const node = 'tests/test_bank.py::test_interest';
    const { python: bare } = await basePython();
    const without = await gistify(['run', node, '--repo', repo, '--python', bare], {
      env: { PYTHONPATH: path.join(repo, 'tests') },
    });
    // The base interpreter of this machine may have a pytest of its own: then it is used.
    if (without.code !== 0) expect(without).toMatchObject({ code: 4 });
    if (without.code === 4) expect(without.stderr).toContain('pip install pytest');
    const late = await gistify(
      ['run', 'tests/test_bank.py::test_patient', '--repo', repo, '--python', python, '--timeout', '6'],
      { env: { STARTED: path.join(work, 'late-pid') } },
    );
    expect(late.code).toBe(4);
    expect(late.stderr).toContain('[timeout]');
    expect(alive(Number(await readFile(path.join(work, 'late-pid'), 'utf8')))).toBe(false);
    await rm(path.join(work, 'gist_test_interest.py'), { force: true });
  });

  it('ends with status 130 when interrupted: no process, file or folder stays', async () => {
    const [out, started] = [path.join(work, 'interrupted.py'), path.join(work, 'pid')];
    const args = [
      'run',
      'tests/test_bank.py::test_patient',
      '--repo',
      repo,
      '--python',
      python,
      '--out',
      out,
    ];
    let pid = 0;
    const ended = await gistify(args, {
      env: { STARTED: started },
      during: async (child) => {
        while (pid === 0) {
          await new Promise((resolve) => setTimeout(resolve, 50));
          if (existsSync(started)) pid = Number(await readFile(started, 'utf8'));
        }
        child.kill('SIGINT');
      },
    });
    expect(ended.code).toBe(130);
    expect(ended.stderr).toContain('cancelled');
    expect(alive(pid)).toBe(false);
    expect(existsSync(out)).toBe(false);
    await expectNothingLeft();
  });
});

function alive(pid: number): boolean {
  expect(pid).toBeGreaterThan(0);
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('wrong use ends with status 2 and says what is right', () => {
  it.each<[string, readonly string[], string]>([
    ['no node id', ['run'], 'a node id is missing'],
    ['two node ids', ['run', 'a.py::b', 'c.py::d'], 'one node id at a time'],
    [
      'a file instead of a test',
      ['run', 'tests/test_bank.py', '--repo', 'codebase'],
      'not a node id of one test',
    ],
    ['an empty part', ['run', 'tests/test_bank.py::', '--repo', 'codebase'], 'not a node id of one test'],
    ['an unknown option', ['run', 'tests/test_bank.py::test_interest', '--fast'], '--fast'],
    [
      'an unknown layout',
      ['run', 'tests/test_bank.py::x', '--repo', 'codebase', '--layout', 'round'],
      'auto, flat, held',
    ],
    ['a bad time', ['run', 'tests/test_bank.py::x', '--repo', 'codebase', '--timeout', '-1'], '--timeout'],
    ['no codebase', ['run', 'tests/test_bank.py::x', '--repo', 'nowhere'], 'there is no folder'],
    ['no test file', ['run', 'tests/test_none.py::x', '--repo', 'codebase'], 'there is no file'],
    [
      'no interpreter',
      ['run', 'tests/test_bank.py::x', '--repo', 'codebase', '--python', './none'],
      'no interpreter',
    ],
    [
      'no folder for the gist',
      ['run', 'tests/test_bank.py::x', '--repo', 'codebase', '--out', 'no/g.py'],
      'no folder',
    ],
    [
      'a folder as the gist',
      ['run', 'tests/test_bank.py::x', '--repo', 'codebase', '--out', 'tmp'],
      'is a folder',
    ],
    ['an unknown command', ['make'], 'unknown command'],
    ['score without a test', ['score', 'x.py'], '--node'],
    [
      'score of no file',
      ['score', '--repo', 'codebase', '--node', 'tests/test_bank.py::x', 'x.py'],
      'there is no file x.py',
    ],
    ['tests of no file', ['tests', '--repo', 'codebase', 'nothing'], 'there is no file or folder'],
  ])('%s', async (_what, args, words) => {
    const ended = await gistify(args);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(words);
  });
});

describe('gistify alone', () => {
  it('tells its use and its version', async () => {
    const help = await gistify(['--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    const named = [...help.stdout.matchAll(/--[a-z][a-z-]*/g)].map(([option]) => option);
    const wanted = [
      'repo',
      'python',
      'out',
      'report',
      'layout',
      'reduce',
      'sandbox',
      'timeout',
      'keep-docstrings',
    ];
    expect(named).toEqual(expect.arrayContaining(wanted.map((option) => `--${option}`)));
    expect((await gistify(['run', '--help'])).stdout).toBe(help.stdout);
    expect((await gistify([])).stdout).toBe(help.stdout);
    const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(await gistify(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });
});

describe('gistify tests', () => {
  const found = [
    'tests/test_bank.py::test_interest',
    'tests/test_bank.py::test_deselected',
    'tests/test_bank.py::TestMore::test_each',
    'tests/test_bank.py::TestMore::test_later',
    'tests/test_bank.py::test_patient',
    'tests/test_bank.py::test_once',
  ];

  it('lists node ids', async () => {
    const ended = await gistify(['tests', '--repo', repo, 'tests/test_bank.py']);
    expect(ended).toEqual({ code: 0, stdout: found.map((id) => `${id}\n`).join(''), stderr: '' });
    const all = await gistify(['tests', '--repo', repo]);
    expect(all.stdout.split('\n')).toEqual(
      expect.arrayContaining([...found, 'tests/test_missing.py::test_missing']),
    );
  });

  it('lists JSON', async () => {
    const ended = await gistify(['tests', '--repo', repo, '--json', 'tests/test_bank.py']);
    const items = JSON.parse(ended.stdout) as { nodeId: string }[];
    expect(items.map(({ nodeId }) => nodeId)).toEqual(found);
    expect(items[2]).toMatchObject({
      kind: 'method',
      parametrized: true,
      isAsync: false,
      firstLine: 19,
      line: 20,
    });
    expect(items[3]).toMatchObject({ isAsync: true });
  });
});

describe('gistify score', () => {
  const node = 'tests/test_bank.py::test_interest';
  const test = 'def test_interest():\n    assert interest(2) == 4\n';
  const score = async (text: string, ...more: readonly string[]): Promise<Ended> => {
    await writeFile(path.join(work, 'hand.py'), text);
    return gistify(['score', '--repo', repo, '--node', node, '--python', python, ...more, 'hand.py']);
  };

  it('gives full marks to a faithful gist', async () => {
    const ended = await score(
      `RATE = 2\n\ndef interest(amount):\n    return amount * RATE\n\n${test}`,
      '--json',
    );
    expect(ended.code).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      schema: 1,
      score: { fidelity: 1, existence: { hit: 5, total: 5 }, execution: { hit: 5, total: 5 }, testF1: 1 },
    });
    await expectNothingLeft();
  });

  it('names a line that is not in the codebase and the nearest that is', async () => {
    const ended = await score(`RATE = 2\n\ndef interest(amount):\n    return RATE * amount\n\n${test}`);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toMatch(/line existence +80\.00% \(4 of 5\)/);
    expect(ended.stdout).toMatch(
      /line 4 in .*interest.*: return RATE \* amount\n +nearest: .*return amount \* RATE/,
    );
  });

  it('puts the original test in, and says how the gist fails', async () => {
    const wrong = await score(
      'def interest(amount):\n    return 4\n\ndef test_interest():\n    assert True\n',
    );
    expect(wrong).toMatchObject({ code: 0 });
    expect(wrong.stdout).toMatch(/test F1 +(?!100)/);
    const failing = await score(`def interest(amount):\n    return 5\n\n${test}`);
    expect(failing.code).toBe(1);
    expect(failing.stdout).toMatch(/execution fidelity +0/);
    expect(failing.stdout).toMatch(/outcome is "passed" in the original and "failed" in the gist/);
    const importing = await score(`from bank.account import interest\n\n${test}`);
    expect(importing.code).toBe(1);
    expect(importing.stdout).toContain('codebase-import');
    const broken = await score('def interest(:\n');
    expect(broken.code).toBe(1);
    expect(broken.stdout).toContain('syntax-error');
  });
});
