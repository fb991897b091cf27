// The one composition: a Task flows in, a Report flows out. Trace, scan, link, verify, prune and score follow each
// other here and nowhere else; whatever happens, nothing of a run is left behind.
import { join, sep } from 'node:path';
import { GistifyError } from '../base/gistifyError.js';
import { link, type Linked, type LinkOptions } from '../link/link.js';
import type { DataLayout } from '../link/dataFiles.js';
import { scan, type Program } from '../link/program.js';
import type { Diagnostic } from '../model/diagnostic.js';
import type { Gist } from '../model/gist.js';
import type { Host, Progress } from '../model/progress.js';
import { reportSchema, type Report, type ReportLine, type StageTime } from '../model/report.js';
import type { Score } from '../model/score.js';
import type { Task } from '../model/task.js';
import type { Trace } from '../model/trace.js';
import type { PythonParser } from '../python/parse.js';
import { createLocalSandbox } from '../sandbox/localSandbox.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { createCodebasePool } from '../score/codebasePool.js';
import { compareOutcomes, type CompareContext } from '../score/compareOutcomes.js';
import { score } from '../score/score.js';
import { runGist, type GistRunResult, type Runner } from '../trace/runPytest.js';
import { pythonPathEntries, topNames, traceInSafety } from './originalRun.js';
import { findFlaky } from './findFlaky.js';
import { findLostRows } from './lostRows.js';
import { refuseItems, refuseReads } from './refuse.js';
import { readFailure } from './repair.js';
import { loadParser, makeShadow, readCommit, readData, readTraced, type Installation } from './sources.js';
import { variablesRead } from './variablesRead.js';

interface Candidate {
  readonly linked: Linked;
  readonly result: GistRunResult;
  readonly problems: readonly string[];
  readonly options: LinkOptions;
}

interface Session {
  readonly task: Task;
  readonly host: Host;
  readonly sandbox: Sandbox;
  readonly runner: Runner;
  readonly parser: PythonParser;
  readonly trace: Trace;
  readonly program: Program;
  readonly shadow: string;
  readonly block: readonly string[];
  readonly context: CompareContext;
  readonly pythonPath: readonly string[];
  readonly fileName: string;
  readonly data: DataLayout | null;
  /** Candidates by text: the same text is run once. */
  readonly tried: Map<string, Candidate>;
  runs: number;
  clock: Clock;
}

interface Clock {
  readonly times: Map<string, number>;
  measure<T>(stage: string, work: () => Promise<T> | T): Promise<T>;
}

function createClock(): Clock {
  const times = new Map<string, number>();
  return {
    times,
    async measure(stage, work) {
      const start = performance.now();
      try {
        return await work();
      } finally {
        times.set(stage, (times.get(stage) ?? 0) + (performance.now() - start) / 1000);
      }
    },
  };
}

export interface EngineInput {
  readonly task: Task;
  readonly host: Host;
  readonly installation: Installation;
  /** The user's environment and folder, as given. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Base name of the file that the gist is for; it is verified under this name. */
  readonly fileName: string;
}

