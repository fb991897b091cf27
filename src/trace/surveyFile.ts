// One test file flows in, what each of its tests did flows out: outcome, time, calls, files touched. A test that takes
// the process down is named, and the rest run on without it.
import type { TestOutcome } from '../model/outcome.js';
import { childEnvironment, type Runner } from './runPytest.js';

export interface SurveyRequest {
  readonly root: string;
  /** Test file, or node ids of one file; relative to the root. */
  readonly places: readonly string[];
  readonly pytestArgs: readonly string[];
  readonly pythonPath: readonly string[];
  readonly reverse: boolean;
  /** Seconds that one test may take. */
  readonly limit: number;
}

export interface SurveyedTest {
  readonly nodeId: string;
  readonly phases: TestOutcome['phases'];
  /** Calls of the codebase's functions while the test ran, its fixtures included, imports not. */
  readonly calls: number;
  /** Files of the codebase of which a statement ran meanwhile. */
  readonly files: readonly string[];
  readonly seconds: number;
}

export type Uncollected = readonly [place: string, words: string];

export interface FileSurvey {
  readonly tests: readonly SurveyedTest[];
  /** Node ids of what pytest collected and is no test function (doctests and the like). */
  readonly foreign: readonly string[];
  /** [node id, what happened] of tests that ended or outlasted the process. */
  readonly crashed: readonly (readonly [nodeId: string, what: string])[];
  /** [place, pytest's words] of what could not be collected. */
  readonly uncollected: readonly Uncollected[];
}

type SurveyEvent =
  | { readonly kind: 'collected'; readonly items: readonly (readonly [nodeId: string, isTest: boolean])[] }
  | { readonly kind: 'uncollected'; readonly place: string; readonly words: string }
  | { readonly kind: 'started'; readonly id: string }
  | ({ readonly kind: 'done'; readonly id: string } & Omit<SurveyedTest, 'nodeId'>)
  | { readonly kind: 'end' };

/** Node ids that pytest collects at the places, each with whether it is a test function or method. */
export async function collectTests(
  runner: Runner,
  request: SurveyRequest,
): Promise<{
  readonly items: readonly (readonly [nodeId: string, isTest: boolean])[];
  readonly uncollected: readonly Uncollected[];
}> {
  const args = [...request.pytestArgs, '--collect-only', '--continue-on-collection-errors'];
  const { events, what } = await runOnce(runner, { ...request, pytestArgs: args }, []);
  const items = events.flatMap((event) => (event.kind === 'collected' ? event.items : []));
  const uncollected = events.flatMap((event) =>
    event.kind === 'uncollected' ? [[event.place, event.words] as const] : [],
  );
  return { items, uncollected: items.length + uncollected.length === 0 ? [['', what]] : uncollected };
}

/** Runs all tests of a place in one process, and again without those that took it down. */
export async function surveyFile(runner: Runner, request: SurveyRequest): Promise<FileSurvey> {
  const tests: SurveyedTest[] = [];
  const crashed: [string, string][] = [];
  let foreign: readonly string[] = [];
  for (;;) {
    const over = [...tests.map(({ nodeId }) => nodeId), ...crashed.map(([nodeId]) => nodeId)];
    const { events, what } = await runOnce(runner, request, over);
    const uncollected = events.flatMap((event) =>
      event.kind === 'uncollected' ? [[event.place, event.words] as const] : [],
    );
    const items = events.flatMap((event) => (event.kind === 'collected' ? event.items : []));
    if (over.length === 0) foreign = items.filter(([, isTest]) => !isTest).map(([nodeId]) => nodeId);
    for (const event of events) if (event.kind === 'done') tests.push(surveyed(event));
    const running = events.findLast((event) => event.kind === 'started');
    const done = events.findLast((event) => event.kind === 'done');
    const ended = events.some((event) => event.kind === 'end');
    if (!ended && running?.kind === 'started' && running.id !== done?.id) {
      crashed.push([running.id, what]);
      continue;
    }
    if (!ended && items.length === 0 && uncollected.length === 0) uncollected.push(['', what]);
    return { tests, foreign, crashed, uncollected };
  }
}

function surveyed(event: SurveyEvent & { readonly kind: 'done' }): SurveyedTest {
  const { id, phases, calls, files, seconds } = event;
  return { nodeId: id, phases, calls, files, seconds };
}

async function runOnce(
  runner: Runner,
  request: SurveyRequest,
  leaveOut: readonly string[],
): Promise<{ readonly events: readonly SurveyEvent[]; readonly what: string }> {
  const folder = await runner.sandbox.folder('survey');
  const events = `${folder}/events.jsonl`;
  const spec = {
    mode: 'survey',
    root: request.root,
    excluded: [],
    events,
    leaveOut,
    reverse: request.reverse,
    limit: request.limit,
    args: ['-q', '-p', 'no:cacheprovider', ...request.pytestArgs, ...request.places],
  };
  await runner.sandbox.write(`${folder}/spec.json`, JSON.stringify(spec));
  const { status, stdout, stderr } = await runner.sandbox.run(
    {
      argv: [runner.python, `${runner.helper}/gistify_runner.py`, `${folder}/spec.json`],
      cwd: request.root,
      env: childEnvironment(runner, request.pythonPath),
      timeout: runner.timeout,
    },
    runner.signal,
  );
  const tail = `${stdout}${stderr}`.trim().split('\n').slice(-10).join('\n');
  const what =
    status === null ? `not over after ${runner.timeout} s` : `ended with status ${status}: ${tail}`;
  const text = (await runner.sandbox.read(events)) ?? '';
  return { events: text.split('\n').flatMap(decodeLine), what };
}

/** The last line may be cut off where the process was killed. */
function decodeLine(line: string): readonly SurveyEvent[] {
  if (line === '') return [];
  try {
    return [JSON.parse(line) as SurveyEvent];
  } catch {
    return [];
  }
}
