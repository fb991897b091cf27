// A codebase flows in; its tests flow out, each kept with its measures or dropped with the reason: run twice in one
// copy of the codebase (the second time in reverse order) and once in another place.
import { basename } from 'node:path';
import pLimit from 'p-limit';
import { GistifyError } from '../base/gistifyError.js';
import { groupBy } from '../base/groupBy.js';
import { testSelector } from '../base/testSelector.js';
import type { RunOutcome } from '../model/outcome.js';
import type { Host } from '../model/progress.js';
import type { Task } from '../model/task.js';
import { openSandbox } from '../sandbox/openSandbox.js';
import type { OpenedSandbox } from '../sandbox/sandbox.js';
import { compareOutcomes } from '../score/compareOutcomes.js';
import {
  collectTests,
  surveyFile,
  type FileSurvey,
  type SurveyedTest,
  type SurveyRequest,
} from '../trace/surveyFile.js';
import { makeRunner } from './makeRunner.js';
import { inCopy, leftBehind, pythonPathEntries, rootInside } from './originalRun.js';
import type { Installation } from './sources.js';

export interface SurveyInput extends Pick<Task, 'sandbox' | 'isolation'> {
  readonly repo: string;
  readonly python: string;
  readonly pytestArgs: readonly string[];
  /** Files, folders or node ids, relative to the codebase; empty: what pytest finds by itself. */
  readonly places: readonly string[];
  /** Seconds that a test, all its instances together, may take. */
  readonly slow: number;
  /** Seconds that all tests of one file may take. */
  readonly timeout: number;
  readonly jobs: number;
  readonly host: Host;
  readonly installation: Installation;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export interface KeptTest {
  /** Node id without parameters. */
  readonly nodeId: string;
  readonly instances: number;
  readonly calls: number;
  readonly files: number;
  readonly seconds: number;
}

export const dropReasons = [
  'not-collected',
  'not-a-function',
  'crashes',
  'fails',
  'skipped',
  'expected-to-fail',
  'slow',
  'flaky',
  'location-dependent',
] as const;

export interface DroppedTest {
  /** Node id without parameters, or the place that could not be collected. */
  readonly nodeId: string;
  readonly reason: (typeof dropReasons)[number];
  readonly words: string;
}

export interface TestSurvey {
  readonly kept: readonly KeptTest[];
  readonly dropped: readonly DroppedTest[];
}

/** Collects, runs and measures the tests of a codebase; the codebase itself is never run in, nor written to. */
export async function surveyTests(input: SurveyInput): Promise<TestSurvey> {
  const { host, repo } = input;
  let opened: OpenedSandbox | null = null;
  try {
    opened = await openSandbox({ ...input, nodeId: '', installation: input.installation.root });
    const { sandbox, env } = opened;
    const root = rootInside(sandbox, repo);
    const runner = await makeRunner(opened, input);
    const here = `${await sandbox.folder('survey')}/${basename(repo)}`;
    const elsewhere = `${await sandbox.folder('elsewhere')}/moved/other-${basename(repo)}`;
    for (const copy of [here, elsewhere]) await sandbox.copy(root, copy, { skip: leftBehind, only: null });
    const pythonPath = pythonPathEntries(sandbox, env, input.cwd);
    const requestIn = (copy: string, places: readonly string[]): SurveyRequest => ({
      root: copy,
      places,
      pytestArgs: input.pytestArgs,
      pythonPath: pythonPath.map((entry) => inCopy(entry, root, copy)),
      reverse: false,
      limit: input.slow,
    });
    host.progress({ stage: 'scan', message: 'collecting tests', fraction: 0 });
    const collected = await collectTests(runner, requestIn(here, input.places));
    if (collected.items.length === 0)
      throw new GistifyError(
        'collection-error',
        `pytest collected no test in ${repo}`,
        'Run pytest --collect-only there with the same interpreter to see why.',
        collected.uncollected.map(([, words]) => words).join('\n'),
      );
    const dropped: DroppedTest[] = collected.uncollected.map(([place, words]) => ({
      nodeId: place,
      reason: 'not-collected',
      words: lastWords(words),
    }));
    const foreign = collected.items.filter(([, isTest]) => !isTest).map(([nodeId]) => nodeId);
    for (const nodeId of new Set(foreign.map(withoutParameters)))
      dropped.push({ nodeId, reason: 'not-a-function', words: 'a doctest or another item of a plugin' });
    const byFile = groupBy(
      new Set(collected.items.flatMap(([nodeId, isTest]) => (isTest ? [withoutParameters(nodeId)] : []))),
      (nodeId) => nodeId.split('::')[0] ?? '',
    );
    const kept: KeptTest[] = [];
    const limit = pLimit(input.jobs);
    let over = 0;
    await Promise.all(
      [...byFile].map(([file, nodeIds]) =>
        limit(async () => {
          const places = input.places.length === 0 ? [file] : nodeIds;
          const first = await surveyFile(runner, requestIn(here, places));
          const judged = judgeFirst(first, nodeIds, input.slow);
          dropped.push(...judged.dropped);
          if (judged.passed.size > 0) {
            const again = { ...requestIn(here, [...judged.passed.keys()]), reverse: true };
            const second = await surveyFile(runner, again);
            const third = await surveyFile(runner, requestIn(elsewhere, [...judged.passed.keys()]));
            for (const [nodeId, tests] of judged.passed) {
              const reason = judgeAgain(nodeId, tests, second, third);
              if (reason === null) kept.push(measure(nodeId, tests));
              else dropped.push(reason);
            }
          }
          over += 1;
          host.progress({
            stage: 'trace',
            message: `${over} of ${byFile.size} test files: ${file}`,
            fraction: over / byFile.size,
          });
        }),
      ),
    );
    const byId = (a: { nodeId: string }, b: { nodeId: string }) => (a.nodeId < b.nodeId ? -1 : 1);
    return { kept: kept.toSorted(byId), dropped: dropped.toSorted(byId) };
  } catch (error) {
    if (host.signal.aborted) throw new GistifyError('cancelled', 'cancelled');
    throw error;
  } finally {
    await opened?.sandbox.dispose();
  }
}

/** A parametrized test is one, with all its instances. */
function withoutParameters(nodeId: string): string {
  return nodeId.replace(/\[.*$/s, '');
}

function lastWords(words: string): string {
  const lines = words.trim().split('\n');
  return (lines.findLast((line) => line.startsWith('E ')) ?? lines.at(-1) ?? '')
    .replace(/^E\s+/, '')
    .slice(0, 300);
}

interface FirstJudgement {
  readonly passed: ReadonlyMap<string, readonly SurveyedTest[]>;
  readonly dropped: readonly DroppedTest[];
}

/** What the first run alone tells: crashes, failures, skips, slowness. */
function judgeFirst(survey: FileSurvey, nodeIds: readonly string[], slow: number): FirstJudgement {
  const groups = groupBy(survey.tests, ({ nodeId }) => withoutParameters(nodeId));
  const crashes = new Map(survey.crashed.map(([nodeId, what]) => [withoutParameters(nodeId), what]));
  const passed = new Map<string, readonly SurveyedTest[]>();
  const dropped: DroppedTest[] = [];
  for (const nodeId of nodeIds) {
    const tests = groups.get(nodeId) ?? [];
    const drop = (reason: DroppedTest['reason'], words: string) => {
      dropped.push({ nodeId, reason, words: words.slice(0, 300) });
    };
    const phases = tests.flatMap((test) => test.phases);
    const failure = phases.find(({ outcome }) => outcome === 'failed' || outcome === 'xpassed');
    const seconds = tests.reduce((sum, test) => sum + test.seconds, 0);
    const crash = crashes.get(nodeId);
    if (crash?.startsWith('not over') === true) drop('slow', crash);
    else if (crash !== undefined) drop('crashes', crash);
    else if (tests.length === 0)
      drop(
        'not-collected',
        survey.uncollected.map(([, words]) => lastWords(words)).join(' ') || 'it did not run with its file',
      );
    else if (failure?.failure?.type.endsWith('TooSlow') === true) drop('slow', failure.failure.message);
    else if (failure !== undefined)
      drop(
        'fails',
        `${failure.when}: ${failure.failure?.type ?? failure.outcome}: ${failure.failure?.message ?? ''}`,
      );
    else if (phases.some(({ outcome }) => outcome === 'xfailed'))
      drop('expected-to-fail', phases.find(({ outcome }) => outcome === 'xfailed')?.reason ?? '');
    else if (
      !tests.some((test) => test.phases.some((one) => one.when === 'call' && one.outcome === 'passed'))
    )
      drop('skipped', phases.find(({ outcome }) => outcome === 'skipped')?.reason ?? '');
    else if (seconds > slow) drop('slow', `${seconds.toFixed(1)} s, more than ${slow} s`);
    else passed.set(nodeId, tests);
  }
  return { passed, dropped };
}

function judgeAgain(
  nodeId: string,
  tests: readonly SurveyedTest[],
  second: FileSurvey,
  third: FileSurvey,
): DroppedTest | null {
  const expected = outcomeOf(tests);
  const differences = (survey: FileSurvey, there: string) =>
    compareOutcomes(
      expected,
      outcomeOf(survey.tests.filter((test) => withoutParameters(test.nodeId) === nodeId)),
      {
        codebaseModules: [],
        gistModule: '',
        sides: ['the first run', there],
      },
    );
  const again = differences(second, 'the second run, in reverse order');
  if (again.length > 0) return { nodeId, reason: 'flaky', words: again.slice(0, 3).join('; ') };
  const moved = differences(third, 'a copy elsewhere');
  if (moved.length > 0) return { nodeId, reason: 'location-dependent', words: moved.slice(0, 3).join('; ') };
  return null;
}

function outcomeOf(tests: readonly SurveyedTest[]): RunOutcome {
  return {
    exitCode: 0,
    tests: tests.map(({ nodeId, phases }) => ({ name: testSelector(nodeId), phases })),
    collectErrors: [],
    deselected: 0,
  };
}

function measure(nodeId: string, tests: readonly SurveyedTest[]): KeptTest {
  return {
    nodeId,
    instances: tests.length,
    calls: tests.reduce((sum, test) => sum + test.calls, 0),
    files: new Set(tests.flatMap((test) => test.files)).size,
    seconds: Math.round(tests.reduce((sum, test) => sum + test.seconds, 0) * 1000) / 1000,
  };
}
