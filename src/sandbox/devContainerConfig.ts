// A codebase flows in, the dev container configurations that it has flow out, as the spec finds them; one is chosen.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { parse, type ParseError } from 'jsonc-parser';
import { GistifyError } from '../base/gistifyError.js';

export interface DevContainerConfig {
  /** Folder that the configuration is for. */
  readonly workspace: string;
  readonly file: string;
  /** How the user names it: its own name, its folder or its file. */
  readonly names: readonly string[];
  readonly text: string;
  readonly initialize: boolean;
  /** Variables whose values come from this machine's environment. */
  readonly fromHost: readonly string[];
}

/** All configurations of the nearest folder upward that has any, within the repository. */
export function findConfigs(repo: string): readonly DevContainerConfig[] {
  for (let folder = repo; ; folder = dirname(folder)) {
    const found = configFiles(folder);
    if (found.length > 0) return found.map((file) => readConfig(folder, file));
    if (existsSync(join(folder, '.git')) || folder === dirname(folder)) return [];
  }
}

function configFiles(folder: string): string[] {
  const nested = join(folder, '.devcontainer');
  const usual = [join(nested, 'devcontainer.json'), join(folder, '.devcontainer.json')];
  const further = existsSync(nested)
    ? readdirSync(nested, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => join(nested, name, 'devcontainer.json'))
        .toSorted()
    : [];
  return [...usual, ...further].filter((file) => existsSync(file));
}

function readConfig(workspace: string, file: string): DevContainerConfig {
  const text = readFileSync(file, 'utf8');
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined || typeof value !== 'object' || value === null) {
    const line = text.slice(0, first?.offset ?? 0).split('\n').length;
    throw new GistifyError(
      'build-failed',
      `${file} is not JSON (line ${line})`,
      'Mend it, or run on this machine with --sandbox local.',
    );
  }
  const config = value as Readonly<Record<string, unknown>>;
  const short = relative(workspace, file).split(sep).join('/');
  const folder = /^\.devcontainer\/([^/]+)\/devcontainer\.json$/.exec(short)?.[1];
  return {
    workspace,
    file,
    names: [config['name'], folder, short].filter((name): name is string => typeof name === 'string'),
    text,
    initialize: config['initializeCommand'] !== undefined,
    fromHost: ['containerEnv', 'remoteEnv'].flatMap((key) =>
      Object.entries((config[key] ?? {}) as Record<string, unknown>)
        .filter(([, given]) => typeof given === 'string' && given.includes('${localEnv:'))
        .map(([name]) => name),
    ),
  };
}

/** The configuration that the user named, or the only one. Throws where there are several to choose from. */
export function chooseConfig(
  repo: string,
  configs: readonly DevContainerConfig[],
  name: string,
): DevContainerConfig {
  const [first, ...others] = configs;
  if (first === undefined)
    throw new GistifyError(
      'usage',
      `${repo} has no dev container`,
      'Make a .devcontainer/devcontainer.json, or choose another sandbox.',
    );
  const named = configs.filter(({ names, file }) => names.includes(name) || file === name);
  if (named[0] !== undefined) return named[0];
  if (name === '' && others.length === 0) return first;
  throw new GistifyError(
    'which-configuration',
    name === ''
      ? `${first.workspace} has ${configs.length} dev container configurations`
      : `${first.workspace} has no dev container configuration ${JSON.stringify(name)}`,
    'Name one: --sandbox devcontainer:NAME.',
    configs.map(({ names }) => names[0]).join('\n'),
  );
}
