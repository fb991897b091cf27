// `gistify bench sample`: measured datasets in, a smaller one out.
import { basename } from 'node:path';
import { GistifyError } from '../../base/gistifyError.js';
import { readDataset } from '../../bench/dataset.js';
import { joinDatasets, markHard, onlyHard, samplePerRepository } from '../../bench/sample.js';
import { writableTarget } from '../commonOptions.js';
import { parseOptions } from '../parseOptions.js';
import { writeWhole } from '../writeWhole.js';
import { countOption } from './benchOptions.js';

export async function sampleCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, {
    'per-repository': { type: 'string', short: 'n' },
    seed: { type: 'string' },
    hard: { type: 'string' },
    'mark-hard': { type: 'string' },
    name: { type: 'string' },
    out: { type: 'string', short: 'o' },
    quiet: { type: 'boolean', short: 'q' },
  });
  if (positionals.length === 0)
    throw new GistifyError(
      'usage',
      'sample needs one dataset or more',
      'For example: gistify bench sample dataset.json --per-repository 25 --seed 7 --out sample.json',
    );
  const out = values.out ?? 'sample.json';
  const target = writableTarget(out, process.cwd());
  const name = values.name ?? basename(out).replace(/\.json$/, '');
  let dataset = joinDatasets(await Promise.all(positionals.map((file) => readDataset(file))), name);
  if (values['per-repository'] !== undefined) {
    const seed = countOption('seed', values.seed, 0, 0);
    dataset = samplePerRepository(dataset, countOption('per-repository', values['per-repository'], 1), seed);
  }
  if (values['mark-hard'] !== undefined)
    dataset = markHard(dataset, countOption('mark-hard', values['mark-hard'], 1));
  if (values.hard !== undefined) dataset = onlyHard(markHard(dataset, countOption('hard', values.hard, 1)));
  await writeWhole(target, `${JSON.stringify(dataset, null, 1)}\n`);
  if (values.quiet !== true)
    process.stderr.write(
      `${dataset.tasks.length} tasks of ${dataset.repositories.length} repositories: ${out}\n`,
    );
  return 0;
}
