// What went wrong with a candidate flows in, names to bring back and modules to hold flow out. Python's own words
// name what is missing; nothing here knows any codebase.
import type { RunOutcome } from '../model/outcome.js';

export interface Repair {
  readonly restore: readonly string[];
  readonly hold: ReadonlyMap<string, string>;
  /** Modules of the codebase that something looked for by name. */
  readonly asked: readonly string[];
  /** Library submodules that nobody imports any more. */
  readonly imports: readonly string[];
  /** Words that failures quote and the original's output does not: values that something should have registered. */
  readonly words: readonly string[];
}

const missing: readonly RegExp[] = [
  /name '(\w+)' is not defined/g,
  /has no attribute '(\w+)'/g,
  /cannot import name '(\w+)'/g,
  /fixture '(\w+)' not found/g,
  /without an implementation for abstract methods? ((?:'\w+'(?:, )?)+)/g,
  /with abstract methods? ((?:\w+(?:, )?)+)/g,
  /local variable '(\w+)' referenced before/g,
  /KeyError: '(\w+)'/g,
  /unknown fixture '(\w+)'/g,
];

/** Reads errors of a candidate's run. `modules` are the dotted names of the codebase's modules. */
export function readFailure(
  original: RunOutcome,
  outcome: RunOutcome | null,
  problems: readonly string[],
  tail: string,
  modules: readonly string[],
  gistModule: string,
): Repair {
  const failures =
    outcome?.tests.flatMap((test) =>
      test.phases.flatMap((phase) =>
        phase.failure === null ? [] : [`${phase.failure.type}: ${phase.failure.message}`],
      ),
    ) ?? [];
  const text = [
    ...failures,
    ...(outcome?.collectErrors ?? []),
    ...problems,
    outcome === null ? tail : '',
  ].join('\n');
  const restore = new Set<string>();
  for (const pattern of missing) {
    for (const match of text.matchAll(pattern))
      for (const name of (match[1] ?? '').matchAll(/\w+/g)) restore.add(name[0]);
  }
  const hold = new Map<string, string>();
  // Where output or errors of the original name a module and the gist's name their own, that module is observed.
  const originalText = JSON.stringify(original);
  const observed = JSON.stringify(outcome ?? '');
  for (const name of modules) {
    if (!name.includes('.') && name.length < 4) continue;
    const pattern = new RegExp(`\\b${name.replaceAll('.', '\\.')}\\.`);
    if (pattern.test(originalText) && (observed.includes(`${gistModule}.`) || !pattern.test(observed)))
      hold.set(name, 'its name shows in output or errors of the test');
  }
  const imports = [...text.matchAll(/module '([\w.]+)' has no attribute '(\w+)'/g)].map(
    (match) => `${match[1] ?? ''}.${match[2] ?? ''}`,
  );
  const asked = [...text.matchAll(/No module named '?([\w.]+)|'([\w.]+)' is not a package/g)]
    .map((match) => match[1] ?? match[2] ?? '')
    .filter((name) => modules.includes(name));
  const quoted = [...failures.join('\n').matchAll(/['"]([\w.-]{3,60})['"]/g)].map((match) => match[1] ?? '');
  const words = [...new Set(quoted)].filter((word) => !originalText.includes(word)).slice(0, 20);
  return { restore: [...restore], hold, asked, imports, words };
}
