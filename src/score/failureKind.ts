// What is known of a failed gist flows in, the one kind of failure that explains it best flows out.
import type { RunOutcome } from '../model/outcome.js';
import type { FailureKind } from '../model/score.js';
import type { OutcomeProblem } from './compareOutcomes.js';

export interface FailureFacts {
  /** False where no file was made. */
  readonly hasFile: boolean;
  /** Whether the gist's text has a syntax error by our own parser. */
  readonly syntaxError: boolean;
  readonly hasTest: boolean;
  readonly timedOut: boolean;
  /** Null where pytest reported nothing. */
  readonly gist: RunOutcome | null;
  readonly problems: readonly OutcomeProblem[];
  readonly testF1: number | null;
  /** Dotted modules of the codebase, or their top-level names. */
  readonly codebaseModules: readonly string[];
}

/** Checks the kinds in the order in which a gist can fail: file, syntax, test, imports, pytest, outcome, output. */
export function failureKind(facts: FailureFacts): FailureKind {
  if (!facts.hasFile) return 'no-file';
  if (facts.gist !== null && facts.problems.length === 0 && facts.hasTest && !facts.timedOut) return 'none';
  const words = errorWords(facts.gist);
  if (words.some((text) => /\b(SyntaxError|IndentationError|TabError)\b/.test(text))) return 'syntax-error';
  if (facts.gist === null && facts.syntaxError) return 'syntax-error';
  if (!facts.hasTest) return 'test-missing';
  if (facts.timedOut) return 'timeout';
  const imports = newImportErrors(facts, words);
  if (imports.some((module) => isCodebase(module, facts.codebaseModules))) return 'codebase-import';
  if (imports.length > 0) return 'import-error';
  const changed = facts.testF1 !== null && facts.testF1 < 1;
  if (facts.gist === null || facts.problems.some(({ kind }) => kind === 'collection' || kind === 'tests')) {
    return changed ? 'test-changed' : 'pytest-error';
  }
  if (facts.problems.every(({ kind }) => kind === 'output')) return 'wrong-output';
  if (changed) return 'test-changed';
  return brokeInSetup(facts.gist) ? 'pytest-error' : 'wrong-outcome';
}

function errorWords(gist: RunOutcome | null): readonly string[] {
  if (gist === null) return [];
  const failures = gist.tests.flatMap(({ phases }) => phases.map(({ failure }) => failure));
  return [
    ...gist.collectErrors,
    ...failures.filter((failure) => failure !== null).map(({ type, message }) => `${type}: ${message}`),
  ];
}

/** Modules that could not be imported; '' where the error names none. Only where the outcome differs at all. */
function newImportErrors(facts: FailureFacts, words: readonly string[]): readonly string[] {
  if (facts.problems.every(({ kind }) => kind === 'output')) return [];
  return words
    .filter((text) => /\b(ImportError|ModuleNotFoundError)\b/.test(text))
    .map((text) => {
      const named =
        /No module named ['"]?([\w.]+)|cannot import name ['"]?\w+['"]? from (?:partially initialized module )?['"]?([\w.]+)|blocked[^:\n]*: ?['"]?([\w.]+)/.exec(
          text,
        );
      return named?.[1] ?? named?.[2] ?? named?.[3] ?? '';
    });
}

function isCodebase(module: string, codebaseModules: readonly string[]): boolean {
  const top = module.split('.')[0];
  return module !== '' && codebaseModules.some((known) => known.split('.')[0] === top);
}

/** A fixture that is not found and other faults before the test's own code. */
function brokeInSetup(gist: RunOutcome): boolean {
  return gist.tests.some(({ phases }) =>
    phases.some(
      ({ when, failure }) =>
        when === 'setup' &&
        failure !== null &&
        /fixture '.*' not found|FixtureLookupError/s.test(`${failure.type}: ${failure.message}`),
    ),
  );
}
