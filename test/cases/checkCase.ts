// A folder with a codebase and its expectation goes in, what differs comes out: the tool is run as its user runs it,
// and its gist once more by plain pytest in an empty folder, so that nothing is believed of what the tool says of itself.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, cp, mkdir, mkdtemp, readFile, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { Report } from '../../src/model/report.js';
import { readCase, type Also, type CaseFile, type GistRun } from './caseFile.js';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

interface Place {
  readonly facts: CaseFile;
  readonly python: string;
  /** The throw-away copy of the codebase. */
  readonly repo: string;
  /** Where everything else of the check lies. */
  readonly work: string;
}

interface Made {
  readonly ended: Ended;
  readonly gist: string | null;
  readonly report: Report | null;
}

/** Checks one case. The result names what differs from what is right; it is empty where the case holds. */
export async function checkCase(folder: string, python: string): Promise<readonly string[]> {
  const facts = await readCase(folder);
  const work = await realpath(await mkdtemp(path.join(os.tmpdir(), 'gistify-case-')));
  try {
    const repo = path.join(work, 'codebase');
    await cp(folder, repo, { recursive: true, filter: (source) => path.basename(source) !== 'expect.json' });
    if (facts.also?.readOnly === true) await setWritable(repo, false);
    const before = await snapshot(repo);
    const place: Place = { facts, python, repo, work };
    const problems = await checkNode(place, facts.nodeid, facts.pytest_summary, facts.also ?? {});
    const after = await snapshot(repo);
    problems.push(...treeDifferences(before, after));
    for (const { nodeid, summary, ...also } of facts.also?.nodes ?? []) {
      const further = await checkNode(place, nodeid, summary ?? '', also, { ...facts, ...plain });
      problems.push(...further.map((problem) => `${nodeid}: ${problem}`));
    }
    if (facts.also?.interrupted !== undefined)
      problems.push(...(await checkInterrupted(place, facts.also.interrupted.seconds)));
    return problems;
  } finally {
    await setWritable(work, true);
    await rm(work, { recursive: true, force: true });
  }
}

/** Demands of the case's main test that its other tests do not share. */
const plain = { output_contains: [], gist_must_contain: [], gist_must_not_contain: [] };

async function checkNode(
  place: Place,
  nodeId: string,
  summary: string,
  also: Also,
  facts = place.facts,
): Promise<string[]> {
  const { ended, gist, report } = await gistify(place, nodeId);
  if (also.error !== undefined) return refusalProblems(ended, gist, 4, also.error, 'every');
  if (ended.code === 3 && also.refusal !== undefined)
    return refusalProblems(ended, gist, 3, also.refusal, 'some');
  if (gist === null || report === null)
    return [`exit status ${ended.code}, nothing made: ${lastLines(ended.output)}`];
  const problems: string[] = [];
  if (ended.code !== 0 || !report.verified)
    problems.push(
      `exit status ${ended.code}, verified ${report.verified}: ${report.score.problems.slice(0, 2).join(' | ')}`,
    );
  problems.push(...(await originProblems(place, gist, report)));
  problems.push(...textProblems(place, gist, facts, also), ...noteProblems(gist, report, also));
  for (const [line, file] of Object.entries(also.origins ?? {}))
    problems.push(...originOfLine(gist, report, line, file));
  const run = await runGist(place, gist, report, nodeId, {
    what: '',
    summary,
    ...(also.whole === undefined ? {} : { whole: also.whole }),
  });
  problems.push(...runProblems(run, summary, [...facts.output_contains, ...(also.output ?? [])], []));
  if (also.order !== undefined) problems.push(...orderProblems(run.output, also.order));
  for (const more of also.runs ?? []) {
    const found = runProblems(
      await runGist(place, gist, report, nodeId, more),
      more.summary,
      more.output ?? [],
      more.notOutput ?? [],
    );
    problems.push(...found.map((problem) => `${more.what}: ${problem}`));
  }
  if (also.sameOutput === true) problems.push(...(await sameOutputProblems(place, run, report, nodeId)));
  if (also.script !== undefined) problems.push(...(await scriptProblems(place, gist, also.script)));
  return problems;
}

