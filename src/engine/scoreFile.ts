// Any gist flows in, its Score and the origin of each of its lines flow out: the original runs, the original test is
// put into the gist (arXiv 2510.26790, section 2.3), and what then runs is compared.
import { isCommand } from '../base/command.js';
import { GistifyError } from '../base/gistifyError.js';
import { testSelector } from '../base/testSelector.js';
import type { Origin } from '../model/gist.js';
import type { Host } from '../model/progress.js';
import { reportSchema, type Report } from '../model/report.js';
import type { Task } from '../model/task.js';
import type { Trace } from '../model/trace.js';
import { openSandbox } from '../sandbox/openSandbox.js';
import type { OpenedSandbox } from '../sandbox/sandbox.js';
import { translateFault } from '../sandbox/translateFault.js';
import { createCodebasePool } from '../score/codebasePool.js';
import { injectTest } from '../score/injectTest.js';
import { findProvenance } from '../score/provenance.js';
import { score } from '../score/score.js';
import { runGist } from '../trace/runPytest.js';
import { cacheFolder } from './cacheFolder.js';
import { makeRunner } from './makeRunner.js';
import { pythonPathEntries, rootInside, topNames, traceInSafety, withoutCodebase } from './originalRun.js';
import { callGraph, reportLines } from './reportLines.js';
import { loadParser, makeShadow, readCodebase, readCommit, type Installation } from './sources.js';

export interface ScoreFileInput extends Pick<
  Task,
  'repo' | 'nodeId' | 'python' | 'pytestArgs' | 'timeout' | 'sandbox' | 'isolation'
> {
  readonly text: string;
  readonly host: Host;
  readonly installation: Installation;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** The original's run where it is at hand; it is run anew where not. */
  readonly trace?: Trace;
}

/** The Report of a file that is not known to be made by Gistify, and its origins by themselves. */
export interface FileScore extends Report {
  readonly nodeId: string;
  /** One origin a line of the file as it was given. */
  readonly origins: readonly Origin[];
}

const fileName = 'concise.py';

/** Scores a gist file. Throws GistifyError where the original test cannot be run. */
export async function scoreFile(input: ScoreFileInput): Promise<FileScore> {
  const { host, repo, nodeId, installation, text } = input;
  const cache = cacheFolder(input.env, repo);
  let opened: OpenedSandbox | null = null;
  try {
    opened = await openSandbox({
      ...input,
      installation: installation.root,
      keep: cache === null ? [] : [cache],
    });
    const { sandbox } = opened;
    host.log(`sandbox: ${opened.words}`);
    const root = rootInside(sandbox, repo);
    const pythonPath = pythonPathEntries(sandbox, opened.env, input.cwd);
    const runner = await makeRunner(opened, { host, installation, timeout: input.timeout, cache });
    const parser = await loadParser(installation);
    host.progress({ stage: 'trace', message: 'running the original test', fraction: 0.1 });
    const trace = input.trace ?? (await traceInSafety(sandbox, runner, input, pythonPath, host)).trace;
    const codebase = await readCodebase(repo);
    const testFile = nodeId.split('::')[0] ?? '';
    const testSource = codebase.find(({ file }) => file === testFile)?.text ?? '';
    const injected = injectTest(parser, text, testSource, nodeId);
    const tops = topNames(trace, fileName);
    let result: Awaited<ReturnType<typeof runGist>> | null = null;
    if (injected !== null) {
      host.progress({
        stage: 'verify',
        message: 'running the gist with the original test in it',
        fraction: 0.5,
      });
      result = await runGist(runner, {
        folder: await sandbox.folder('gist'),
        fileName,
        text: injected,
        test: testSelector(nodeId),
        pytestArgs: input.pytestArgs,
        pythonPath: withoutCodebase(pythonPath, root),
        block: tops,
        shadow: await makeShadow(sandbox, root, trace),
        traceLines: true,
      });
    }
    host.progress({ stage: 'score', message: 'scoring', fraction: 0.8 });
    const pool = createCodebasePool(codebase);
    const scored = score({
      parser,
      nodeId,
      testSource,
      codebase: pool,
      context: {
        codebaseModules: tops,
        gistModule: isCommand(nodeId) ? '__main__' : 'concise',
      },
      original: trace.outcome,
      gistText: text,
      gist: result?.run?.outcome ?? null,
      timedOut: result?.timedOut ?? false,
      lines: result?.run?.lines ?? null,
    });
    const origins = findProvenance(parser, text, pool);
    const run = result?.run ?? null;
    // The original test may be longer or shorter than the gist's own: what ran is told by lines of the file as given.
    const place = placesBefore(text, injected ?? text);
    const moved = (lines: readonly number[]) => lines.flatMap((line) => place(line) ?? []);
    const lines =
      run?.lines == null
        ? null
        : { statements: moved(run.lines.statements), executed: moved(run.lines.executed) };
    const calls = run?.calls == null || injected !== text ? null : callGraph(origins, run.calls, trace);
    return {
      schema: reportSchema,
      nodeId,
      task: {
        ...{ repo, nodeId, python: opened.python, pytestArgs: input.pytestArgs, timeout: input.timeout },
        ...{ layout: 'auto', reduce: 'executed', keepDocstrings: false },
        sandbox: opened.isLocal ? 'local' : input.sandbox,
      },
      gist: { text, file: null },
      lines: reportLines(origins, lines),
      calls,
      origins,
      verified: scored.fidelity === 1,
      score: scored,
      layout: { kind: 'flat', held: [] },
      original: trace.outcome,
      observed: run?.outcome ?? {
        ...{ exitCode: -1, tests: [], deselected: 0 },
        collectErrors: [result?.tail ?? 'there is no such test in the file'],
      },
      diagnostics: scored.problems.map((message) => ({
        ...{ severity: 'error', code: 'differs', file: null, line: null },
        message,
      })),
      timings: [],
      runs: injected === null ? 1 : 2,
      environment: {
        ...trace.environment,
        variablesRead: [],
        commit: await readCommit(repo),
        sandbox: opened.words,
      },
      versions: { gistify: installation.version },
    };
  } catch (error) {
    if (host.signal.aborted) throw new GistifyError('cancelled', 'cancelled');
    throw translateFault(error, opened?.sandbox ?? null);
  } finally {
    await opened?.sandbox.dispose();
  }
}

/** From a line of the text as it ran to the line of the text as given; null in between, where they differ. */
function placesBefore(given: string, ran: string): (line: number) => number | null {
  const [before, after] = [given.split('\n'), ran.split('\n')];
  let head = 0;
  while (head < before.length && before[head] === after[head]) head += 1;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return (line) => {
    if (line <= head) return line;
    return line > after.length - tail ? line + before.length - after.length : null;
  };
}
