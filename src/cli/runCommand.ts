// `gistify run`: one node id in; the gist, its report and one summary out.
import { basename } from 'node:path';
import { isCommand } from '../base/command.js';
import { GistifyError, exitStatus } from '../base/gistifyError.js';
import { gistify, type EngineInput } from '../engine/gistify.js';
import type { Reduction, Report } from '../model/report.js';
import type { LayoutChoice, ReduceChoice, Task } from '../model/task.js';
import { agentOptionDefinitions, chosenAgent } from './agentOptions.js';
import { agentWords, runChosenAgent } from './agentRun.js';
import {
  givenEnvironment,
  oneOf,
  placeOf,
  placeOfCommand,
  secondsOption,
  writableTarget,
} from './commonOptions.js';
import { installation } from './installation.js';
import { parseOptions } from './parseOptions.js';
import { sandboxOf, sandboxOptions } from './sandboxOptions.js';
import { createTerminal, loudnessOf } from './terminal.js';
import { writeWhole } from './writeWhole.js';

function defaultOut(nodeId: string): string {
  if (isCommand(nodeId)) {
    const [, first = '', second = ''] = nodeId.split(' ');
    const name = (first === '-m' ? second : first).replace(/^.*\//, '').replace(/\.py$/, '');
    return `gist_${name.replaceAll(/\W/g, '_')}.py`;
  }
  const last = (nodeId.split('::').at(-1) ?? 'test').replace(/\[.*$/s, '');
  return `gist_${last.replaceAll(/\W/g, '_')}.py`;
}

/** The gist is verified as a module of this name. */
function moduleFile(out: string): string {
  const name = basename(out);
  return /^[A-Za-z_]\w*\.py$/.test(name) ? name : 'concise.py';
}

function percent(hit: number, total: number): string {
  return total === 0 ? '-' : `${((100 * hit) / total).toFixed(1)}%`;
}

function reductionLine({ linesBefore, linesAfter, candidates, seconds, complete }: Reduction): string {
  const end = complete ? '' : '; stopped early: a larger --budget may find less';
  return `minimal: ${linesBefore} lines of code became ${linesAfter} in ${seconds.toFixed(1)} s (${candidates} candidates); kept is the outcome, not the output${end}`;
}

/** The summary a person reads. */
function summary(report: Report, out: string): string {
  const { score, lines, timings, layout } = report;
  const seconds = timings.reduce((sum, { seconds: s }) => sum + s, 0);
  const code = lines.filter((line) => line.origin.kind !== 'added').length;
  const rows = [
    `${report.verified ? 'verified' : 'NOT VERIFIED'}  ${out}`,
    `fidelity ${score.fidelity}   line execution ${score.execution === null ? '-' : percent(score.execution.hit, score.execution.total)}   line existence ${percent(score.existence.hit, score.existence.total)}   test F1 ${score.testF1 === null ? '-' : percent(score.testF1, 1)}`,
    `${code} lines of the codebase, layout ${layout.kind}${layout.held.length > 0 ? ` (${layout.held.length} modules held)` : ''}, ${report.runs} pytest runs, ${seconds.toFixed(1)} s (${timings.map(({ stage, seconds: s }) => `${stage} ${s.toFixed(1)}`).join(', ')})`,
  ];
  if (report.reduction != null) rows.push(reductionLine(report.reduction));
  for (const problem of report.verified ? [] : score.problems.slice(0, 5)) rows.push(`  ${problem}`);
  for (const diagnostic of report.diagnostics)
    if (diagnostic.severity === 'warning') rows.push(`note: ${diagnostic.message}`);
  return `${rows.join('\n')}\n`;
}

export async function runCommand(args: readonly string[], signal: AbortSignal): Promise<number> {
  const { values, positionals, rest } = parseOptions(args, {
    command: { type: 'string' },
    repo: { type: 'string' },
    python: { type: 'string' },
    out: { type: 'string', short: 'o' },
    report: { type: 'string' },
    layout: { type: 'string' },
    reduce: { type: 'string' },
    budget: { type: 'string' },
    ...sandboxOptions,
    timeout: { type: 'string' },
    'keep-docstrings': { type: 'boolean' },
    'no-cache': { type: 'boolean' },
    quiet: { type: 'boolean', short: 'q' },
    verbose: { type: 'boolean', short: 'v' },
    ...agentOptionDefinitions,
  });
  const chosen = chosenAgent(values);
  const [node, ...extra] = positionals;
  if (values.command !== undefined) {
    if (positionals.length + rest.length > 0)
      throw new GistifyError('usage', 'a node id or a command, not both', 'See gistify --help.');
    if (chosen !== null || values.reduce === 'minimal')
      throw new GistifyError(
        'usage',
        'commands are gistified by the built-in agent, with everything that ran',
        'Leave the options of agents and --reduce minimal out.',
      );
  } else if (node === undefined || extra.length > 0)
    throw new GistifyError(
      'usage',
      node === undefined
        ? 'which test? a node id is missing'
        : `one node id at a time, not ${positionals.length}`,
      'For example: gistify run tests/test_a.py::test_b. Arguments for pytest go after --.',
    );
  const cwd = process.cwd();
  const env = givenEnvironment();
  const { repo, nodeId } =
    values.command === undefined
      ? await placeOf(node ?? '', values.repo, cwd)
      : placeOfCommand(values.command, values.repo, cwd);
  const out = values.out ?? defaultOut(nodeId);
  const target = out === '-' ? null : writableTarget(out, cwd);
  const reportFile = values.report === undefined ? null : writableTarget(values.report, cwd);
  const task: Task = {
    repo,
    nodeId,
    ...(await sandboxOf(values, repo, cwd, env)),
    pytestArgs: rest,
    layout: oneOf<LayoutChoice>('layout', values.layout, ['auto', 'flat', 'held'], 'auto'),
    reduce: oneOf<ReduceChoice>('reduce', values.reduce, ['executed', 'minimal'], 'executed'),
    timeout: secondsOption(values.timeout, 120),
    budget: secondsOption(values.budget, 120, 'budget'),
    keepDocstrings: values['keep-docstrings'] === true,
  };
  const trajectory = values.trajectory === undefined ? null : writableTarget(values.trajectory, cwd);
  const terminal = createTerminal(loudnessOf(values));
  const host = { signal, progress: terminal.progress, log: terminal.log };
  const engine: EngineInput = {
    task,
    host,
    installation: installation(),
    env,
    cwd,
    cache: values['no-cache'] !== true,
    fileName: target === null ? 'concise.py' : moduleFile(target),
  };
  const made = await (
    chosen === null
      ? gistify(engine).then((report) => ({ report, summary: null }))
      : runChosenAgent(chosen, engine, trajectory)
  ).finally(() => {
    terminal.end();
  });
  const words = made.summary === null ? '' : agentWords(made.summary);
  if (made.report === null) {
    process.stderr.write(`NO GIST  the agent left no file\n${words}`);
    return exitStatus.unverified;
  }
  const report: Report = { ...made.report, gist: { text: made.report.gist.text, file: target } };
  if (target === null) process.stdout.write(report.gist.text);
  else await writeWhole(target, report.gist.text);
  if (reportFile !== null) await writeWhole(reportFile, `${JSON.stringify(report, null, 1)}\n`);
  if (values.quiet !== true) process.stderr.write(summary(report, target ?? 'standard output') + words);
  return report.verified ? exitStatus.verified : exitStatus.unverified;
}
