// A spec goes to the Python helper, what pytest and the probes observed comes back as plain data.
import { isCommand } from '../base/command.js';
import { GistifyError } from '../base/gistifyError.js';
import type { RunOutcome } from '../model/outcome.js';
import type { Environment, GistRun, Trace } from '../model/trace.js';
import type { Command, Ended, Prepared, Sandbox } from '../sandbox/sandbox.js';
import { nearestIds } from './nearestIds.js';

export interface Runner {
  readonly sandbox: Sandbox;
  readonly python: string;
  /** Folder of `gistify_runner.py`, as the sandbox's commands see it. */
  readonly helper: string;
  /** The environment that the sandbox gives to commands. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
  /** Folder in which instrumented code is kept from run to run; without one nothing is kept. */
  readonly cache?: string | null;
}

/** The parts of a trace that the guard tells. */
type Guarded =
  | 'dataFiles'
  | 'listedFolders'
  | 'probed'
  | 'readers'
  | 'entered'
  | 'relativeReads'
  | 'askedFolder'
  | 'importPaths'
  | 'children'
  | 'written'
  | 'variables'
  | 'network';

interface Decoded {
  readonly fatal: { readonly code: string; readonly message: string } | null;
  readonly exitCode: number;
  readonly tests: RunOutcome['tests'];
  readonly collectErrors: readonly string[];
  readonly deselected: number;
  /** The exception that ended the whole run, and where in the codebase it came from. */
  readonly ended: { readonly type: string; readonly message: string; readonly place: string } | null;
  readonly collectStdout: string;
  readonly collectStderr: string;
  readonly files?: RunOutcome['files'];
  /** Ids of the tests, where they were only collected. */
  readonly collected: readonly string[];
  readonly trace?: Omit<Trace, 'outcome' | 'environment' | Guarded>;
  readonly observed?: Pick<Trace, Guarded>;
  readonly lines?: GistRun['lines'];
  readonly calls?: GistRun['calls'];
  readonly environment: Environment;
}

/** Environment for a child: as given, but quiet on disk and with a fixed hash seed. */
export function childEnvironment(runner: Runner, pythonPath: readonly string[]): Record<string, string> {
  const env: Record<string, string> = { ...runner.env, PYTHONDONTWRITEBYTECODE: '1' };
  if (env['PYTHONHASHSEED'] === undefined || env['PYTHONHASHSEED'] === 'random') env['PYTHONHASHSEED'] = '0';
  delete env['PYTEST_CURRENT_TEST'];
  delete env['COVERAGE_PROCESS_START'];
  const windows = runner.sandbox.kind === 'local' && process.platform === 'win32';
  if (pythonPath.length > 0) env['PYTHONPATH'] = pythonPath.join(windows ? ';' : ':');
  else delete env['PYTHONPATH'];
  return env;
}

function commandOf(runner: Runner, spec: string, cwd: string, pythonPath: readonly string[]): Command {
  const argv = [runner.python, `${runner.helper}/gistify_runner.py`, spec];
  return { argv, cwd, env: childEnvironment(runner, pythonPath), timeout: runner.timeout };
}

/** A folder for a gist, and a fresh interpreter in it that has loaded pytest and nothing else, and waits. */
export interface PreparedRun {
  readonly folder: string;
  readonly process: Prepared | null;
}

/** Starts the interpreter of a gist's run ahead, while there is nothing to run yet. */
export function prepareGistRun(runner: Runner, pythonPath: readonly string[]): Promise<PreparedRun> {
  const prepared = runner.sandbox.folder('gist').then((folder) => ({
    folder,
    process: runner.sandbox.prepare?.(commandOf(runner, '-', folder, pythonPath)) ?? null,
  }));
  // A fault is told by whoever waits for it.
  prepared.catch(() => undefined);
  return prepared;
}

async function run(
  runner: Runner,
  cwd: string,
  spec: Record<string, unknown>,
  pythonPath: readonly string[],
  prepared: Prepared | null = null,
): Promise<{ ended: Ended; decoded: Decoded | null }> {
  const folder = await runner.sandbox.folder('run');
  const out = `${folder}/out.json`;
  const specFile = `${folder}/spec.json`;
  await runner.sandbox.write(specFile, JSON.stringify({ ...spec, out }));
  const ended =
    prepared === null
      ? await runner.sandbox.run(commandOf(runner, specFile, cwd, pythonPath), runner.signal)
      : await prepared.run(specFile, runner.signal);
  // No report: the run crashed or was killed; the caller says so with the output at hand.
  const report = await runner.sandbox.read(out);
  return { ended, decoded: report === null ? null : (JSON.parse(report) as Decoded) };
}

function outcomeOf(decoded: Decoded, ended: Ended): RunOutcome {
  const { exitCode, tests, collectErrors, deselected, collectStdout, collectStderr, files } = decoded;
  const shared = { exitCode, collectErrors, deselected, collectStdout, collectStderr };
  if (files === undefined) return { ...shared, tests };
  // What a command prints is what its process prints.
  const { stdout, stderr } = ended;
  const printed = tests.map((test) => ({
    ...test,
    phases: test.phases.map((phase) => ({ ...phase, stdout, stderr })),
  }));
  return { ...shared, tests: printed, files };
}