async function gistify(place: Place, nodeId: string): Promise<Made> {
  const { facts, repo, python, work } = place;
  const folder = await mkdtemp(path.join(work, 'made-'));
  const out = path.join(folder, 'gist.py');
  const report = path.join(folder, 'report.json');
  const ended = await runProcess(
    process.execPath,
    cliArguments(nodeId, repo, python, out, report, facts.args),
    repo,
    { ...facts.env, ...facts.also?.env },
  );
  return {
    ended,
    gist: await readFile(out, 'utf8').catch(() => null),
    report: await readFile(report, 'utf8').then(
      (text) => JSON.parse(text) as Report,
      () => null,
    ),
  };
}

function cliArguments(
  nodeId: string,
  repo: string,
  python: string,
  out: string,
  report: string,
  args: readonly string[],
): string[] {
  return [
    cli,
    'run',
    nodeId,
    '--repo',
    repo,
    '--python',
    python,
    '--out',
    out,
    '--report',
    report,
    ...(args.length > 0 ? ['--', ...args] : []),
  ];
}

/** Runs the gist by plain pytest in a folder that holds nothing else, or inside the codebase where a run says so. */
async function runGist(
  place: Place,
  gist: string,
  report: Report,
  nodeId: string,
  how: GistRun,
): Promise<Ended> {
  const { facts, python, repo, work } = place;
  const alone = await mkdtemp(path.join(work, 'alone-'));
  const file = 'gist_alone.py';
  let folder = alone;
  if (how.inside === true) {
    await cp(repo, path.join(alone, 'codebase'), { recursive: true });
    folder = path.join(alone, 'codebase', path.dirname(nodeId.split('::')[0] ?? ''));
  }
  await writeFile(path.join(folder, file), gist);
  const test = how.whole === true ? file : [file, ...nodeId.split('::').slice(1)].join('::');
  const settings = how.inside === true ? [] : ['-c', os.devNull, '--rootdir', '.'];
  const args = [
    '-m',
    'pytest',
    '-rA',
    '-s',
    '-p',
    'no:cacheprovider',
    ...settings,
    ...facts.args,
    ...(how.args ?? []),
    test,
  ];
  return runProcess(python, args, folder, { PYTHONHASHSEED: seedOf(report), ...facts.env, ...how.env });
}

function seedOf(report: Report): string {
  return /^\d+$/.test(report.environment.hashSeed) ? report.environment.hashSeed : '0';
}

/** What a run of a gist must show. */
function runProblems(
  run: Ended,
  summary: string,
  wanted: readonly string[],
  unwanted: readonly string[],
): string[] {
  const problems: string[] = [];
  const counts = countsOf(lastSummary(run.output));
  if (counts !== countsOf(summary))
    problems.push(
      `the gist alone: ${counts || `no summary (${lastLines(run.output)})`}, not ${summary}${errorLines(run.output)}`,
    );
  for (const text of wanted)
    if (!run.output.includes(text)) problems.push(`the gist alone does not print ${JSON.stringify(text)}`);
  for (const text of unwanted)
    if (run.output.includes(text)) problems.push(`the gist alone prints ${JSON.stringify(text)}`);
  return problems;
}

function lastSummary(output: string): string {
  return output.split('\n').findLast((line) => /\d+ \w+.* in [\d.]+s/.test(line)) ?? '';
}

/** `1 error, 2 passed`: the counts of a summary line in the order of their names; warnings are none of the outcome. */
function countsOf(summary: string): string {
  const found = [...summary.matchAll(/(\d+) (passed|failed|skipped|xfailed|xpassed|deselected|errors?)\b/g)];
  return found
    .map(([, count, what]) => `${count ?? ''} ${(what ?? '').replace(/^errors$/, 'error')}`)
    .sort((a, b) => (a.slice(2) < b.slice(2) ? -1 : 1))
    .join(', ');
}

