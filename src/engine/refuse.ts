// What was traced and what came of the candidates flow in, the reason why no gist can be had flows out, or null. Pure: a
// refusal names the construct and its place, and says what to do instead.
import { GistifyError } from '../base/gistifyError.js';
import { isSecretFile } from '../link/dataFiles.js';
import type { RunOutcome } from '../model/outcome.js';
import type { Trace } from '../model/trace.js';
import { normalize } from '../score/normalize.js';

/** What is known before anything is linked: a gist holds test functions and methods, and nothing else that pytest runs. */
export function refuseItems(trace: Pick<Trace, 'foreignItems'>): GistifyError | null {
  const [first] = trace.foreignItems;
  if (first === undefined) return null;
  const [nodeId, kind] = first;
  const doctest = /doctest/i.test(kind);
  const what = doctest ? 'a doctest' : `an item of the kind ${kind}`;
  return new GistifyError(
    'refused',
    `${nodeId} is ${what}, not a test function or method: ${doctest ? 'doctest nodes' : 'such nodes'} cannot be gistified`,
    doctest
      ? 'Put its examples into a test function as assert statements and gistify that.'
      : 'Gistify a test function that calls the same code.',
  );
}

/** What explains that no candidate verified: something that the test reads and that a single file cannot carry. */
export function refuseReads(
  nodeId: string,
  trace: Pick<Trace, 'dataFiles' | 'variables' | 'outcome'>,
  observed: RunOutcome | null,
): GistifyError | null {
  const secrets = trace.dataFiles.filter(isSecretFile);
  if (secrets.length > 0) {
    const read =
      trace.variables.length === 0 ? '' : `; environment variables that it reads: ${named(trace.variables)}`;
    return new GistifyError(
      'refused',
      `${nodeId} needs ${named(secrets)}, which may hold secrets and is never put into a gist${read}`,
      trace.variables.length === 0
        ? 'Let the test run without this file, for example with made-up values in a file of another name.'
        : 'Set these variables yourself, so that the test runs without the file, or give it made-up values in a file of another name.',
    );
  }
  const expected = new Set(fileErrors(trace.outcome));
  const lost = fileErrors(observed).filter((words) => !expected.has(words));
  if (trace.dataFiles.length > 0 && lost.length > 0) {
    return new GistifyError(
      'refused',
      `${nodeId} reads ${named(trace.dataFiles)} of the codebase, and looks for it by a way that one file under another name cannot keep`,
      'Let the test find the file by a fixed path beside its own module (__file__), not by the name of the test file or of the folder it runs in.',
      [...new Set(lost)].join('\n'),
    );
  }
  return null;
}

/** Code too deep to be traced: neither could pytest compile it from a syntax tree, as it does with test modules. */
export function refuseDepth(nodeId: string, trace: Pick<Trace, 'blind'>): GistifyError | null {
  if (trace.blind.length === 0) return null;
  return new GistifyError(
    'refused',
    `${nodeId} runs ${named(trace.blind)}, whose code is nested too deep for pytest to load it from a test file`,
    'Break the longest expressions of that file up, for example into several statements.',
  );
}

/** A test that sees how an import fails: what is no Python cannot stand in a Python file. */
export function refuseBroken(nodeId: string, trace: Pick<Trace, 'broken'>): GistifyError | null {
  if (trace.broken.length === 0) return null;
  return new GistifyError(
    'refused',
    `${nodeId} imports ${named(trace.broken)}, which is no valid Python: a gist cannot hold it`,
    'Mend the syntax of that file, or let the test compile such text from a string.',
  );
}

/** A test that changes the codebase itself, and for which no candidate verified. */
export function refuseWrites(nodeId: string, trace: Pick<Trace, 'written'>): GistifyError | null {
  if (trace.written.length === 0) return null;
  return new GistifyError(
    'refused',
    `${nodeId} changes ${named(trace.written)} of the codebase, and a gist that stands alone behaves differently there`,
    'Let the test work on a temporary copy of what it changes (tmp_path).',
  );
}

/** Errors of a run that name a file which is not there. */
function fileErrors(outcome: RunOutcome | null): readonly string[] {
  if (outcome === null) return [];
  const failures = outcome.tests.flatMap(({ phases }) =>
    phases.flatMap(({ failure }) => (failure === null ? [] : [`${failure.type}: ${failure.message}`])),
  );
  const collected = outcome.collectErrors.flatMap((words) => words.split('\n'));
  const words = [...failures, ...collected.map((line) => line.replace(/^E\s+/, ''))];
  return words.filter((one) => /^FileNotFoundError\b/.test(one)).map((one) => normalize(one));
}

const shownNames = 5;

function named(names: readonly string[]): string {
  const shown = names.slice(0, shownNames).join(', ');
  return names.length > shownNames ? `${shown} and ${names.length - shownNames} more` : shown;
}
