// `gistify bench report`: a run's results in, a folder of report files out, or one form on standard output.
import { mkdir } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { GistifyError } from '../../base/gistifyError.js';
import { readRun } from '../../bench/report/readRun.js';
import { makeTables } from '../../bench/report/tables.js';
import { reportMarkdown, writeReport } from '../../bench/report/writeReport.js';
import { openStore } from '../../bench/openStore.js';
import { parseOptions } from '../parseOptions.js';
import { writeWhole } from '../writeWhole.js';

export async function reportCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, {
    out: { type: 'string', short: 'o' },
    quiet: { type: 'boolean', short: 'q' },
  });
  const [where, ...extra] = positionals;
  if (where === undefined || extra.length > 0)
    throw new GistifyError(
      'usage',
      'report needs the results of one run',
      'For example: gistify bench report results',
    );
  const run = await readRun(await openStore(where));
  const tables = makeTables(run);
  const out = resolve(values.out ?? (where.startsWith('s3://') ? 'report' : join(where, 'report')));
  const link = where.startsWith('s3://')
    ? null
    : (path: string) =>
        `${relative(out, resolve(where, path)).split(sep).map(encodeURIComponent).join('/')}/`;
  await mkdir(out, { recursive: true });
  for (const { name, text } of writeReport(run, tables, link)) await writeWhole(join(out, name), text);
  if (values.quiet !== true) process.stdout.write(reportMarkdown(run, tables));
  process.stderr.write(`report.md, report.json, report.html and tables as CSV: ${out}\n`);
  return 0;
}
