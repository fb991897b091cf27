// A test file flows in, the path of the interpreter that runs it flows out: the user's setting, the Python extensions' choice, or what lies about.
// Other extensions may hang or be absent; each gets a limited time and none is needed.
import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import * as vscode from 'vscode';

const patience = 5000;
const windows = process.platform === 'win32';

/** The interpreter and who named it; null where there is none. */
export async function interpreterFor(
  resource: vscode.Uri,
  folders: readonly string[],
  setting: string,
): Promise<{ readonly python: string; readonly source: string } | null> {
  if (setting !== '')
    return { python: expand(setting, folders[0] ?? ''), source: 'the setting gistify.pythonPath' };
  const sources: readonly [string, () => Promise<string | undefined>][] = [
    ['the Python extension', async () => fromPythonExtension(resource)],
    ['the Python Environments extension', async () => fromEnvironmentsExtension(resource)],
    [
      'a virtual environment in the workspace',
      async () => firstThatRuns(folders.flatMap(virtualEnvironments)),
    ],
    ['PATH', async () => firstThatRuns(onPath())],
  ];
  for (const [source, find] of sources) {
    const python = await find().catch(() => undefined);
    if (python !== undefined && path.isAbsolute(python) && (await runs(python))) return { python, source };
  }
  return null;
}

/** The parts used of the API of `ms-python.python`. */
interface PythonApi {
  readonly environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    resolveEnvironment(
      environment: unknown,
    ): Promise<{ readonly executable: { readonly uri?: vscode.Uri } } | undefined>;
  };
}

async function fromPythonExtension(resource: vscode.Uri): Promise<string | undefined> {
  const environments = (await apiOf<PythonApi>('ms-python.python'))?.environments;
  if (environments === undefined) return undefined;
  const active = environments.getActiveEnvironmentPath(resource);
  const resolved = await inTime(environments.resolveEnvironment(active));
  return resolved?.executable.uri?.fsPath ?? active.path;
}

/** The parts used of the API of `ms-python.vscode-python-envs`. */
interface EnvironmentsApi {
  getEnvironment(
    scope: vscode.Uri,
  ): Promise<{ readonly execInfo: { readonly run: { readonly executable: string } } } | undefined>;
}

async function fromEnvironmentsExtension(resource: vscode.Uri): Promise<string | undefined> {
  const api = await apiOf<EnvironmentsApi>('ms-python.vscode-python-envs');
  return (await inTime(api?.getEnvironment(resource)))?.execInfo.run.executable;
}

async function apiOf<Api>(id: string): Promise<Api | undefined> {
  const extension = vscode.extensions.getExtension<Api>(id);
  return extension === undefined ? undefined : inTime(extension.activate());
}

async function inTime<T>(promise: PromiseLike<T> | undefined): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      resolve(undefined);
    }, patience);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

function virtualEnvironments(folder: string): string[] {
  return ['.venv', 'venv'].map((name) =>
    path.join(folder, name, windows ? 'Scripts/python.exe' : 'bin/python'),
  );
}

function onPath(): string[] {
  const names = windows ? ['python.exe'] : ['python3', 'python'];
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
}

async function firstThatRuns(candidates: readonly string[]): Promise<string | undefined> {
  for (const candidate of candidates) if (await runs(candidate)) return candidate;
  return undefined;
}

async function runs(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

function expand(setting: string, folder: string): string {
  const home = process.env[windows ? 'USERPROFILE' : 'HOME'] ?? '~';
  const expanded = setting
    .replace(/^~(?=$|[/\\])/, () => home)
    .replaceAll('${workspaceFolder}', () => folder);
  return /[/\\]/.test(expanded) ? path.resolve(folder, expanded) : expanded;
}
