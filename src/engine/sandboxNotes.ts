// What a run asked for and its sandbox did not give flows out as diagnostics: they name the option that gives it.
import type { Diagnostic } from '../model/diagnostic.js';
import type { Trace } from '../model/trace.js';

type Environment = Readonly<Record<string, string>>;

/** `given` is the user's environment, `handed` what the run got of it. */
export function sandboxNotes(
  trace: Pick<Trace, 'variables' | 'network'>,
  given: Environment,
  handed: Environment,
  network: boolean,
): readonly Diagnostic[] {
  const withheld = trace.variables.filter((name) => name in given && !(name in handed));
  const asked = network ? (trace.network ?? []) : [];
  return [
    ...withheld.map((name) =>
      warning(
        'withheld-variable',
        `the test reads ${name}, which the sandbox keeps from it: --env ${name} hands it over`,
      ),
    ),
    ...asked.map((host) =>
      warning(
        'no-network',
        `the test asks for ${host}, and the sandbox has no network: --allow network gives it one`,
      ),
    ),
  ];
}

function warning(code: string, message: string): Diagnostic {
  return { severity: 'warning', code, message, file: null, line: null };
}
