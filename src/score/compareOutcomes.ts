// The original's outcome and the gist's flow in, every difference flows out as a sentence; none means fidelity 1. Test
// instances are matched by name, phases by kind and occurrence; nothing that pytest reported may be left uncompared.
import type { Phase, PhaseFailure, RunOutcome, TestOutcome } from '../model/outcome.js';
import { normalize } from './normalize.js';
import { pairTests } from './pairTests.js';

export interface CompareContext {
  /** Modules of the codebase, dotted (`tests.test_app`), or their top-level names alone (`tests`). */
  readonly codebaseModules: readonly string[];
  /** Name under which pytest imported the gist: `concise`. */
  readonly gistModule: string;
  /** Directories whose contents have random names, besides the system's usual ones. */
  readonly temporaryDirs?: readonly string[];
  /** What the two runs are called in the sentences; the original and the gist where it is not said. */
  readonly sides?: readonly [string, string];
}

/** What differed, in a form that the failure kind can be read from. */
export interface OutcomeProblem {
  readonly kind: 'tests' | 'collection' | 'outcome' | 'failure' | 'output';
  readonly text: string;
}

const shownCharacters = 160;

/** All differences as text; empty means fidelity 1. */
export function compareOutcomes(original: RunOutcome, gist: RunOutcome, context: CompareContext): string[] {
  return outcomeProblems(original, gist, context).map(({ text }) => text);
}

/** All differences with their kind. */
export function outcomeProblems(
  original: RunOutcome,
  gist: RunOutcome,
  context: CompareContext,
): readonly OutcomeProblem[] {
  const problems: OutcomeProblem[] = [];
  const [, there] = sidesOf(context);
  if (original.tests.length === 0) problems.push({ kind: 'tests', text: 'the original ran no test' });
  for (const words of gist.collectErrors) {
    problems.push({
      kind: 'collection',
      text: `${there} cannot be collected: ${shorten(normalize(words, context.temporaryDirs))}`,
    });
  }
  const { pairs, originalOnly, gistOnly } = pairTests(original.tests, gist.tests);
  for (const { name } of originalOnly)
    problems.push({ kind: 'tests', text: `${name} did not run in ${there}` });
  for (const [test, other] of pairs) problems.push(...testProblems(test, other, context));
  for (const { name } of gistOnly) problems.push({ kind: 'tests', text: `${name} ran in ${there} only` });
  const compare = comparer(problems, 'collection', context);
  compare('output', 'stdout', original.collectStdout ?? '', gist.collectStdout ?? '');
  compare('output', 'stderr', original.collectStderr ?? '', gist.collectStderr ?? '');
  // Of tests pytest reports the outcome; a command's is the status that it ends with.
  if (original.files !== undefined && original.exitCode !== gist.exitCode) {
    const [here] = sidesOf(context);
    const text = `the exit status is ${original.exitCode} in ${here} and ${gist.exitCode} in ${there}`;
    problems.push({ kind: 'outcome', text });
  }
  problems.push(...fileProblems(original.files ?? {}, gist.files ?? {}, context));
  return problems;
}

/** Files that a command wrote must be the same, to the byte. */
function fileProblems(
  original: NonNullable<RunOutcome['files']>,
  gist: NonNullable<RunOutcome['files']>,
  context: CompareContext,
): OutcomeProblem[] {
  const [here, there] = sidesOf(context);
  const names = [...new Set([...Object.keys(original), ...Object.keys(gist)])].toSorted();
  return names.flatMap((name) => {
    if (original[name] === gist[name]) return [];
    const text =
      gist[name] === undefined
        ? `${name} is written in ${here} only`
        : original[name] === undefined
          ? `${name} is written in ${there} only`
          : `${name} is written with another content in ${there}`;
    return [{ kind: 'output', text }];
  });
}

/** A test can report a phase several times: a call once for each of its subtests, and once for itself. */
function testProblems(original: TestOutcome, gist: TestOutcome, context: CompareContext): OutcomeProblem[] {
  const problems: OutcomeProblem[] = [];
  const [, there] = sidesOf(context);
  const others = byOccurrence(gist.phases);
  for (const [key, phase] of byOccurrence(original.phases)) {
    const other = others.get(key);
    others.delete(key);
    if (other === undefined) {
      problems.push({ kind: 'outcome', text: `${original.name} has no ${key} in ${there}` });
    } else {
      problems.push(...phaseProblems(`${original.name} (${key})`, phase, other, context));
    }
  }
  for (const key of others.keys()) {
    problems.push({ kind: 'outcome', text: `${original.name} has a ${key} in ${there} only` });
  }
  return problems;
}

