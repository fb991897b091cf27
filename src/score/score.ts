// Everything known of one gist flows in as plain data, its Score flows out; nothing is run here.
//
// For the engine:
//   createCodebasePool(files: readonly { file; text }[]): CodebasePool            (codebasePool.ts; once a codebase)
//   injectTest(parser, gistText, testSource, nodeId): string | null               (injectTest.ts; the text to run, null: test missing)
//   score(input: ScoreInput): Score                                               (this file)
//   compareOutcomes(original, gist, context: CompareContext): string[]            (compareOutcomes.ts; for verify, empty = equal)
//   findProvenance(parser, gistText, pool): readonly Origin[]                     (provenance.ts; for gists written by others)
import { testSelector } from '../base/testSelector.js';
import type { RunOutcome } from '../model/outcome.js';
import type { Score } from '../model/score.js';
import type { PythonParser } from '../python/parse.js';
import type { CodebasePool } from './codebasePool.js';
import { outcomeProblems, type CompareContext, type OutcomeProblem } from './compareOutcomes.js';
import { executionRatio } from './executionRatio.js';
import { measureExistence } from './existence.js';
import { failureKind } from './failureKind.js';
import { injectTest } from './injectTest.js';
import { testF1 } from './testF1.js';

export interface ScoreInput {
  readonly parser: PythonParser;
  readonly nodeId: string;
  /** Text of the original test file. */
  readonly testSource: string;
  /** The codebase's Python files, its tests and conftest files too. */
  readonly codebase: CodebasePool;
  readonly context: CompareContext;
  readonly original: RunOutcome;
  /** The gist as its author wrote it, before the original test was put in; null where there is no file. */
  readonly gistText: string | null;
  /** What pytest reported of the gist with the original test in it; null where it did not run or reported nothing. */
  readonly gist: RunOutcome | null;
  readonly timedOut: boolean;
  /** Lines of the text that ran: executable ones and those executed, both as first lines of statements. */
  readonly lines: { readonly statements: readonly number[]; readonly executed: readonly number[] } | null;
}

/** All measures of one gist. */
export function score(input: ScoreInput): Score {
  const { parser, gistText, gist, nodeId, testSource } = input;
  const syntaxError = gistText !== null && hasSyntaxError(parser, gistText);
  const hasTest = gistText !== null && injectTest(parser, gistText, testSource, nodeId) !== null;
  const problems = problemsOf(input, hasTest);
  const f1 = gistText === null ? null : testF1(parser, gistText, testSource, nodeId);
  const ran = gist !== null && gist.tests.length > 0;
  const none = { existence: { hit: 0, total: 0 }, invented: [] };
  return {
    fidelity: problems.length === 0 ? 1 : 0,
    problems: problems.map(({ text }) => text),
    failure: failureKind({
      hasFile: gistText !== null,
      syntaxError,
      hasTest,
      timedOut: input.timedOut,
      gist,
      problems,
      testF1: f1,
      codebaseModules: input.context.codebaseModules,
    }),
    execution:
      ran && input.lines !== null ? executionRatio(input.lines.statements, input.lines.executed) : null,
    ...(gistText === null ? none : measureExistence(parser, gistText, input.codebase)),
    testF1: f1,
  };
}

function problemsOf(input: ScoreInput, hasTest: boolean): readonly OutcomeProblem[] {
  if (input.gistText === null) return [{ kind: 'tests', text: 'no gist was made' }];
  if (!hasTest) return [{ kind: 'tests', text: `the gist has no test ${testSelector(input.nodeId)}` }];
  if (input.timedOut) return [{ kind: 'tests', text: 'the gist ran into the time limit' }];
  if (input.gist === null) return [{ kind: 'tests', text: 'pytest reported nothing of the gist' }];
  return outcomeProblems(input.original, input.gist, input.context);
}

function hasSyntaxError(parser: PythonParser, text: string): boolean {
  const tree = parser.parse(text);
  const { hasError } = tree.rootNode;
  tree.delete();
  return hasError;
}
