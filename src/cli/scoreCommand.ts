// `gistify score`: any gist in, its measures out, whoever wrote it.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isCommand } from '../base/command.js';
import { GistifyError, exitStatus } from '../base/gistifyError.js';
import { scoreFile, type FileScore } from '../engine/scoreFile.js';
import { givenEnvironment, placeOf, placeOfCommand, secondsOption, writableTarget } from './commonOptions.js';
import { installation } from './installation.js';
import { parseOptions } from './parseOptions.js';
import { sandboxOf, sandboxOptions } from './sandboxOptions.js';
import { createTerminal, loudnessOf } from './terminal.js';
import { writeWhole } from './writeWhole.js';

function show({ score }: FileScore): string {
  const rate = (ratio: { hit: number; total: number } | null) =>
    ratio === null || ratio.total === 0
      ? '-'
      : `${((100 * ratio.hit) / ratio.total).toFixed(2)}% (${ratio.hit} of ${ratio.total})`;
  const rows = [
    `execution fidelity   ${score.fidelity}`,
    `line execution       ${rate(score.execution)}`,
    `line existence       ${rate(score.existence)}`,
    `test F1              ${score.testF1 === null ? '-' : `${(100 * score.testF1).toFixed(1)}%`}`,
    `failure              ${score.failure}`,
    ...score.problems.map((problem) => `  ${problem}`),
    ...(score.invented.length > 0 ? ['not in the codebase:'] : []),
    ...score.invented.map(
      ({ line, block, text, nearest }) =>
        `  line ${line}${block === '' ? '' : ` in ${block}`}: ${text}${nearest === null ? '' : `\n      nearest: ${nearest}`}`,
    ),
  ];
  return `${rows.join('\n')}\n`;
}

export async function scoreCommand(args: readonly string[], signal: AbortSignal): Promise<number> {
  const { values, positionals, rest } = parseOptions(args, {
    repo: { type: 'string' },
    node: { type: 'string' },
    python: { type: 'string' },
    timeout: { type: 'string' },
    ...sandboxOptions,
    report: { type: 'string' },
    json: { type: 'boolean' },
    quiet: { type: 'boolean', short: 'q' },
    verbose: { type: 'boolean', short: 'v' },
  });
  const [file, ...extra] = positionals;
  if (file === undefined || extra.length > 0 || values.node === undefined)
    throw new GistifyError(
      'usage',
      'score needs --node <node id> and one file',
      'For example: gistify score --repo . --node tests/test_a.py::test_b concise.py',
    );
  const cwd = process.cwd();
  const env = givenEnvironment();
  const { repo, nodeId } = isCommand(values.node)
    ? placeOfCommand(values.node, values.repo, cwd)
    : await placeOf(values.node, values.repo, cwd);
  const text = await readFile(resolve(cwd, file), 'utf8').catch(() => null);
  if (text === null)
    throw new GistifyError('file-not-found', `there is no file ${file}`, 'Name the gist to score.');
  const reportFile = values.report === undefined ? null : writableTarget(values.report, cwd);
  const terminal = createTerminal(loudnessOf(values));
  const scored = await scoreFile({
    repo,
    nodeId,
    ...(await sandboxOf(values, repo, cwd, env)),
    pytestArgs: rest,
    timeout: secondsOption(values.timeout, 120),
    text,
    host: { signal, progress: terminal.progress, log: terminal.log },
    installation: installation(),
    env,
    cwd,
  }).finally(() => {
    terminal.end();
  });
  if (reportFile !== null) await writeWhole(reportFile, `${JSON.stringify(scored, null, 1)}\n`);
  process.stdout.write(values.json === true ? `${JSON.stringify(scored, null, 1)}\n` : show(scored));
  return scored.score.fidelity === 1 ? exitStatus.verified : exitStatus.unverified;
}
