// The user's environment flows in, the part of it that a container gets flows out: what changes how Python behaves, and
// what the user names. Nothing else of this machine is seen there.
import { delimiter, isAbsolute, relative, resolve, sep } from 'node:path';
import { GistifyError } from '../base/gistifyError.js';

const usual =
  /^(TZ|LANG|LANGUAGE|LC_\w+|NO_COLOR|FORCE_COLOR|COLUMNS|LINES|SOURCE_DATE_EPOCH|PYTEST_ADDOPTS|PYTHON(HASHSEED|WARNINGS|UTF8|IOENCODING|DEVMODE|OPTIMIZE|FAULTHANDLER|ASYNCIODEBUG))$/;

interface Places {
  readonly repo: string;
  /** The codebase in the container. */
  readonly root: string;
  readonly cwd: string;
}

/** Variables for a container. `named` are names, or names with values. */
export function sandboxVariables(
  env: Readonly<Record<string, string>>,
  named: readonly string[],
  places: Places,
): Record<string, string> {
  const out: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (usual.test(name)) out[name] = value;
  const path = pythonPathInside(env['PYTHONPATH'] ?? '', places);
  if (path !== '') out['PYTHONPATH'] = path;
  return { ...out, ...namedVariables(env, named) };
}

/** What the user names with --env. */
export function namedVariables(
  env: Readonly<Record<string, string>>,
  named: readonly string[],
): Record<string, string> {
  const out: Record<string, string> = {};
  for (const word of named) {
    const [, name = '', value] = /^(\w+)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === '')
      throw new GistifyError(
        'usage',
        `--env takes NAME or NAME=VALUE, not ${JSON.stringify(word)}`,
        'For example --env DATABASE_URL.',
      );
    const given = value ?? env[name];
    if (given !== undefined) out[name] = given;
  }
  return out;
}

/** Entries inside the codebase, as the container calls them; it does not see the others. */
function pythonPathInside(given: string, { repo, root, cwd }: Places): string {
  const entries: string[] = [];
  for (const entry of given.split(delimiter)) {
    if (entry === '') continue;
    const within = relative(repo, isAbsolute(entry) ? entry : resolve(cwd, entry));
    if (within === '') entries.push(root);
    else if (within !== '..' && !within.startsWith(`..${sep}`) && !isAbsolute(within))
      entries.push(`${root}/${within.split(sep).join('/')}`);
  }
  return entries.join(':');
}
