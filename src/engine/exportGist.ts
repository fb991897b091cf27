// A Report flows in, a repro that is fit to leave this machine flows out: names of this machine and secrets masked, its
// packages as a run of it really imported them, and verified in a fresh process as it will be sent.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { isCommand } from '../base/command.js';
import { testSelector } from '../base/testSelector.js';
import { GistifyError } from '../base/gistifyError.js';
import { isSecretFile } from '../link/dataFiles.js';
import type { Gist } from '../model/gist.js';
import type { Host } from '../model/progress.js';
import type { Report } from '../model/report.js';
import { issueBody, issueTitle } from '../report/issueBody.js';
import { mask, type Masked, type Place } from '../report/mask.js';
import { webAddress } from '../report/newIssue.js';
import type { ReproFacts } from '../report/reproFacts.js';
import { reproFile } from '../report/reproFile.js';
import { findSecrets, maskSecrets, type SecretFinding } from '../report/secrets.js';
import { createLocalSandbox } from '../sandbox/localSandbox.js';
import { observeFresh, type CandidateRequest, type Observation } from '../trace/candidates.js';
import type { Runner } from '../trace/runPytest.js';
import { readCommit, type Installation } from './sources.js';

export interface ExportInput {
  readonly report: Report;
  readonly host: Host;
  readonly installation: Installation;
  readonly env: Readonly<Record<string, string>>;
  /** What to do with what looks like a secret; it is told either way. */
  readonly secrets: 'mask' | 'keep';
}

export interface Exported {
  readonly fileName: string;
  /** The whole file. */
  readonly text: string;
  readonly facts: ReproFacts;
  readonly title: string;
  readonly body: string;
  readonly requirements: string;
  /** Small text files that the test reads, by their path. */
  readonly data: Readonly<Record<string, string>>;
  /** Places in `text`. */
  readonly secrets: readonly SecretFinding[];
  readonly masked: Masked['changes'];
}

const fileName = 'repro.py';
const largestDataFile = 200_000;

