// `gistify bench compare`: two agents, of one run or of two, in; paired differences with confidence intervals out.
import { GistifyError } from '../../base/gistifyError.js';
import { compareRuns, type Comparison } from '../../bench/compareRuns.js';
import { readRun, type Outcome } from '../../bench/report/readRun.js';
import { openStore } from '../../bench/openStore.js';
import { parseOptions } from '../parseOptions.js';
import { countOption } from './benchOptions.js';

export async function compareCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, {
    seed: { type: 'string' },
    resamples: { type: 'string' },
    json: { type: 'boolean' },
  });
  const [first, second, ...extra] = positionals;
  if (first === undefined || second === undefined || extra.length > 0)
    throw new GistifyError(
      'usage',
      'compare needs two results, each RESULTS or RESULTS@AGENT',
      'For example: gistify bench compare results@builtin results@builtin-held',
    );
  const comparison = compareRuns(
    await outcomesOf(first),
    await outcomesOf(second),
    countOption('seed', values.seed, 1, 0),
    countOption('resamples', values.resamples, 10_000),
  );
  process.stdout.write(
    values.json === true ? `${JSON.stringify(comparison, null, 1)}\n` : show(comparison, first, second),
  );
  return 0;
}

async function outcomesOf(words: string): Promise<readonly Outcome[]> {
  const at = words.lastIndexOf('@');
  const [where, name] = at === -1 ? [words, null] : [words.slice(0, at), words.slice(at + 1)];
  const run = await readRun(await openStore(where));
  const names = run.manifest.agents.map((agent) => agent.name);
  const wanted = name ?? (names.length === 1 ? names[0] : undefined);
  if (wanted === undefined || !names.includes(wanted))
    throw new GistifyError(
      'usage',
      wanted === undefined ? `${where} has more than one agent` : `${where} has no agent ${wanted}`,
      `Name one: ${names.map((one) => `${where}@${one}`).join(', ')}.`,
    );
  return run.outcomes.filter(({ result }) => result.agent === wanted);
}

function show({ differences, unpaired, resamples, seed }: Comparison, first: string, second: string): string {
  const percent = (value: number | null) => (value === null ? '-' : (100 * value).toFixed(1));
  const rows = differences.map(
    ({ measure, pairs, first: a, second: b, difference, interval, higher, lower, same }) => {
      const range = interval === null ? '' : ` [${percent(interval[0])}, ${percent(interval[1])}]`;
      return `${measure.padEnd(10)} ${percent(a)} -> ${percent(b)}   difference ${percent(difference)}${range}   higher ${higher}, lower ${lower}, same ${same} of ${pairs}`;
    },
  );
  return [
    `first:  ${first}`,
    `second: ${second}`,
    ...rows,
    `in percent, second minus first; 95% intervals by bootstrap over tasks (${resamples} resamples, seed ${seed}); ${unpaired} tasks unpaired`,
    '',
  ].join('\n');
}
