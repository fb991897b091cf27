// Link options flow in, a verified candidate flows out: from the flattest layout to the fullest text, repaired by what
// each failure names, then pruned by what the gist itself did not run.
import { basename } from 'node:path/posix';
import { GistifyError } from '../base/gistifyError.js';
import { testSelector } from '../base/testSelector.js';
import type { DataLayout } from '../link/dataFiles.js';
import { link, type Linked, type LinkOptions } from '../link/link.js';
import { pythonString } from '../link/pythonString.js';
import type { Progress } from '../model/progress.js';
import type { Trace } from '../model/trace.js';
import { compareOutcomes } from '../score/compareOutcomes.js';
import { prepareGistRun, runGist } from '../trace/runPytest.js';
import { findLostRows } from './lostRows.js';
import { modulesNaming } from './modulesNaming.js';
import { readFailure } from './repair.js';
import type { Task } from '../model/task.js';
import type { Candidate, Session } from './session.js';

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

/** A command whose output shows the name of its program keeps that name: usage lines are wrapped by its length. */
function programName({ program, trace }: Session): LinkOptions['preamble'] {
  const name = basename(program.test.path);
  const printed = trace.outcome.tests.flatMap(({ phases }) => phases.map((one) => one.stdout + one.stderr));
  return program.isCommand && printed.some((text) => text.includes(name))
    ? [
        {
          text: `import sys; sys.argv[0] = ${pythonString(name)}`,
          why: 'the name of the program, which its output shows',
        },
      ]
    : [];
}

/** Milliseconds after which a candidate's process has surely got its work. */
const startUp = 30;

function prepareNext(session: Session): void {
  session.waiting ??= prepareGistRun(session.runner, session.pythonPath);
}

async function tryOptions(session: Session, options: LinkOptions): Promise<Candidate> {
  return tryLinked(
    session,
    options,
    await session.clock.measure('link', () => link(session.program, options)),
  );
}

async function tryLinked(session: Session, options: LinkOptions, linked: Linked): Promise<Candidate> {
  const { clock, runner, task } = session;
  const known = session.tried.get(linked.gist.text);
  if (known !== undefined) return { ...known, linked, options };
  session.runs += 1;
  const result = await clock.measure('verify', async () => {
    const prepared = await (session.waiting ?? prepareGistRun(runner, session.pythonPath));
    session.waiting = null;
    const running = runGist(runner, {
      folder: prepared.folder,
      prepared: prepared.process,
      fileName: session.fileName,
      text: linked.gist.text,
      test: testSelector(task.nodeId),
      pytestArgs: task.pytestArgs,
      pythonPath: session.pythonPath,
      block: session.block,
      shadow: session.shadow,
      traceLines: true,
    });
    const timer = setTimeout(() => session.ahead(linked.gist.text), startUp);
    return running.finally(() => clearTimeout(timer));
  });
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
  // Another one will most likely follow: its interpreter starts while it is linked.
  if (problems.length > 0) prepareNext(session);
  session.tried.set(linked.gist.text, candidate);
  return candidate;
}

/** What a run tries first: flat where the analysis allows it, everything gone that did not run. */
export function firstLinkOptions(
  task: Pick<Task, 'layout' | 'keepDocstrings'>,
  data: DataLayout | null,
  hold: ReadonlyMap<string, string> = new Map(),
  bearName = false,
  preamble: LinkOptions['preamble'] = [],
): LinkOptions {
  return {
    keepDocstrings: task.keepDocstrings,
    dropBranches: 'all',
    keepAll: false,
    whole: false,
    restore: new Set(),
    restoreImports: new Set(),
    asked: new Set(),
    libraries: 'used',
    effects: 'touched',
    effectsOf: new Set(),
    hooks: 'runtime',
    idle: new Set(),
    holdAll: task.layout === 'held',
    holdNone: task.layout === 'flat',
    closeOverImports: false,
    holdObjects: false,
    hold,
    bearName,
    preamble,
    data,
    settings: {},
  };
}

