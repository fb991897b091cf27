// Texts of one gist flow in, verdicts flow out: a warm process forks for each (gistify_forkserver.py), where the sandbox
// and the platform can; elsewhere, and for whatever must be certain, a fresh process runs each.
import { GistifyError } from '../base/gistifyError.js';
import type { Conversation } from '../sandbox/sandbox.js';
import { childEnvironment, gistArguments, type GistRunRequest, type Runner } from './runPytest.js';

/** Why a phase failed: phase, outcome, type, message, raising line, and the calls within the gist that lead there. */
type Reason = readonly [string, string, string, string, string, readonly (readonly [string, string])[]];
/** Phase, outcome and reason of each phase of one test. */
type Signature = readonly (readonly [string, string, string])[];

/** What a reduced gist must still do; gistify_condition.py decides. */
export type Expectation =
  | {
      readonly kind: 'failing';
      /** The first is the one that must stay. */
      readonly failures: readonly Reason[];
      /** Functions that must go on giving a value, if they stay. */
      readonly returns: readonly string[];
    }
  | {
      readonly kind: 'passing';
      readonly signatures: readonly Signature[];
      /** Texts of the statements that must run. */
      readonly asserts: readonly string[];
    };

export interface Observation {
  readonly reasons: readonly Reason[];
  readonly signatures: readonly Signature[];
  readonly collectErrors: readonly string[];
  /** 1-based lines in the order of their first run. */
  readonly executed: readonly number[];
  /** Library modules that the run imported. */
  readonly modules: readonly string[];
  /** Distributions that loaded modules belong to, where they were asked for. */
  readonly packages?: Readonly<Record<string, string>>;
  /** What pytest printed, where the process was a fresh one. */
  readonly output: string;
  readonly wall: number;
  readonly cpu: number;
}

export type CandidateRequest = Omit<GistRunRequest, 'folder' | 'text' | 'traceLines'>;

type Once = { readonly once: 'verify'; readonly expect: Expectation } | { readonly once: 'observe' };

/** One run in a fresh process; null where it could not report. */
async function runOnce(
  runner: Runner,
  request: CandidateRequest,
  text: string,
  once: Once,
): Promise<unknown> {
  const folder = await runner.sandbox.folder('candidate');
  const specs = await runner.sandbox.folder('run');
  const out = `${specs}/out.json`;
  await runner.sandbox.write(`${folder}/${request.fileName}`, text);
  const { fileName, block, shadow, test } = request;
  const spec = {
    fileName,
    block,
    shadow,
    test,
    folder,
    out,
    packages: true,
    args: gistArguments(request, folder),
    ...once,
  };
  await runner.sandbox.write(`${specs}/spec.json`, JSON.stringify(spec));
  const argv = [runner.python, `${runner.helper}/gistify_forkserver.py`, `${specs}/spec.json`];
  const env = childEnvironment(runner, request.pythonPath);
  const { stdout } = await runner.sandbox.run(
    { argv, cwd: folder, env, timeout: runner.timeout },
    runner.signal,
  );
  const said = await runner.sandbox.read(out);
  return said === null ? null : { ...(JSON.parse(said) as object), output: stdout };
}

/** Whether a text is as expected, in a fresh process; '' or why not. */
export async function verifyFresh(
  runner: Runner,
  request: CandidateRequest,
  text: string,
  expect: Expectation,
): Promise<string> {
  const said = (await runOnce(runner, request, text, { once: 'verify', expect })) as { why: string } | null;
  return said === null ? 'it did not report' : said.why;
}

/** What a run of the text does, in a fresh process. */
export async function observeFresh(
  runner: Runner,
  request: CandidateRequest,
  text: string,
): Promise<Observation | null> {
  return (await runOnce(runner, request, text, { once: 'observe' })) as Observation | null;
}

export interface Candidates {
  /** Null where the run did not report. */
  observe(text: string): Promise<Observation | null>;
  /** Imports libraries ahead of the forks to come. */
  warm(modules: readonly string[]): Promise<void>;
  expect(expectation: Expectation): void;
  verify(text: string): Promise<boolean>;
  /** Wall and CPU seconds that one candidate may take from now on. */
  limit(wall: number, cpu: number): void;
  close(): Promise<void>;
}

/** A warm process, ready for candidates; null where there can be none. */
export async function openCandidates(
  runner: Runner,
  request: CandidateRequest,
  text: string,
): Promise<Candidates | null> {
  const { sandbox } = runner;
  if (sandbox.converse === undefined || process.platform === 'win32') return null;
  const folder = await sandbox.folder('candidates');
  const specs = await sandbox.folder('run');
  await runner.sandbox.write(`${folder}/${request.fileName}`, text);
  const { fileName, block, shadow, test } = request;
  const spec = { fileName, block, shadow, test, folder, args: gistArguments(request, folder) };
  await runner.sandbox.write(`${specs}/spec.json`, JSON.stringify(spec));
  const waiting = new Map<number, (said: Said) => void>();
  let over = false;
  let limits = { wall: runner.timeout, cpu: runner.timeout };
  let last = 0;
  let started: (ready: boolean) => void = () => undefined;
  const ready = new Promise<boolean>((resolve) => {
    started = resolve;
  });
  const conversation: Conversation = sandbox.converse(
    {
      argv: [runner.python, `${runner.helper}/gistify_forkserver.py`, `${specs}/spec.json`],
      cwd: folder,
      env: childEnvironment(runner, request.pythonPath),
      timeout: runner.timeout,
    },
    {
      line(line) {
        const said = JSON.parse(line) as Said;
        if (said.ready === true) started(true);
        if (said.fatal !== undefined) runner.log(`the warm process: ${said.fatal}`);
        const { id } = said;
        if (id === undefined) return;
        waiting.get(id)?.(said);
        waiting.delete(id);
      },
      end(words) {
        over = true;
        if (words.trim() !== '') runner.log(`the warm process ended: ${words.trim().slice(-2000)}`);
        started(false);
        for (const tell of waiting.values()) tell({});
        waiting.clear();
      },
    },
  );
  const ask = (job: Record<string, unknown>): Promise<Said> => {
    if (over) return Promise.resolve({});
    const id = (last += 1);
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      conversation.send(JSON.stringify({ ...job, ...limits, id }));
    });
  };
  if (!(await ready)) return null;
  return {
    async observe(candidate) {
      const said = await ask({ op: 'observe', text: candidate });
      return said.executed === undefined ? null : (said as Observation);
    },
    async warm(modules) {
      await ask({ op: 'warm', modules });
    },
    expect(expectation) {
      conversation.send(JSON.stringify({ op: 'expect', expect: expectation }));
    },
    async verify(candidate) {
      const said = await ask({ op: 'verify', text: candidate });
      if (over && said.holds === undefined && !runner.signal.aborted)
        throw new GistifyError('helper-crashed', 'the warm process that verifies candidates ended');
      return said.holds === true;
    },
    limit(wall, cpu) {
      limits = { wall, cpu };
    },
    close: () => conversation.close(),
  };
}

interface Said extends Partial<Observation> {
  readonly id?: number;
  readonly ready?: boolean;
  readonly fatal?: string;
  readonly holds?: boolean;
}