function errorLines(output: string): string {
  const lines = output.split('\n').filter((line) => /^E {2,}\S/.test(line));
  return lines.length === 0
    ? ''
    : ` (${lines
        .slice(0, 2)
        .map((line) => line.slice(1).trim())
        .join(' / ')})`;
}

function lastLines(output: string): string {
  return output.trim().split('\n').slice(-4).join(' / ');
}

function refusalProblems(
  ended: Ended,
  gist: string | null,
  status: number,
  words: readonly string[],
  how: 'every' | 'some',
): string[] {
  const problems: string[] = [];
  if (ended.code !== status) problems.push(`exit status ${ended.code}, not ${status}`);
  if (gist !== null) problems.push('a gist was written');
  if (!words[how]((word) => ended.output.includes(word)))
    problems.push(`the message does not name ${words.join(', ')}: ${lastLines(ended.output)}`);
  return problems;
}

/** Demands on the text; no gist holds a path of the machine that it was made on. */
function textProblems(place: Place, gist: string, facts: CaseFile, also: Also): string[] {
  const problems: string[] = [];
  for (const text of [...facts.gist_must_contain, ...(also.gist ?? [])])
    if (!gist.includes(text)) problems.push(`the gist lacks ${JSON.stringify(text)}`);
  for (const text of [...facts.gist_must_not_contain, ...(also.notGist ?? [])].map((text) =>
    text.replace('{root}', place.repo),
  ))
    if (gist.includes(text)) problems.push(`the gist has ${JSON.stringify(text)}`);
  if (gist.includes(place.work)) problems.push('the gist has a path of this machine');
  return problems;
}

function noteProblems(gist: string, report: Report, also: Also): string[] {
  const told = `${gist}\n${JSON.stringify([report.diagnostics, report.environment])}`;
  const notes = (also.notes ?? [])
    .filter((word) => !told.includes(word))
    .map((word) => `neither gist nor report names ${word}`);
  const unread = (also.variables ?? []).filter((name) => !report.environment.variablesRead.includes(name));
  return [...notes, ...unread.map((name) => `the report does not name ${name} as read`)];
}

/** Every line that the report calls kept stands where it says, indentation aside. */
async function originProblems(place: Place, gist: string, report: Report): Promise<string[]> {
  const lines = gist.split('\n').slice(0, -1);
  if (lines.length !== report.lines.length) return [`${lines.length} lines, ${report.lines.length} origins`];
  const problems: string[] = [];
  const files = new Map<string, string[]>();
  for (const [index, { origin }] of report.lines.entries()) {
    if (origin.kind !== 'kept') continue;
    const known = files.get(origin.file);
    const source = known ?? (await readFile(path.join(place.repo, origin.file), 'utf8')).split(/\r\n|\n|\r/);
    if (known === undefined) files.set(origin.file, source);
    const line = lines[index] ?? '';
    if (source[origin.line - 1]?.trim() !== line.trim())
      problems.push(`line ${index + 1} ${JSON.stringify(line.trim())} is not ${origin.file}:${origin.line}`);
  }
  return problems.slice(0, 3);
}

function originOfLine(gist: string, report: Report, text: string, file: string): string[] {
  const at = gist.split('\n').findIndex((line) => line.trim() === text);
  const origin = report.lines[at]?.origin;
  if (origin === undefined) return [`no line ${JSON.stringify(text)}`];
  const found = origin.kind === 'added' ? 'nowhere' : origin.file;
  return found === file ? [] : [`line ${JSON.stringify(text)} is from ${found}, not ${file}`];
}

function orderProblems(output: string, order: readonly string[]): string[] {
  const words = (line: string) =>
    line
      .trim()
      .replace(/^gist_alone\.py /, '')
      .replace(/^\.(?=\w)/, '')
      .replace(/\.$/, '');
  const found = output
    .split('\n')
    .map(words)
    .filter((line) => order.includes(line));
  return found.join(' | ') === order.join(' | ')
    ? []
    : [`prints ${found.join(' | ')}, not ${order.join(' | ')}`];
}

