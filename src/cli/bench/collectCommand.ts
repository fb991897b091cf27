// `gistify bench collect`: a folder or a dataset in, a measured dataset out.
import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { GistifyError } from '../../base/gistifyError.js';
import { groupBy } from '../../base/groupBy.js';
import { collect } from '../../bench/collect.js';
import { parseDataset, readDataset, type Dataset } from '../../bench/dataset.js';
import { givenEnvironment, secondsOption, writableTarget } from '../commonOptions.js';
import { installation } from '../installation.js';
import { parseOptions } from '../parseOptions.js';
import { createTerminal, loudnessOf } from '../terminal.js';
import { writeWhole } from '../writeWhole.js';
import { jobsOption, placeOptions, preparer, variablesOption } from './benchOptions.js';

const options = {
  ...placeOptions,
  repo: { type: 'string' },
  name: { type: 'string' },
  dataset: { type: 'string' },
  nodes: { type: 'string' },
  pythonpath: { type: 'string', multiple: true },
  env: { type: 'string', multiple: true },
  slow: { type: 'string' },
  timeout: { type: 'string' },
  out: { type: 'string', short: 'o' },
} as const;

export async function collectCommand(args: readonly string[], signal: AbortSignal): Promise<number> {
  const { values, positionals, rest } = parseOptions(args, options);
  const { repo, dataset: file } = values;
  if ((repo === undefined) === (file === undefined))
    throw new GistifyError(
      'usage',
      'collect needs either --repo DIR or --dataset FILE',
      'For example: gistify bench collect --repo . --out dataset.json',
    );
  const out = values.out ?? 'dataset.json';
  const target = writableTarget(out, process.cwd());
  const given =
    file === undefined
      ? datasetOfFolder(repo ?? '.', values.name, values.pythonpath ?? [], values.env ?? [], rest)
      : await readDataset(file);
  const listed = values.nodes === undefined ? [] : (await readNodes(values.nodes)).concat(positionals);
  const places = values.nodes === undefined ? positionals : listed;
  const terminal = createTerminal(loudnessOf(values));
  const measured = await collect(given, {
    slow: secondsOption(values.slow, 30),
    timeout: secondsOption(values.timeout, 1800),
    jobs: jobsOption(values.jobs),
    places,
    host: { signal, progress: terminal.progress, log: terminal.log },
    installation: installation(),
    env: givenEnvironment(),
    prepare: preparer(values, file ?? out, signal, (line) => process.stderr.write(`${line}\n`)),
  }).finally(() => {
    terminal.end();
  });
  await writeWhole(target, `${JSON.stringify(measured, null, 1)}\n`);
  if (values.quiet !== true) process.stderr.write(summary(measured, out));
  return 0;
}

function datasetOfFolder(
  folder: string,
  name: string | undefined,
  pythonPath: readonly string[],
  env: readonly string[],
  pytestArgs: readonly string[],
): Dataset {
  const full = resolve(process.cwd(), folder);
  const called = name ?? basename(full).replaceAll(/[^\w.-]/g, '-');
  return parseDataset(
    {
      schema: 1,
      name: called,
      repositories: [
        { name: called, source: { folder: full }, pythonPath, variables: variablesOption(env), pytestArgs },
      ],
      tasks: [],
    },
    'what the options describe',
  );
}

async function readNodes(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null)
    throw new GistifyError('file-not-found', `there is no file ${file}`, 'It holds one node id a line.');
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
}

function summary({ tasks, dropped }: Dataset, out: string): string {
  const reasons = [...groupBy(dropped, ({ reason }) => reason)].map(
    ([reason, all]) => `${reason} ${all.length}`,
  );
  return `${tasks.length} tests kept, ${dropped.length} dropped${reasons.length > 0 ? ` (${reasons.join(', ')})` : ''}: ${out}\n`;
}