/** Makes, verifies and scores the gist of one test. Throws GistifyError where there is nothing to make it from. */
export async function gistify(input: EngineInput): Promise<Report> {
  const { task, host, installation } = input;
  const sandbox = createLocalSandbox();
  const clock = createClock();
  const progress = (stage: Progress['stage'], message: string, fraction: number) =>
    host.progress({ stage, message, fraction });
  try {
    progress('start', `gistifying ${task.nodeId}`, 0);
    const pythonPath = pythonPathEntries(input.env, input.cwd);
    const runner: Runner = {
      sandbox,
      python: task.python,
      helper: join(installation.root, 'helper'),
      env: input.env,
      timeout: task.timeout,
      signal: host.signal,
      log: (line) => host.log(line),
    };
    const parserReady = loadParser(installation);
    progress('trace', 'running the original test', 0.05);
    const traced = await clock.measure('trace', () => traceInSafety(sandbox, runner, task, pythonPath, host));
    const { trace } = traced;
    const foreign = refuseItems(trace);
    if (foreign !== null) throw foreign;
    progress('scan', `${trace.files.length} files of the codebase were loaded`, 0.35);
    const parser = await parserReady;
    const texts = await clock.measure('scan', () => readTraced(task.repo, trace));
    const program = await clock.measure('scan', () => scan({ trace, texts, parser, nodeId: task.nodeId }));
    const shadow = await clock.measure('scan', async () =>
      makeShadow(task.repo, trace, await sandbox.folder('compiled')),
    );
    const fileName = input.fileName;
    const gistModule = fileName.replace(/\.py$/, '');
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
      pythonPath: pythonPath.filter((entry) => entry !== task.repo && !entry.startsWith(task.repo + sep)),
      fileName,
      data: await readData(task.repo, trace),
      tried: new Map(),
      runs: traced.runs,
      clock,
    };
    const best = await settle(session, progress);
    if (best.problems.length > 0) {
      const again = async () => (await traceInSafety(sandbox, runner, task, pythonPath, host)).trace.outcome;
      const reason =
        refuseReads(task.nodeId, trace, best.result.run?.outcome ?? null) ??
        (await clock.measure('trace', () => findFlaky(task.nodeId, trace.outcome, session.context, again)));
      if (reason !== null) throw reason;
      session.runs += 1;
    }
    progress('score', 'scoring', 0.95);
    const commit = await readCommit(task.repo);
    const report = await clock.measure('score', () => makeReport(session, best, texts, commit, installation));
    progress('done', report.verified ? 'verified' : 'not verified', 1);
    return report;
  } catch (error) {
    if (host.signal.aborted) throw new GistifyError('cancelled', 'cancelled');
    throw error;
  } finally {
    await sandbox.dispose();
  }
}

/** Settings of the project that change how a test runs, not where tests are or how results look. */
function runSettings(trace: Trace): Readonly<Record<string, unknown>> {
  const elsewhere =
    /^(addopts|testpaths|minversion|norecursedirs|pythonpath|cache_dir|required_plugins|console_output_style|junit_.*|consider_namespace_packages|confcutdir|python_files|markers|tmp_path_retention_.*|verbosity_.*|truncation_limit_.*|collect_imported_tests|enable_assertion_pass_hook)$/;
  return Object.fromEntries(Object.entries(trace.ini).filter(([name]) => !elsewhere.test(name)));
}

/** Modules whose exceptions the original's own failures show, by their qualified names. */
function namesShown(session: Session): ReadonlySet<string> {
  const types = session.trace.outcome.tests.flatMap((test) =>
    test.phases.flatMap((phase) => (phase.failure === null ? [] : [phase.failure.type])),
  );
  return new Set(
    [...session.program.modules.keys()].filter((name) => types.some((type) => type.startsWith(`${name}.`))),
  );
}

function shownModules(session: Session): ReadonlyMap<string, string> {
  return new Map(
    session.task.layout === 'flat'
      ? []
      : [...namesShown(session)].map((name) => [name, 'its exception is what the test fails with']),
  );
}

function testSelector(nodeId: string): string {
  return nodeId.split('::').slice(1).join('::');
}

async function tryOptions(session: Session, options: LinkOptions): Promise<Candidate> {
  const { clock, runner, task } = session;
  const linked = await clock.measure('link', () => link(session.program, options));
  const known = session.tried.get(linked.gist.text);
  if (known !== undefined) return { ...known, linked, options };
  const folder = await session.sandbox.folder('gist');
  session.runs += 1;
  const result = await clock.measure('verify', () =>
    runGist(runner, {
      folder,
      fileName: session.fileName,
      text: linked.gist.text,
      test: testSelector(task.nodeId),
      pytestArgs: task.pytestArgs,
      pythonPath: session.pythonPath,
      block: session.block,
      shadow: session.shadow,
      traceLines: true,
    }),
  );
  const problems =
    result.run === null
      ? [`the gist did not report: ${result.tail}`]
      : compareOutcomes(session.trace.outcome, result.run.outcome, session.context);
  session.host.log(
    `candidate (${linked.held.length} held, ${linked.gist.origins.length} lines): ${problems.length === 0 ? 'verified' : problems.slice(0, 3).join(' | ')}`,
  );
  for (const words of result.run?.outcome.collectErrors ?? [])
    session.host.log(
      words
        .split('\n')
        .filter((line) => line.startsWith('E '))
        .join('\n'),
    );
  const candidate = { linked, result, problems, options };
  session.tried.set(linked.gist.text, candidate);
  return candidate;
}

