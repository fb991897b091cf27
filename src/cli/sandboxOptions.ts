// Options that say where a test runs and what it may do there; they flow out as parts of a Task.
import { GistifyError } from '../base/gistifyError.js';
import {
  defaultIsolation,
  type Allowance,
  type Isolation,
  type SandboxChoice,
  type Task,
} from '../model/task.js';
import { findPython } from './commonOptions.js';

export const sandboxOptions = {
  sandbox: { type: 'string' },
  allow: { type: 'string', multiple: true },
  env: { type: 'string', multiple: true },
  memory: { type: 'string' },
} as const;

interface Given {
  readonly python?: string | undefined;
  readonly sandbox?: string | undefined;
  readonly allow?: readonly string[] | undefined;
  readonly env?: readonly string[] | undefined;
  readonly memory?: string | undefined;
}

/** The sandbox, its bounds, and the interpreter: of this machine, or as a container calls it. */
export async function sandboxOf(
  given: Given,
  repo: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Pick<Task, 'sandbox' | 'isolation' | 'python'>> {
  // Who names an interpreter of this machine means to run on it.
  const sandbox = choice(given.sandbox ?? (given.python === undefined ? 'auto' : 'local'));
  const here = sandbox === 'local' || sandbox === 'auto';
  const python = here ? await findPython(given.python, repo, cwd, env) : (given.python ?? '');
  return { sandbox, isolation: isolation(given), python };
}

function choice(word: string): SandboxChoice {
  if (word === 'auto' || word === 'local' || word === 'devcontainer') return word;
  if (/^(docker:\S+|devcontainer:.+)$/.test(word)) return word as SandboxChoice;
  throw new GistifyError(
    'usage',
    `--sandbox takes auto, local, devcontainer or docker:IMAGE, not ${JSON.stringify(word)}`,
    'See gistify --help.',
  );
}

const allowances: readonly Allowance[] = ['network', 'initialize-command', 'install', 'unconfined'];

function isolation({ allow = [], env = [], memory }: Given): Isolation {
  const allowed = allow
    .flatMap((words) => words.split(','))
    .map((word) => {
      const known = allowances.find((allowance) => allowance === word);
      if (known === undefined)
        throw new GistifyError(
          'usage',
          `--allow takes ${allowances.join(', ')}, not ${JSON.stringify(word)}`,
          'See gistify --help.',
        );
      return known;
    });
  return {
    ...defaultIsolation,
    allow: allowed,
    variables: env,
    ...(memory === undefined ? {} : { memory: bytes(memory) }),
  };
}

const units: Readonly<Record<string, number>> = { m: 1024 ** 2, g: 1024 ** 3 };
const leastMemory = 64 * 1024 ** 2;

function bytes(word: string): number {
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)([mg])b?$/i.exec(word) ?? [];
  const size = Math.floor(Number(amount) * (units[unit.toLowerCase()] ?? 0));
  if (size < leastMemory)
    throw new GistifyError(
      'usage',
      `--memory takes a size of 64m or more, not ${JSON.stringify(word)}`,
      'For example --memory 2g.',
    );
  return size;
}