/** Makes the export of a verified gist. Throws GistifyError where what it would send no longer reproduces. */
export async function exportGist(input: ExportInput): Promise<Exported> {
  const { report, host, installation } = input;
  if (!report.verified)
    throw new GistifyError(
      'refused',
      'the gist does not verify',
      'Only a verified gist is exported; gistify the test again.',
    );
  if (report.task.sandbox !== 'local')
    throw new GistifyError(
      'refused',
      `the gist was made in ${report.environment.sandbox ?? report.task.sandbox}`,
      'Only gists of local runs are exported; use --sandbox local.',
    );
  if (isCommand(report.task.nodeId))
    throw new GistifyError(
      'refused',
      'a gist of a command is no repro of a test',
      'It runs as it is: python FILE with the arguments of the command.',
    );
  const sandbox = createLocalSandbox();
  try {
    host.progress({ stage: 'verify', message: 'running the gist as it is', fraction: 0.2 });
    const plain: Runner = {
      sandbox,
      python: report.task.python,
      helper: join(installation.root, 'helper'),
      env: input.env,
      timeout: report.task.timeout,
      signal: host.signal,
      log: (line) => host.log(line),
      cache: null,
    };
    const lean: Runner = { ...plain, env: { ...input.env, PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1' } };
    const request: CandidateRequest = {
      fileName,
      test: testSelector(report.task.nodeId),
      pytestArgs: report.task.pytestArgs,
      pythonPath: [],
      block: report.blocked ?? [],
      shadow: '',
    };
    const gist: Gist = { text: report.gist.text, origins: report.lines.map(({ origin }) => origin) };
    const base = await observeFresh(plain, request, gist.text);
    if (base === null || base.collectErrors.length > 0)
      throw new GistifyError(
        'refused',
        'the gist does not run any more',
        'Gistify the test again.',
        base?.collectErrors.join('\n') ?? '',
      );
    // Plugins that happen to be installed are left out unless the outcome needs them.
    const without = await observeFresh(lean, request, gist.text);
    const noPlugins = without !== null && sameOutcome(base, without, []);
    const runner = noPlugins ? lean : plain;
    const places = placesOf(report);
    const facts = await factsOf(report, noPlugins ? without : base, places);
    host.progress({ stage: 'verify', message: 'verifying the export', fraction: 0.6 });
    const masked = maskGist(gist, places);
    const added = new Set(gist.origins.flatMap(({ kind }, index) => (kind === 'added' ? [index + 1] : [])));
    const found = await findSecrets(masked.gist.text, fileName, added);
    const clean =
      input.secrets === 'mask' ? withText(masked.gist, maskSecrets(masked.gist.text, found)) : masked.gist;
    const text = reproFile(clean, facts);
    const seen = await observeFresh(runner, request, text);
    if (seen === null || !sameOutcome(base, seen, places))
      throw notTheSame(found, input.secrets, masked.changes, seen);
    const output = mask(seen.output.trim(), places);
    const whole: ReproFacts = { ...facts, output: output.text };
    const data = await dataOf(report, places);
    const body = issueBody({ kind: 'inline', code: text }, whole);
    const secrets = await findSecrets(text, fileName, addedIn(text, clean));
    return {
      fileName,
      text,
      facts: whole,
      title: issueTitle(whole),
      body: input.secrets === 'mask' ? maskSecrets(body, await secretsOutside(body, text)) : body,
      requirements: Object.entries(facts.packages)
        .map(([name, version]) => `${name}==${version}\n`)
        .join(''),
      data,
      secrets: input.secrets === 'mask' ? found : secrets,
      masked: sumOf([masked.changes, output.changes]),
    };
  } catch (error) {
    if (host.signal.aborted) throw new GistifyError('cancelled', 'cancelled');
    throw error;
  } finally {
    await sandbox.dispose();
  }
}

/** What the traceback or the facts could still show. */
async function secretsOutside(body: string, text: string): Promise<readonly SecretFinding[]> {
  return (await findSecrets(body, 'issue.md')).filter(
    ({ start, end }) => !text.includes(body.slice(start, end)),
  );
}

/** Lines of the export that Gistify put there itself. */
function addedIn(text: string, gist: Gist): ReadonlySet<number> {
  const lines = gist.text.split('\n');
  const added = new Set(
    gist.origins.flatMap(({ kind }, index) => (kind === 'added' ? [lines[index] ?? ''] : [])),
  );
  return new Set(text.split('\n').flatMap((line, index) => (added.has(line) ? [index + 1] : [])));
}

function notTheSame(
  found: readonly SecretFinding[],
  secrets: ExportInput['secrets'],
  changes: Masked['changes'],
  seen: Observation | null,
): GistifyError {
  const masked = [
    ...(secrets === 'mask' ? found.map(({ rule, line }) => `${rule} in line ${line} of the gist`) : []),
    ...changes.map(({ what, count }) => `${what}, ${count} times`),
  ];
  return new GistifyError(
    'refused',
    masked.length === 0
      ? 'the exported file does not behave as the gist'
      : 'with what was masked, the file no longer behaves as the gist',
    found.length > 0 && secrets === 'mask'
      ? 'Look at these places: where they are no secrets, --secrets keep leaves them as they are.'
      : 'Nothing was written.',
    [...masked, ...(seen?.collectErrors ?? [])].join('\n'),
  );
}

/** Whether two runs end alike, once the names of this machine are masked in both. */
function sameOutcome(a: Observation, b: Observation, places: readonly Place[]): boolean {
  const words = ({ signatures, reasons, collectErrors }: Observation) =>
    mask(
      JSON.stringify([signatures, reasons.map((reason) => reason.slice(0, 5)), collectErrors.length]),
      places,
    ).text.replaceAll('*', '');
  // Stars stand for secrets, which the message or the line may show.
  const [left, right] = [words(a), words(b)];
  return (
    left === right ||
    (b.output.includes('***') &&
      left.length >= right.length &&
      a.signatures.length === b.signatures.length &&
      JSON.stringify(a.signatures) === JSON.stringify(b.signatures) &&
      a.reasons.every((reason, index) => reason[2] === b.reasons[index]?.[2]))
  );
}

function withText(gist: Gist, text: string): Gist {
  return { text, origins: gist.origins };
}

function maskGist(
  gist: Gist,
  places: readonly Place[],
): { readonly gist: Gist; readonly changes: Masked['changes'] } {
  const { text, changes } = mask(gist.text, places);
  return { gist: withText(gist, text), changes };
}

function sumOf(all: readonly Masked['changes'][]): Masked['changes'] {
  const counts = new Map<Place['what'], number>();
  for (const { what, count } of all.flat()) counts.set(what, (counts.get(what) ?? 0) + count);
  return [...counts].map(([what, count]) => ({ what, count }));
}

function placesOf(report: Report): readonly Place[] {
  const prefix = dirname(dirname(report.task.python));
  return [
    { what: 'codebase', value: report.task.repo },
    { what: 'home folder', value: os.homedir() },
    { what: 'Python', value: prefix },
    { what: 'user name', value: os.userInfo().username },
    { what: 'host name', value: os.hostname() },
    { what: 'working folder', value: os.tmpdir() },
  ];
}

const run = promisify(execFile);

async function factsOf(report: Report, seen: Observation, places: readonly Place[]): Promise<ReproFacts> {
  const { task, environment } = report;
  const remote = await run('git', ['-C', task.repo, 'remote', 'get-url', 'origin']).then(
    ({ stdout }) => webAddress(stdout),
    () => null,
  );
  const commit = environment.commit ?? (await readCommit(task.repo));
  const [why] = seen.reasons;
  const outcome = seen.signatures.flat().find(([, name]) => name !== 'passed')?.[1] ?? 'passed';
  const observed =
    why === undefined
      ? outcome === 'passed'
        ? 'the test passes'
        : `the test is ${outcome}`
      : `${why[2].replace(/^repro\./, '')}: ${why[3]}`;
  return {
    nodeId: task.nodeId,
    fileName,
    repository: remote,
    commit: commit === null ? null : commit.replace(/\+$/, ''),
    dirty: commit?.endsWith('+') ?? false,
    python: environment.python,
    platform: `${os.type()} ${os.machine()}`,
    packages: Object.fromEntries(
      // What follows a plus is a build of one's own, which no index has.
      Object.entries(seen.packages ?? {}).map(([name, version]) => [name, version.split('+')[0] ?? version]),
    ),
    gistify: report.versions.gistify,
    lines: report.lines.filter(({ origin }) => origin.kind !== 'added').length,
    minimal: report.reduction != null,
    expected: 'the test passes',
    observed: mask(observed, places).text,
    output: '',
    dataFiles: report.diagnostics.flatMap(({ code, file }) =>
      code === 'reads-data-file' && file !== null ? [file] : [],
    ),
  };
}

/** Small text files that the test reads, to look at; the repro carries its own copies. */
async function dataOf(report: Report, places: readonly Place[]): Promise<Readonly<Record<string, string>>> {
  const files: [string, string][] = [];
  for (const { code, file } of report.diagnostics) {
    if (code !== 'reads-data-file' || file === null || isSecretFile(file)) continue;
    const bytes = await readFile(join(report.task.repo, file)).catch(() => null);
    if (bytes === null || bytes.length > largestDataFile || bytes.includes(0)) continue;
    const text = mask(bytes.toString('utf8'), places).text;
    files.push([file, maskSecrets(text, await findSecrets(text, file))]);
  }
  return Object.fromEntries(files);
}