async function sameOutputProblems(
  place: Place,
  run: Ended,
  report: Report,
  nodeId: string,
): Promise<string[]> {
  const copy = await mkdtemp(path.join(place.work, 'again-'));
  await cp(place.repo, copy, { recursive: true });
  const original = await runProcess(
    place.python,
    ['-m', 'pytest', '-rA', '-s', '-p', 'no:cacheprovider', nodeId],
    copy,
    { PYTHONHASHSEED: seedOf(report), ...place.facts.env },
  );
  const printed = (output: string) =>
    output
      .split('\n')
      .filter((line) => !/^(=|\.|platform|rootdir|configfile|plugins|PASSED|FAILED|collect)/.test(line))
      .map((line) => line.replace(/^\S+\.py /, ''))
      .join('\n');
  return printed(original.output) === printed(run.output)
    ? []
    : [
        `prints ${JSON.stringify(printed(run.output))}, the original ${JSON.stringify(printed(original.output))}`,
      ];
}

async function scriptProblems(
  place: Place,
  gist: string,
  wanted: { readonly status: number; readonly notOutput: readonly string[] },
): Promise<string[]> {
  const folder = await mkdtemp(path.join(place.work, 'script-'));
  await writeFile(path.join(folder, 'gist.py'), gist);
  const ran = await runProcess(place.python, ['gist.py'], folder, place.facts.env);
  const problems = wanted.notOutput
    .filter((text) => ran.output.includes(text))
    .map((text) => `as a script it prints ${JSON.stringify(text)}`);
  return ran.code === wanted.status
    ? problems
    : [...problems, `as a script it ends with status ${ran.code}: ${lastLines(ran.output)}`];
}

async function checkInterrupted(place: Place, seconds: number): Promise<string[]> {
  const { facts, repo, python, work } = place;
  const folder = path.join(work, 'interrupted');
  await mkdir(folder);
  const args = cliArguments(
    facts.nodeid,
    repo,
    python,
    path.join(folder, 'gist.py'),
    path.join(folder, 'report.json'),
    facts.args,
  );
  const ended = await runProcess(process.execPath, args, repo, facts.env, seconds);
  const left = await readdir(folder);
  const problems = ended.code === 130 ? [] : [`interrupted, it ends with status ${ended.code}`];
  return left.length === 0 ? problems : [...problems, `interrupted, it leaves ${left.join(', ')}`];
}

/** Relative path to what is there: content of files, targets aside nothing else matters. */
async function snapshot(folder: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    found.set(
      path.relative(folder, file),
      entry.isFile()
        ? createHash('sha1')
            .update(await readFile(file))
            .digest('hex')
        : 'folder',
    );
  }
  return found;
}

function treeDifferences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name),
  );
  return names.map((name) => `the codebase is no longer as it was: ${name}`);
}

async function setWritable(folder: string, writable: boolean): Promise<void> {
  const mode = async (file: string, isFolder: boolean) =>
    chmod(file, (isFolder ? 0o555 : 0o444) | (writable ? 0o200 : 0));
  await mode(folder, true);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() || entry.isDirectory())
      await mode(path.join(entry.parentPath, entry.name), entry.isDirectory());
  }
}

/** The environment of this process without what would reach into Python or pytest. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(PYTHON|PYTEST|VITEST|COVERAGE|VIRTUAL_ENV)/.test(name),
    ),
  );
}

function runProcess(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  interruptAfter?: number,
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...cleanEnvironment(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const timer =
      interruptAfter === undefined
        ? undefined
        : setTimeout(() => child.kill('SIGINT'), interruptAfter * 1000);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.on('error', (error) => resolve({ code: 127, output: error.message }));
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, output });
    });
  });
}
