// `gistify export`: a node id or a gist in; a file, an issue's text or an archive out, after what was masked and what
// looks like a secret has been said.
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { GistifyError, exitStatus } from '../base/gistifyError.js';
import { exportGist, type Exported } from '../engine/exportGist.js';
import { gistify } from '../engine/gistify.js';
import { reportSchema, type Report } from '../model/report.js';
import type { Host } from '../model/progress.js';
import type { LayoutChoice, ReduceChoice, Task } from '../model/task.js';
import { issueText } from '../report/issueBody.js';
import { newIssueAddress } from '../report/newIssue.js';
import { reproFiles, reproZip } from '../report/reproZip.js';
import {
  findPython,
  givenEnvironment,
  oneOf,
  placeOf,
  secondsOption,
  writableTarget,
} from './commonOptions.js';
import { installation } from './installation.js';
import { parseOptions } from './parseOptions.js';
import { createTerminal } from './terminal.js';
import { writeWhole } from './writeWhole.js';

type Form = 'py' | 'md' | 'zip' | 'json';

/** The report that lies beside a gist, or where it was said to lie. */
async function reportOf(file: string, option: string | undefined, cwd: string): Promise<Report> {
  const place = resolve(cwd, option ?? file.replace(/\.py$/, '.json'));
  const text = await readFile(place, 'utf8').catch(() => null);
  if (text === null)
    throw new GistifyError(
      'file-not-found',
      `there is no report ${place}`,
      'A gist is exported with its report: gistify run … --report FILE makes it. Or export the node id.',
    );
  const report = JSON.parse(text) as Report | { readonly schema: unknown };
  if (report.schema !== reportSchema)
    throw new GistifyError('usage', `${place} is no report of this version`, 'Gistify the test again.');
  return report as Report;
}

function said({ secrets, masked }: Exported, kept: boolean): string {
  const rows = masked.map(
    ({ what, count }) => `masked: ${what}, ${count} ${count === 1 ? 'place' : 'places'}`,
  );
  for (const { rule, line, message } of secrets)
    rows.push(
      `${kept ? 'KEPT' : 'masked'}: looks like a secret, line ${line} of ${kept ? 'the export' : 'the gist'} (${rule}: ${message})`,
    );
  return rows.map((row) => `${row}\n`).join('');
}

/** `gistify export`. */
export async function exportCommand(args: readonly string[], signal: AbortSignal): Promise<number> {
  const { values, positionals, rest } = parseOptions(args, {
    as: { type: 'string' },
    repo: { type: 'string' },
    python: { type: 'string' },
    out: { type: 'string', short: 'o' },
    report: { type: 'string' },
    reduce: { type: 'string' },
    layout: { type: 'string' },
    budget: { type: 'string' },
    timeout: { type: 'string' },
    secrets: { type: 'string' },
    quiet: { type: 'boolean', short: 'q' },
    verbose: { type: 'boolean', short: 'v' },
  });
  const [subject, ...extra] = positionals;
  if (subject === undefined || extra.length > 0)
    throw new GistifyError(
      'usage',
      'export needs one node id or one gist',
      'For example: gistify export tests/test_a.py::test_b --as md',
    );
  const cwd = process.cwd();
  const env = givenEnvironment();
  const form = oneOf<Form>('as', values.as, ['py', 'md', 'zip', 'json'], 'py');
  const secrets = oneOf('secrets', values.secrets, ['mask', 'keep'], 'mask');
  const out = values.out ?? { py: 'repro.py', md: 'repro.md', zip: 'repro.zip', json: 'repro.json' }[form];
  const target = out === '-' && form !== 'zip' ? null : writableTarget(out, cwd);
  const terminal = createTerminal(
    values.quiet === true ? 'quiet' : values.verbose === true ? 'verbose' : 'normal',
  );
  const host: Host = { signal, progress: terminal.progress, log: terminal.log };
  try {
    const report = subject.includes('::')
      ? await gistify({
          task: await taskOf(),
          host,
          installation: installation(),
          env,
          cwd,
          fileName: 'repro.py',
        })
      : await reportOf(subject, values.report, cwd);
    if (signal.aborted) throw new GistifyError('cancelled', 'cancelled');
    const exported = await exportGist({ report, host, installation: installation(), env, secrets });
    terminal.end();
    process.stderr.write(said(exported, secrets === 'keep'));
    await write(exported);
  } finally {
    terminal.end();
  }
  if (values.quiet !== true && target !== null) process.stderr.write(`exported  ${target}\n`);
  return exitStatus.verified;

  async function taskOf(): Promise<Task> {
    const place = await placeOf(subject ?? '', values.repo, cwd);
    return {
      ...place,
      python: await findPython(values.python, place.repo, cwd, env),
      pytestArgs: rest,
      layout: oneOf<LayoutChoice>('layout', values.layout, ['auto', 'flat', 'held'], 'auto'),
      reduce: oneOf<ReduceChoice>('reduce', values.reduce, ['executed', 'minimal'], 'executed'),
      sandbox: 'local',
      timeout: secondsOption(values.timeout, 120),
      budget: secondsOption(values.budget, 120, 'budget'),
      keepDocstrings: false,
    };
  }

  async function write(exported: Exported): Promise<void> {
    const { text, body, facts, title } = exported;
    const address = facts.repository === null ? null : newIssueAddress(facts.repository, title, body);
    const made = {
      py: text,
      md: issueText(title, body),
      json: `${JSON.stringify({ ...exported, newIssue: address }, null, 1)}\n`,
      zip: '',
    }[form];
    if (target === null) process.stdout.write(made);
    else if (form !== 'zip') await writeWhole(target, made);
    else await writeFile(target, reproZip(reproFiles(exported)));
  }
}