function tail(ended: Ended): string {
  return `${ended.stdout}${ended.stderr}`.trim().split('\n').slice(-30).join('\n');
}

export interface TraceRequest {
  readonly root: string;
  readonly cwd: string;
  readonly nodeId: string;
  readonly pytestArgs: readonly string[];
  readonly pythonPath: readonly string[];
  /** The run happens in the user's own tree and must not write there. */
  readonly inPlace: boolean;
  readonly excluded: readonly string[];
}

export type TraceResult =
  | { readonly kind: 'trace'; readonly trace: Trace; readonly seconds: number }
  | { readonly kind: 'writes'; readonly what: string };

/** Runs the original test traced. Throws GistifyError where it cannot be run at all. */
export async function traceOriginal(runner: Runner, request: TraceRequest): Promise<TraceResult> {
  const args = ['-q', '-p', 'no:cacheprovider', ...request.pytestArgs, request.nodeId];
  const spec = {
    mode: 'trace',
    root: request.root,
    inPlace: request.inPlace,
    args,
    command: isCommand(request.nodeId) ? request.nodeId : null,
    excluded: request.excluded,
    // A private copy lies in another place each time: its code would never be asked for again.
    cache: request.inPlace && runner.sandbox.kind === 'local' ? (runner.cache ?? null) : null,
  };
  const { ended, decoded } = await run(runner, request.cwd, spec, request.pythonPath);
  if (ended.status === null) {
    throw new GistifyError(
      'timeout',
      `the test did not end within ${runner.timeout} s`,
      'Raise the limit with --timeout.',
      tail(ended),
    );
  }
  if (decoded === null) {
    throw new GistifyError(
      'helper-crashed',
      `the run of the original test ended with status ${ended.status} before it could report`,
      ended.note === '' ? plainHint : ended.note,
      tail(ended),
    );
  }
  if (decoded.fatal !== null) {
    if (decoded.fatal.code === 'usage')
      throw new GistifyError(
        'usage',
        decoded.fatal.message,
        'A command reads python -m module … or python script.py …, as seen from the codebase.',
        tail(ended),
      );
    if (decoded.fatal.code === 'writes') return { kind: 'writes', what: decoded.fatal.message };
    if (decoded.fatal.code === 'pytest-missing') {
      throw new GistifyError(
        'pytest-missing',
        `pytest is not installed for ${runner.python}`,
        `Install it there (${runner.python} -m pip install pytest) or choose another interpreter with --python.`,
        decoded.fatal.message,
      );
    }
    if (decoded.fatal.code === 'refused')
      throw new GistifyError(
        'refused',
        `the test ${decoded.fatal.message}`,
        'Let it send signals only to itself and to processes that it started.',
      );
    throw new GistifyError('helper-crashed', decoded.fatal.message, plainHint, tail(ended));
  }
  const outcome = outcomeOf(decoded, ended);
  if (decoded.collectErrors.length > 0) {
    throw new GistifyError(
      'collection-error',
      'pytest could not collect the test',
      collectionHint(decoded.collectErrors),
      decoded.collectErrors.join('\n'),
    );
  }
  if (decoded.ended !== null)
    throw endedEarly(request.nodeId, decoded.ended, decoded.tests.length > 0, tail(ended));
  if (decoded.tests.length === 0) {
    const conftest = /^ImportError while loading conftest '([^']+)'/m.exec(tail(ended))?.[1];
    if (conftest !== undefined)
      throw new GistifyError(
        'collection-error',
        `pytest could not load ${conftest}`,
        collectionHint([tail(ended)]),
        tail(ended),
      );
    if (decoded.deselected > 0)
      throw new GistifyError(
        'nothing-ran',
        `nothing ran: the project's own options deselect ${request.nodeId} (${decoded.deselected} deselected)`,
        'Pass other options after --, for example -- -m "" or -- -k "".',
        tail(ended),
      );
    throw await testNotFound(runner, request, decoded.exitCode, tail(ended));
  }
  if (decoded.trace === undefined || decoded.observed === undefined)
    throw new GistifyError('helper-crashed', 'the run left no trace', '', tail(ended));
  return {
    kind: 'trace',
    trace: { ...decoded.trace, ...decoded.observed, outcome, environment: decoded.environment },
    seconds: ended.seconds,
  };
}

const plainHint = 'Run the test with plain pytest to see why.';

