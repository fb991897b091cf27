// `gistify bench merge`: results of shards in, one set of results out.
import { GistifyError } from '../../base/gistifyError.js';
import { mergeRuns } from '../../bench/mergeRuns.js';
import { openStore } from '../../bench/openStore.js';
import { parseOptions } from '../parseOptions.js';

export async function mergeCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, { out: { type: 'string', short: 'o' } });
  if (positionals.length === 0 || values.out === undefined)
    throw new GistifyError(
      'usage',
      'merge needs the results of shards and --out',
      'For example: gistify bench merge shard-1 shard-2 --out results',
    );
  const sources = await Promise.all(positionals.map((where) => openStore(where)));
  const { taken, known, disagreeing } = await mergeRuns(sources, await openStore(values.out));
  process.stderr.write(`${taken} tasks taken, ${known} were there: ${values.out}\n`);
  for (const path of disagreeing) process.stderr.write(`fidelity differs, the first stays: ${path}\n`);
  return 0;
}
