// The chosen candidate flows in, the Report flows out: scores, origins, diagnostics, timings.
import type { Diagnostic } from '../model/diagnostic.js';
import { reportSchema, type Reduction, type Report } from '../model/report.js';
import type { Score } from '../model/score.js';
import { createCodebasePool } from '../score/codebasePool.js';
import { score } from '../score/score.js';
import { callGraph, reportLines } from './reportLines.js';
import type { Installation } from './sources.js';
import { variablesRead } from './variablesRead.js';
import type { Candidate, Session } from './session.js';

/** The report of the chosen candidate. `codebase` is what existence is measured against. */
export function makeReport(
  session: Session,
  best: Candidate,
  codebase: readonly { readonly file: string; readonly text: string }[],
  commit: string | null,
  installation: Installation,
  sandbox: string,
  reduction: Reduction | null,
  notes: readonly Diagnostic[],
): Omit<Report, 'timings'> {
  const { task, trace, parser } = session;
  const { gist, held, flat } = best.linked;
  const testFile = task.nodeId.split('::')[0] ?? '';
  const scored: Score = score({
    parser,
    nodeId: task.nodeId,
    testSource: codebase.find(({ file }) => file === testFile)?.text ?? '',
    codebase: createCodebasePool(codebase),
    context: session.context,
    original: trace.outcome,
    gistText: gist.text,
    gist: best.result.run?.outcome ?? null,
    timedOut: best.result.timedOut,
    lines: best.result.run?.lines ?? null,
  });
  return {
    schema: reportSchema,
    task,
    gist: { text: gist.text, file: null },
    lines: reportLines(gist.origins, best.result.run?.lines ?? null),
    calls: callGraph(gist.origins, best.result.run?.calls ?? null, trace),
    verified: best.problems.length === 0,
    reduction,
    blocked: session.block,
    score: scored,
    layout: { kind: held.length === 0 ? 'flat' : flat.length <= 1 ? 'held' : 'mixed', held },
    original: trace.outcome,
    observed: best.result.run?.outcome ?? {
      exitCode: -1,
      tests: [],
      collectErrors: [best.result.tail],
      deselected: 0,
    },
    diagnostics: [...diagnose(session, best), ...notes],
    runs: session.runs,
    environment: {
      ...trace.environment,
      variablesRead: variablesRead(trace.variables, session.runner.env),
      commit,
      sandbox,
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