/** What ended a run is no failure of a test: pytest reports none, and a gist would have nothing to show. */
function endedEarly(
  nodeId: string,
  { type, message, place }: NonNullable<Decoded['ended']>,
  started: boolean,
  words: string,
): GistifyError {
  const what = message === '' ? type : `${type}: ${message}`;
  return new GistifyError(
    started ? 'ended-early' : 'collection-error',
    `${started ? nodeId : `loading ${nodeId}`} ended the whole pytest run (${what}, ${place})`,
    started
      ? 'Plain pytest reports no outcome of such a test either: let it fail by an exception of its own.'
      : 'Keep what ends the process out of code that runs when the module is imported.',
    words,
  );
}

const shownIds = 10;

/** Names the ids that do exist: those of the same test with other parameters, else those of the same file. */
async function testNotFound(
  runner: Runner,
  request: TraceRequest,
  status: number,
  words: string,
): Promise<GistifyError> {
  const { nodeId } = request;
  const test = nodeId.replace(/\[.*$/s, '');
  const file = nodeId.replace(/::.*$/s, '');
  for (const place of new Set([test, file])) {
    if (place === nodeId) continue;
    const ids = await collectIds(runner, request, place);
    if (ids.length === 0) continue;
    const shown = nearestIds(nodeId, ids, shownIds);
    const rest = ids.length > shown.length ? `\n… and ${ids.length - shown.length} more` : '';
    const advice =
      place === test
        ? `Ask for one of these (the nearest stands first), or for all as ${test}: ids can change from run to run.`
        : 'Ask for one of these (the nearest stands first).';
    return new GistifyError(
      'test-not-found',
      `${nodeId} does not exist now; these of ${place} do`,
      advice,
      shown.join('\n') + rest,
    );
  }
  return new GistifyError(
    'test-not-found',
    `pytest ran no test for ${nodeId} (exit status ${status})`,
    'Check the node id with `gistify tests`.',
    words,
  );
}

/** Ids of the tests at a place, none where it cannot be collected. */
async function collectIds(runner: Runner, request: TraceRequest, place: string): Promise<readonly string[]> {
  const { root, cwd, inPlace, excluded, pytestArgs, pythonPath } = request;
  const args = ['-q', '-p', 'no:cacheprovider', ...pytestArgs, '--collect-only', place];
  const { decoded } = await run(runner, cwd, { mode: 'trace', root, inPlace, args, excluded }, pythonPath);
  return decoded?.fatal === null ? decoded.collected : [];
}

function collectionHint(errors: readonly string[]): string {
  const missing = /No module named '([\w.]+)'/.exec(errors.join('\n'))?.[1];
  if (missing === undefined) return 'Run the test with plain pytest and mend the error first.';
  return `The module ${missing} is missing: install it for this interpreter, or set PYTHONPATH so that the codebase can be imported.`;
}

export interface GistRunRequest {
  /** Empty private folder; the gist is written there as `fileName`. */
  readonly folder: string;
  readonly fileName: string;
  readonly text: string;
  /** Node id parts after the file, with parameters; a command whole. */
  readonly test: string;
  readonly pytestArgs: readonly string[];
  readonly pythonPath: readonly string[];
  readonly block: readonly string[];
  readonly shadow: string;
  readonly traceLines: boolean;
  /** The interpreter that waits in `folder`; without one it is started now. */
  readonly prepared?: Prepared | null;
}

export interface GistRunResult {
  readonly run: GistRun | null;
  /** Output of a run that could not report. */
  readonly tail: string;
  readonly seconds: number;
  readonly timedOut: boolean;
}

/** pytest's arguments for a gist: no settings but its own, nothing of pytest left beside it. */
export function gistArguments(
  { fileName, test, pytestArgs }: Pick<GistRunRequest, 'fileName' | 'test' | 'pytestArgs'>,
  folder: string,
): readonly string[] {
  const settings = ['-c', '/dev/null', '--rootdir', folder];
  // Without it pytest lists every folder from the top down to the gist's.
  const above = ['--confcutdir', folder];
  return ['-q', '-p', 'no:cacheprovider', ...settings, ...above, ...pytestArgs, `${fileName}::${test}`];
}

/** Runs a gist with the codebase blocked. */
export async function runGist(runner: Runner, request: GistRunRequest): Promise<GistRunResult> {
  const gist = `${request.folder}/${request.fileName}`;
  await runner.sandbox.write(gist, request.text);
  const spec = {
    mode: 'gist',
    root: request.folder,
    gist,
    args: gistArguments(request, request.folder),
    command: isCommand(request.test) ? request.test : null,
    block: request.block,
    shadow: request.shadow,
    traceLines: request.traceLines,
  };
  const { ended, decoded } = await run(
    runner,
    request.folder,
    spec,
    request.pythonPath,
    request.prepared ?? null,
  );
  const text = tail(ended);
  if (decoded?.fatal !== null) {
    return {
      run: null,
      tail: decoded?.fatal?.message ?? text,
      seconds: ended.seconds,
      timedOut: ended.status === null,
    };
  }
  return {
    run: { outcome: outcomeOf(decoded, ended), lines: decoded.lines ?? null, calls: decoded.calls ?? null },
    tail: text,
    seconds: ended.seconds,
    timedOut: false,
  };
}