/** Phases by kind, the second and later ones of a kind with their number: `call`, `call 2`. */
function byOccurrence(phases: readonly Phase[]): Map<string, Phase> {
  const counts = new Map<string, number>();
  const out = new Map<string, Phase>();
  for (const phase of phases) {
    const count = (counts.get(phase.when) ?? 0) + 1;
    counts.set(phase.when, count);
    out.set(count === 1 ? phase.when : `${phase.when} ${count}`, phase);
  }
  return out;
}

type Compare = (kind: OutcomeProblem['kind'], what: string, a: string, b: string) => void;

function comparer(problems: OutcomeProblem[], where: string, context: CompareContext): Compare {
  return (kind, what, a, b) => {
    const left = normalize(a, context.temporaryDirs);
    const right = normalize(b, context.temporaryDirs);
    if (left !== right)
      problems.push({ kind, text: `${where}: ${what} ${difference(left, right, sidesOf(context))}` });
  };
}

function sidesOf({ sides }: CompareContext): readonly [string, string] {
  return sides ?? ['the original', 'the gist'];
}

function phaseProblems(
  where: string,
  original: Phase,
  gist: Phase,
  context: CompareContext,
): OutcomeProblem[] {
  const problems: OutcomeProblem[] = [];
  const compare = comparer(problems, where, context);
  compare('outcome', 'outcome', original.outcome, gist.outcome);
  compare('output', 'reason', original.reason, gist.reason);
  if (original.failure !== null && gist.failure !== null) {
    compare(
      'failure',
      'exception type',
      typeName(original.failure.type, context),
      typeName(gist.failure.type, context),
    );
    // Where a recursion without end is cut off depends on how deep the run stands already.
    if (!(isEndless(original.failure) && isEndless(gist.failure))) {
      compare('failure', 'message', messageOf(original.failure), messageOf(gist.failure));
      compare('failure', 'raising line', original.failure.line.trim(), gist.failure.line.trim());
    }
  } else if (original.failure !== gist.failure) {
    compare('failure', 'failure', describe(original.failure, context), describe(gist.failure, context));
  }
  compare('output', 'stdout', original.stdout, gist.stdout);
  compare('output', 'stderr', original.stderr, gist.stderr);
  compare('output', 'log', original.log, gist.log);
  return problems;
}

/** A class keeps its name when it moves from a module of the codebase into the gist; any other type must be the same. */
function typeName(type: string, { codebaseModules, gistModule }: CompareContext): string {
  const own = [...codebaseModules, gistModule].some((module) => type.startsWith(`${module}.`));
  return own ? type.slice(type.lastIndexOf('.') + 1) : type;
}

/** pytest puts the qualified type before the message of most exceptions; the type is compared on its own. */
function messageOf({ type, message }: PhaseFailure): string {
  for (const name of [type, type.slice(type.lastIndexOf('.') + 1)]) {
    if (message === name) return '';
    if (message.startsWith(`${name}: `)) return message.slice(name.length + 2);
  }
  return message;
}

function isEndless({ type, message }: PhaseFailure): boolean {
  return type === 'RecursionError' && message.includes('maximum recursion depth exceeded');
}

function describe(failure: PhaseFailure | null, context: CompareContext): string {
  return failure === null ? '' : `${typeName(failure.type, context)}: ${messageOf(failure)}`;
}

/** Both texts from shortly before the place where they part. */
function difference(a: string, b: string, [here, there]: readonly [string, string]): string {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1;
  const from = Math.max(0, at - 40);
  return `is ${shorten(a.slice(from))} in ${here} and ${shorten(b.slice(from))} in ${there}`;
}

function shorten(text: string): string {
  const quoted = JSON.stringify(text.slice(0, shownCharacters));
  return text.length > shownCharacters ? `${quoted.slice(0, -1)}…"` : quoted;
}
