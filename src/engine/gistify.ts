// The one composition: a Task flows in, a Report flows out. Trace, scan, link, verify, prune and score follow each
// other here and nowhere else; whatever happens, nothing of a run is left behind.
import { isCommand } from '../base/command.js';
import { GistifyError } from '../base/gistifyError.js';
import { scan } from '../link/program.js';
import type { Host, Progress } from '../model/progress.js';
import type { Reduction, Report, StageTime } from '../model/report.js';
import type { Task } from '../model/task.js';
import { openSandbox } from '../sandbox/openSandbox.js';
import type { OpenedSandbox } from '../sandbox/sandbox.js';
import { translateFault } from '../sandbox/translateFault.js';
import { prepareGistRun } from '../trace/runPytest.js';
import { pythonPathEntries, rootInside, topNames, traceInSafety, withoutCodebase } from './originalRun.js';
import { findFlaky } from './findFlaky.js';
import { refuseBroken, refuseDepth, refuseItems, refuseReads, refuseWrites } from './refuse.js';
import {
  loadParser,
  makeShadow,
  readCodebase,
  readCommit,
  readData,
  readTraced,
  type Installation,
} from './sources.js';
import { createClock, type Clock, type Session } from './session.js';
import { cacheFolder } from './cacheFolder.js';
import { makeRunner } from './makeRunner.js';
import { minimize } from './minimize.js';
import { createCodebasePool, type CodebasePool } from '../score/codebasePool.js';
import { measureExistence } from '../score/existence.js';
import { sandboxNotes } from './sandboxNotes.js';
import { settle } from './settle.js';
import { makeReport } from './makeReport.js';

export interface EngineInput {
  readonly task: Task;
  readonly host: Host;
  readonly installation: Installation;
  /** The user's environment and folder, as given. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Base name of the file that the gist is for; it is verified under this name. */
  readonly fileName: string;
  /** False: no instrumented code of the codebase is kept for the next run. */
  readonly cache?: boolean;
}

/** So many candidates are scored while they are verified: later ones are seldom the last, and long. */
const aheadRuns = 4;

function stageTimes(clock: Clock): readonly StageTime[] {
  return [...clock.times].map(([stage, seconds]) => ({ stage, seconds: Math.round(seconds * 1000) / 1000 }));
}

/** Makes, verifies and scores the gist of one test. Throws GistifyError where there is nothing to make it from. */
export async function gistify(input: EngineInput): Promise<Report> {
  const { host, installation } = input;
  const clock = createClock();
  const progress = (stage: Progress['stage'], message: string, fraction: number) =>
    host.progress({ stage, message, fraction });
  progress('start', `gistifying ${input.task.nodeId}`, 0);
  const parserReady = loadParser(installation);
  const cache = input.cache === false ? null : cacheFolder(input.env, input.task.repo);
  let opened: OpenedSandbox | null = null;
  try {
    opened = await clock.measure('start', () =>
      openSandbox({
        ...input,
        ...input.task,
        installation: installation.root,
        keep: cache === null ? [] : [cache],
      }),
    );
    const { sandbox, words } = opened;
    // What `auto` came to: a report says where its gist was made.
    const place = opened.isLocal ? 'local' : input.task.sandbox;
    const task: Task = { ...input.task, python: opened.python, sandbox: place };
    host.log(`sandbox: ${words}`);
    const root = rootInside(sandbox, task.repo);
    const pythonPath = pythonPathEntries(sandbox, opened.env, input.cwd);
    const runner = await makeRunner(opened, { host, installation, timeout: task.timeout, cache });
    // While the original runs there is time to start what verifies, and to read what the score asks for.
    const gistPath = withoutCodebase(pythonPath, root);
    const waiting = prepareGistRun(runner, gistPath);
    let pool: CodebasePool | null = null;
    const whole = readCodebase(task.repo).then(
      (files) => {
        pool = createCodebasePool(files);
        return files;
      },
      () => null,
    );
    progress('trace', 'running the original test', 0.05);
    const traced = await clock.measure('trace', () => traceInSafety(sandbox, runner, task, pythonPath, host));
    const { trace } = traced;
    const notes = sandboxNotes(trace, input.env, opened.env, opened.offline);
    for (const { message } of notes) host.log(message);
    const foreign = refuseItems(trace);
    if (foreign !== null) throw foreign;
    progress('scan', `${trace.files.length} files of the codebase were loaded`, 0.35);
    const parser = await parserReady;
    const texts = await clock.measure('scan', () => readTraced(task.repo, trace));
    const program = await clock.measure('scan', () => scan({ trace, texts, parser, nodeId: task.nodeId }));
    const shadow = await clock.measure('scan', () => makeShadow(sandbox, root, trace));
    const fileName = input.fileName;
    const gistModule = isCommand(task.nodeId) ? '__main__' : fileName.replace(/\.py$/, '');
    const tops = topNames(trace, fileName);
    const session: Session = {
      task,
      host,
      sandbox,
      runner,
      parser,
      trace,
      program,
      shadow,
      block: tops,
      context: { codebaseModules: tops, gistModule },
      pythonPath: gistPath,
      fileName,
      data: await readData(task.repo, trace),
      tried: new Map(),
      runs: traced.runs,
      waiting,
      ahead: (text) => {
        try {
          if (session.runs <= aheadRuns && pool !== null) measureExistence(parser, text, pool);
        } catch {
          // The same fault comes when the score is asked for, where it is told.
        }
      },
      clock,
    };
    let best = await settle(session, progress);
    if (best.problems.length > 0) {
      const again = async () => (await traceInSafety(sandbox, runner, task, pythonPath, host)).trace.outcome;
      const reason =
        refuseReads(task.nodeId, trace, best.result.run?.outcome ?? null) ??
        refuseBroken(task.nodeId, trace) ??
        refuseDepth(task.nodeId, trace) ??
        (await clock.measure('trace', () => findFlaky(task.nodeId, trace.outcome, session.context, again))) ??
        refuseWrites(task.nodeId, trace);
      if (reason !== null) throw reason;
      session.runs += 1;
    }
    let reduction: Reduction | null = null;
    if (task.reduce === 'minimal' && best.problems.length === 0) {
      progress(
        'prune',
        `${best.linked.gist.origins.length} lines: looking for the smallest that keeps the outcome`,
        0.9,
      );
      const verified = best;
      const minimized = await clock.measure('minimize', () =>
        minimize(session, verified, task.budget ?? 120, progress),
      );
      if (minimized !== null) {
        best = minimized.candidate;
        reduction = minimized.reduction;
      }
    }
    progress('score', 'scoring', 0.95);
    const commit = await readCommit(task.repo);
    const scored = await clock.measure('score', async () => {
      const traced = [...texts].map(([file, text]) => ({ file, text }));
      const codebase = (await whole) ?? traced;
      return makeReport(session, best, codebase, commit, installation, words, reduction, notes);
    });
    const report: Report = { ...scored, timings: stageTimes(clock) };
    progress('done', report.verified ? 'verified' : 'not verified', 1);
    return report;
  } catch (error) {
    if (host.signal.aborted) throw new GistifyError('cancelled', 'cancelled');
    throw translateFault(error, opened?.sandbox ?? null);
  } finally {
    await opened?.sandbox.dispose();
  }
}
