// `gistify bench manifest`: what is to be run in, a manifest for an engine that runs its shards on standard output.
import { GistifyError } from '../../base/gistifyError.js';
import { githubManifest, kubernetesManifest } from '../../bench/deployManifest.js';
import { parseOptions } from '../parseOptions.js';
import { countOption } from './benchOptions.js';

export function manifestCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, {
    agent: { type: 'string', multiple: true, short: 'a' },
    shards: { type: 'string' },
    out: { type: 'string', short: 'o' },
    image: { type: 'string' },
    name: { type: 'string' },
    secret: { type: 'string' },
  });
  const [engine, dataset, ...extra] = positionals;
  if (dataset === undefined || extra.length > 0 || (engine !== 'kubernetes' && engine !== 'github'))
    throw new GistifyError(
      'usage',
      'manifest needs kubernetes or github and a dataset',
      'For example: gistify bench manifest kubernetes /data/dataset.json --shards 8 --out s3://bucket/run',
    );
  if (engine === 'kubernetes' && values.out?.startsWith('s3://') !== true)
    throw new GistifyError(
      'usage',
      'the pods of a job share no folder',
      'Give a store that all of them reach with --out s3://bucket/prefix.',
    );
  const deployment = {
    dataset,
    agents: values.agent ?? ['builtin'],
    shards: countOption('shards', values.shards, 4),
    out: values.out ?? 'results',
    image: values.image ?? 'gistify:latest',
    name: values.name ?? 'gistify-bench',
    secret: values.secret ?? null,
  };
  process.stdout.write(engine === 'kubernetes' ? kubernetesManifest(deployment) : githubManifest(deployment));
  return Promise.resolve(0);
}
