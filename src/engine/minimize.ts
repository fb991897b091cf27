// A verified candidate flows in, the smallest that keeps the test's outcome flows out: candidates run in a warm process
// that forks for each, the last word is a fresh one's. A cancel or the budget's end keeps the smallest so far.
import { testSelector } from '../base/testSelector.js';
import { availableParallelism } from 'node:os';
import type { Gist } from '../model/gist.js';
import type { Progress } from '../model/progress.js';
import type { Reduction } from '../model/report.js';
import { assertionPins, failurePins, valueFunctions } from '../prune/pins.js';
import { reduce, type Reduced } from '../prune/reduce.js';
import {
  observeFresh,
  openCandidates,
  verifyFresh,
  type CandidateRequest,
  type Candidates,
  type Expectation,
  type Observation,
} from '../trace/candidates.js';
import { runGist, type Runner } from '../trace/runPytest.js';
import type { Candidate, Session } from './session.js';

export interface Minimized {
  readonly candidate: Candidate;
  readonly reduction: Reduction;
}

/** Lines of code: neither empty nor a comment of their own. */
function codeLines(text: string): number {
  return text.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('#')).length;
}

function entryOf(nodeId: string): string {
  return (nodeId.split('::').at(-1) ?? '').replace(/\[.*$/s, '');
}

function expectationOf(
  session: Session,
  gist: Gist,
  seen: Observation,
): { expect: Expectation; pinned: ReadonlySet<number> } {
  const { parser, task } = session;
  const input = { gist, parser, executed: new Set(seen.executed) };
  const [first] = seen.reasons;
  if (first !== undefined)
    return {
      expect: { kind: 'failing', failures: seen.reasons, returns: valueFunctions(input) },
      pinned: failurePins(gist, first[5]),
    };
  const pins = assertionPins(input, task.nodeId.split('::')[0] ?? '', entryOf(task.nodeId));
  return {
    expect: { kind: 'passing', signatures: seen.signatures, asserts: pins.texts },
    pinned: pins.lines,
  };
}

/** Reduces a verified candidate. What it gives back has been verified in a fresh process; null where nothing went. */
export async function minimize(
  session: Session,
  verified: Candidate,
  budget: number,
  progress: (stage: Progress['stage'], message: string, fraction: number) => void,
): Promise<Minimized | null> {
  const { task, host } = session;
  const begun = performance.now();
  const { gist } = verified.linked;
  const request: CandidateRequest = {
    fileName: session.fileName,
    test: testSelector(task.nodeId),
    pytestArgs: task.pytestArgs,
    pythonPath: session.pythonPath,
    block: session.block,
    shadow: session.shadow,
  };
  // The last verification must be possible after a cancel, too.
  const runner: Runner = { ...session.runner, signal: new AbortController().signal };
  const stopped = () => host.signal.aborted || performance.now() - begun > budget * 1000;
  const warm = await openCandidates(runner, request, gist.text);
  try {
    const warmed = await warmUp(warm, gist.text);
    const seen = warmed ?? (await observeFresh(runner, request, gist.text));
    if (seen === null) return null;
    const { expect, pinned } = expectationOf(session, gist, seen);
    if (expect.kind === 'passing' && expect.asserts.length === 0) {
      host.log('minimal: no statement of the test was seen to run, so nothing says what must stay');
      return null;
    }
    warm?.expect(expect);
    const useWarm = warm !== null && warmed !== null && (await warm.verify(gist.text));
    host.log(
      `minimal: ${useWarm ? `a warm process, ${(seen.cpu * 1000).toFixed(0)} ms of CPU a run` : 'fresh processes'}, keeping ${expect.kind === 'failing' ? 'the failure' : `${expect.asserts.length} assertions`}`,
    );
    const history: Gist[] = [gist];
    let fresh = 0;
    const isFresh = async (text: string) => {
      fresh += 1;
      return (await verifyFresh(runner, request, text, expect)) === '';
    };
    const verify = useWarm ? (text: string) => warm.verify(text) : isFresh;
    const linesRun = async (text: string) => {
      fresh += useWarm ? 0 : 1;
      return (await (useWarm ? warm.observe(text) : observeFresh(runner, request, text)))?.executed ?? null;
    };
    const pass = (from: Gist, more: ReadonlySet<number>): Promise<Reduced> =>
      reduce({
        gist: from,
        parser: session.parser,
        verify,
        linesRun,
        pinned: more,
        failing: expect.kind === 'failing',
        entry: entryOf(task.nodeId),
        workers: Math.max(1, Math.min(4, availableParallelism())),
        stopped,
        progress(left, tried) {
          progress('prune', `${left} lines left, ${tried} candidates tried`, 0.93);
        },
        reached: (smaller) => history.push(smaller),
      });
    let reduced = await pass(gist, pinned);
    let { tried } = reduced;
    if (!(await isFresh(reduced.gist.text))) {
      const last = await lastThatHolds(gist, history, isFresh);
      host.log(
        `minimal: only a warm process passes it; going on from ${last.origins.length} lines with all imports`,
      );
      history.length = 0;
      const kept = new Set([...samePins(gist, last, pinned), ...importLines(last)]);
      reduced = await pass(last, kept);
      tried += reduced.tried;
      if (!(await isFresh(reduced.gist.text))) reduced = { ...reduced, gist: last };
    }
    session.runs += fresh;
    return {
      candidate: await rerun(session, runner, verified, reduced.gist),
      reduction: {
        kind: 'minimal',
        linesBefore: codeLines(gist.text),
        linesAfter: codeLines(reduced.gist.text),
        candidates: tried,
        seconds: Math.round(performance.now() - begun) / 1000,
        complete: reduced.complete,
        keeps: expect,
      },
    };
  } finally {
    await warm?.close();
  }
}

/** Libraries ready, limits set from a second run that had them. */
async function warmUp(warm: Candidates | null, text: string): Promise<Observation | null> {
  if (warm === null) return null;
  const first = await warm.observe(text);
  if (first === null) return null;
  await warm.warm(first.modules);
  const second = await warm.observe(text);
  if (second === null) return null;
  // A warm process must not hold what is the gist's own: then its runs would show nothing.
  const ran = new Set(second.executed);
  if (!first.executed.every((line) => ran.has(line))) return null;
  warm.limit(Math.max(4, 12 * second.wall), Math.max(1, 8 * second.cpu));
  return second;
}

/** The smallest text on the way that a fresh process passes, found by halving. */
async function lastThatHolds(
  first: Gist,
  history: readonly Gist[],
  holds: (text: string) => Promise<boolean>,
): Promise<Gist> {
  let low = 0;
  let high = history.length - 1;
  while (low + 1 < high) {
    const middle = Math.floor((low + high) / 2);
    if (await holds(history[middle]?.text ?? '')) low = middle;
    else high = middle;
  }
  return history[low] ?? first;
}

/** Pinned lines of the first gist, by where they stand in a later one. */
function samePins(first: Gist, later: Gist, pinned: ReadonlySet<number>): ReadonlySet<number> {
  const lines = first.text.split('\n');
  const texts = new Set([...pinned].map((line) => (lines[line - 1] ?? '').trim()));
  return new Set(
    later.text.split('\n').flatMap((line, index) => (texts.has(line.trim()) ? [index + 1] : [])),
  );
}

function importLines(gist: Gist): readonly number[] {
  return gist.text
    .split('\n')
    .flatMap((line, index) => (/^\s*(import|from)\s/.test(line) ? [index + 1] : []));
}

/** The reduced gist's own run: its lines are what the report shows. */
async function rerun(session: Session, runner: Runner, verified: Candidate, gist: Gist): Promise<Candidate> {
  session.runs += 1;
  const result = await runGist(runner, {
    folder: await session.sandbox.folder('gist'),
    fileName: session.fileName,
    text: gist.text,
    test: testSelector(session.task.nodeId),
    pytestArgs: session.task.pytestArgs,
    pythonPath: session.pythonPath,
    block: session.block,
    shadow: session.shadow,
    traceLines: true,
  });
  const held = verified.linked.held.filter(({ module }) => gist.text.includes(`held('${module}'`));
  return { ...verified, linked: { ...verified.linked, gist, held }, result };
}