/** From the flattest layout to the fullest text: the first that verifies, repaired on the way, then pruned again. */
async function settle(
  session: Session,
  progress: (stage: Progress['stage'], message: string, fraction: number) => void,
): Promise<Candidate> {
  const { task } = session;
  const plain: LinkOptions = {
    keepDocstrings: task.keepDocstrings,
    dropBranches: 'all',
    keepAll: false,
    whole: false,
    restore: new Set(),
    restoreImports: new Set(),
    libraries: 'used',
    effects: 'touched',
    hooks: 'runtime',
    idle: new Set(),
    holdAll: task.layout === 'held',
    closeOverImports: false,
    holdObjects: false,
    hold: shownModules(session),
    bearName: namesShown(session).has(session.program.test.name),
    preamble: [],
    data: session.data,
    settings: {},
  };
  const ladder: ((options: LinkOptions) => LinkOptions)[] = [
    (options) => options,
    (options) => ({ ...options, settings: runSettings(session.trace) }),
    (options) => ({ ...options, libraries: 'all' }),
    (options) => ({ ...options, effects: 'all' }),
    (options) => ({ ...options, holdObjects: true, closeOverImports: true }),
    (options) => ({ ...options, hooks: 'all', keepDocstrings: true, dropBranches: 'pure' }),
    (options) => ({ ...options, holdAll: task.layout !== 'flat' }),
    (options) => ({ ...options, keepAll: true }),
    (options) => ({ ...options, dropBranches: 'none' }),
    (options) => ({ ...options, whole: true }),
  ];
  let options = plain;
  let best: Candidate | null = null;
  const modules = [...session.program.modules.keys()];
  for (const [step, raise] of ladder.entries()) {
    options = raise(options);
    for (let round = 0; round < 6; round += 1) {
      progress(
        'verify',
        `verifying candidate ${session.runs}`,
        Math.min(0.9, 0.45 + 0.07 * (session.runs - 1)),
      );
      const candidate = await tryOptions(session, options);
      if (
        candidate.problems.length === 0 &&
        options.dropBranches === 'all' &&
        lostRows(session, candidate).length > 0
      ) {
        session.host.log(
          `lines that ran before no longer run (${lostRows(session, candidate).slice(0, 5).join(', ')}): keeping more branches`,
        );
        options = { ...options, dropBranches: 'pure' };
        continue;
      }
      if (
        best === null ||
        candidate.problems.length === 0 ||
        candidate.problems.length < best.problems.length
      )
        best = candidate;
      if (candidate.problems.length === 0) return prune(session, candidate, progress);
      const repair = readFailure(
        session.trace.outcome,
        candidate.result.run?.outcome ?? null,
        candidate.problems,
        candidate.result.tail,
        modules,
        session.context.gistModule,
      );
      const restore = new Set([...options.restore, ...repair.restore]);
      const hold = new Map([...options.hold, ...(task.layout === 'flat' ? [] : repair.hold)]);
      const restoreImports = new Set([...options.restoreImports, ...repair.imports]);
      if (
        restore.size === options.restore.size &&
        hold.size === options.hold.size &&
        restoreImports.size === options.restoreImports.size
      )
        break;
      options = { ...options, restore, hold, restoreImports };
    }
    session.host.log(`step ${step + 1} of ${ladder.length} did not verify`);
  }
  if (best === null) throw new GistifyError('internal', 'no candidate was made');
  return best;
}

function idleRows(candidate: Candidate): ReadonlySet<string> {
  const { lines } = candidate.result.run ?? {};
  const idle = new Set<string>();
  if (lines === undefined || lines === null) return idle;
  const executed = new Set(lines.executed);
  for (const line of lines.statements) {
    const origin = candidate.linked.gist.origins[line - 1];
    if (!executed.has(line) && origin !== undefined && origin.kind !== 'added')
      idle.add(`${origin.file}:${origin.line - 1}`);
  }
  return idle;
}

/** Rows that ran in the original's test, stand in the gist and did not run there, in functions that did. */
function lostRows(session: Session, candidate: Candidate): readonly string[] {
  const idle = idleRows(candidate);
  if (idle.size === 0) return [];
  const executed = new Set<string>();
  for (const line of candidate.result.run?.lines?.executed ?? []) {
    const origin = candidate.linked.gist.origins[line - 1];
    if (origin !== undefined && origin.kind !== 'added') executed.add(`${origin.file}:${origin.line - 1}`);
  }
  return findLostRows(session.program, idle, executed);
}