/** From the flattest layout to the fullest text: the first that verifies, repaired on the way, then pruned again. */
export async function settle(
  session: Session,
  progress: (stage: Progress['stage'], message: string, fraction: number) => void,
): Promise<Candidate> {
  const { task } = session;
  const shown = namesShown(session);
  const hold = new Map(
    task.layout === 'flat'
      ? []
      : [...shown].map((name) => [name, 'its exception is what the test fails with'] as const),
  );
  const plain = firstLinkOptions(
    task,
    session.data,
    hold,
    shown.has(session.program.test.name),
    programName(session),
  );
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
  const modules = [...session.program.modules.keys(), ...session.trace.empty];
  for (const [step, raise] of ladder.entries()) {
    options = raise(options);
    for (let round = 0; round < 6; round += 1) {
      progress(
        'verify',
        `verifying candidate ${session.runs}`,
        Math.min(0.9, 0.45 + 0.07 * (session.runs - 1)),
      );
      const candidate = await tryOptions(session, options);
      const verified = candidate.problems.length === 0;
      const lost = verified && options.dropBranches === 'all' ? lostRows(session, candidate) : [];
      if (lost.length > 0) {
        session.host.log(
          `lines that ran before no longer run (${lost.slice(0, 5).join(', ')}): keeping more branches`,
        );
        options = { ...options, dropBranches: 'pure' };
        continue;
      }
      if (best === null || verified || candidate.problems.length < best.problems.length) best = candidate;
      if (verified) {
        const { restore, hold, restoreImports, asked, effectsOf, dropBranches } = options;
        // What earlier steps brought did not help: it goes again where this step's own does alone.
        const alone = raise({ ...plain, restore, hold, restoreImports, asked, effectsOf });
        return prune(session, candidate, step === 0 ? options : { ...alone, dropBranches }, progress);
      }
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
      const asked = new Set([...options.asked, ...(task.layout === 'flat' ? [] : repair.asked)]);
      const naming = modulesNaming(session.program, repair.words);
      const effectsOf = new Set([...options.effectsOf, ...naming]);
      if (
        restore.size === options.restore.size &&
        hold.size === options.hold.size &&
        asked.size === options.asked.size &&
        effectsOf.size === options.effectsOf.size &&
        restoreImports.size === options.restoreImports.size
      )
        break;
      options = { ...options, restore, hold, restoreImports, asked, effectsOf };
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

/**
 * Lines that the gist itself does not run are dropped too, as long as the result verifies. `alone` are the options
 * without what earlier steps of the ladder brought: where they do, they are gone on from.
 */
async function prune(
  session: Session,
  verified: Candidate,
  alone: LinkOptions,
  progress: (stage: Progress['stage'], message: string, fraction: number) => void,
): Promise<Candidate> {
  let best = verified;
  let base = alone;
  for (let round = 0; round < 4; round += 1) {
    const idle = idleRows(best);
    const more = new Set([...best.options.idle, ...idle]);
    const isLowering = base !== best.options;
    if (!isLowering && (idle.size === 0 || more.size === best.options.idle.size)) break;
    // A second look costs a whole run: only where it drops more than a line in two hundred.
    const statements = best.result.run?.lines?.statements.length ?? 0;
    if (!isLowering && best !== verified && idle.size * 200 < statements) break;
    prepareNext(session);
    const options = { ...base, idle: more };
    const linked = await session.clock.measure('prune', () => link(session.program, options));
    base = best.options;
    if (linked.gist.text !== best.linked.gist.text) {
      progress('prune', `${idle.size} lines did not run: dropping what can go`, 0.9);
      const candidate = await tryLinked(session, options, linked);
      const holds =
        candidate.problems.length === 0 && (!isLowering || lostRows(session, candidate).length === 0);
      if (holds) best = candidate;
      else if (!isLowering) break;
      base = best.options;
    } else if (!isLowering) break;
  }
  return best;
}
