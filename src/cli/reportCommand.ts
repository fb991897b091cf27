// `gistify report`: a report (JSON) in, the same as one page of HTML out, complete in itself.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { GistifyError, exitStatus } from '../base/gistifyError.js';
import { english } from '../base/translate.js';
import { reportSchema, type Report } from '../model/report.js';
import { reportPage } from '../report/reportPage.js';
import { writableTarget } from './commonOptions.js';
import { parseOptions } from './parseOptions.js';
import { writeWhole } from './writeWhole.js';

export async function reportCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, { out: { type: 'string', short: 'o' } });
  const [file, ...extra] = positionals;
  if (file === undefined || extra.length > 0)
    throw new GistifyError(
      'usage',
      file === undefined
        ? 'which report? a file is missing'
        : `one report at a time, not ${positionals.length}`,
      'For example: gistify report report.json --out report.html. `gistify run --report report.json` makes one.',
    );
  const cwd = process.cwd();
  const out = values.out ?? file.replace(/(\.json)?$/, '.html');
  const target = out === '-' ? null : writableTarget(out, cwd);
  const text = await readFile(resolve(cwd, file), 'utf8').catch(() => null);
  if (text === null)
    throw new GistifyError('file-not-found', `there is no file ${file}`, 'Name the report to show.');
  const report = reportIn(text, file);
  // Named by the content: the same report gives the same bytes.
  const nonce = createHash('sha256').update(text).digest('hex').slice(0, 32);
  const page = reportPage(report, { t: english, language: 'en', nonce, script: null });
  if (target === null) process.stdout.write(page);
  else {
    await writeWhole(target, page);
    process.stdout.write(`${target}\n`);
  }
  return exitStatus.verified;
}

function reportIn(text: string, file: string): Report {
  let report: Partial<Report> | null = null;
  try {
    report = JSON.parse(text) as Partial<Report> | null;
  } catch {
    // Said below: a file that is no JSON is no report either.
  }
  if (report?.schema !== reportSchema || report.gist === undefined || report.lines === undefined)
    throw new GistifyError(
      'usage',
      `${file} is no report of schema ${reportSchema}`,
      'Make one with `gistify run <node id> --report FILE` or `gistify score … --report FILE`.',
    );
  return report as Report;
}