/** Lines that the gist itself does not run are dropped too, as long as the result verifies and loses no other line. */
async function prune(
  session: Session,
  verified: Candidate,
  progress: (stage: Progress['stage'], message: string, fraction: number) => void,
): Promise<Candidate> {
  let best = verified;
  for (let round = 0; round < 3; round += 1) {
    const idle = idleRows(best);
    const known = best.options.idle;
    const more = new Set([...known, ...idle]);
    if (idle.size === 0 || more.size === known.size) break;
    const options = { ...best.options, idle: more };
    const { gist } = await session.clock.measure('prune', () => link(session.program, options));
    if (gist.text === best.linked.gist.text) break;
    progress('prune', `${idle.size} lines did not run: dropping what can go`, 0.9);
    const candidate = await tryOptions(session, options);
    if (candidate.problems.length > 0) break;
    best = candidate;
  }
  return best;
}

function reportLines(gist: Gist, result: GistRunResult): readonly ReportLine[] {
  const executed = new Set(result.run?.lines?.executed ?? []);
  const statements = new Set(result.run?.lines?.statements ?? []);
  return gist.origins.map((origin, position) => {
    const line = position + 1;
    return { origin, ran: executed.has(line) ? 'yes' : statements.has(line) ? 'no' : 'none' };
  });
}

function makeReport(
  session: Session,
  best: Candidate,
  texts: ReadonlyMap<string, string>,
  commit: string | null,
  installation: Installation,
): Report {
  const { task, trace, parser } = session;
  const { gist, held, flat } = best.linked;
  const pool = createCodebasePool([...texts].map(([file, text]) => ({ file, text })));
  const scored: Score = score({
    parser,
    nodeId: task.nodeId,
    testSource: texts.get(task.nodeId.split('::')[0] ?? '') ?? '',
    codebase: pool,
    context: session.context,
    original: trace.outcome,
    gistText: gist.text,
    gist: best.result.run?.outcome ?? null,
    timedOut: best.result.timedOut,
    lines: best.result.run?.lines ?? null,
  });
  const timings: StageTime[] = [...session.clock.times].map(([stage, seconds]) => ({
    stage,
    seconds: Math.round(seconds * 1000) / 1000,
  }));
  return {
    schema: reportSchema,
    task,
    gist: { text: gist.text, file: null },
    lines: reportLines(gist, best.result),
    verified: best.problems.length === 0,
    score: scored,
    layout: { kind: held.length === 0 ? 'flat' : flat.length <= 1 ? 'held' : 'mixed', held },
    original: trace.outcome,
    observed: best.result.run?.outcome ?? {
      exitCode: -1,
      tests: [],
      collectErrors: [best.result.tail],
      deselected: 0,
    },
    diagnostics: diagnose(session, best),
    timings,
    runs: session.runs,
    environment: {
      ...trace.environment,
      variablesRead: variablesRead(trace.variables, session.runner.env),
      commit,
    },
    versions: { gistify: installation.version },
  };
}

function diagnose(session: Session, best: Candidate): readonly Diagnostic[] {
  const { trace } = session;
  const out: Diagnostic[] = [];
  for (const problem of best.problems)
    out.push({ severity: 'error', code: 'differs', message: problem, file: null, line: null });
  for (const { module, reason } of best.linked.held)
    out.push({
      severity: 'info',
      code: 'held-module',
      message: `${module} keeps its own namespace: ${reason}`,
      file: session.program.modules.get(module)?.path ?? null,
      line: null,
    });
  for (const file of trace.dataFiles)
    out.push({
      severity: 'warning',
      code: 'reads-data-file',
      message: `the test reads ${file}`,
      file,
      line: null,
    });
  for (const folder of trace.listedFolders)
    out.push({
      severity: 'info',
      code: 'lists-folder',
      message: `the test lists the folder ${folder}`,
      file: folder,
      line: null,
    });
  for (const [module] of trace.compiled)
    out.push({
      severity: 'info',
      code: 'compiled-module',
      message: `${module} is compiled and stays an import`,
      file: null,
      line: null,
    });
  if (
    trace.outcome.tests.every((test) =>
      test.phases.every((phase) => phase.when !== 'call' || phase.outcome === 'skipped'),
    )
  ) {
    const skipped = trace.outcome.tests.some((test) =>
      test.phases.some((phase) => phase.outcome === 'skipped'),
    );
    if (skipped)
      out.push({
        severity: 'warning',
        code: 'skipped',
        message: 'the test was skipped: there is nothing to reproduce but the skip',
        file: null,
        line: null,
      });
  }
  return out;
}
