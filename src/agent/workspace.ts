// The private copy of the codebase that an agent works in. Every look and every write goes through the sandbox, and no
// path leads out of the copy: not by `..`, not from the root, not over a symbolic link.
import { posix } from 'node:path';
import type { Ended, Sandbox } from '../sandbox/sandbox.js';

export interface Workspace {
  readonly sandbox: Sandbox;
  /** Absolute path of the copy; the working folder of all commands. */
  readonly root: string;
  /** Complete environment of the tools' commands: nothing of the user's but what is harmless. */
  readonly env: Readonly<Record<string, string>>;
  /** An empty folder for texts on their way in. */
  readonly staging: string;
  /** Seconds that one tool call may take. */
  readonly timeout: number;
}

/** A text, or words for the model that say why there is none. */
export type Found = { readonly text: string } | { readonly wrong: string };

/** Runs a POSIX shell script in the copy, with its arguments as `$1`, `$2`, … */
export function runScript(
  workspace: Workspace,
  script: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<Ended> {
  const { sandbox, root: cwd, env, timeout } = workspace;
  return sandbox.run({ argv: ['sh', '-c', script, 'sh', ...args], cwd, env, timeout }, signal);
}

/** Bytes of a file that is shown; what a sandbox hands over of an output is limited too. */
const largest = 900_000;

/** Sets `real` to where `$1` truly is, and ends with 97 where that is outside of `$2`. */
const resolve = `
real=$(readlink -f -- "$1") || exit 96
case $real in "$2" | "$2"/*) ;; *) exit 97 ;; esac
`;

function wrongWords(path: string, status: number | null): string {
  if (status === 97)
    return `${path} is outside of the codebase's folder: only files in it can be seen or written.`;
  if (status === 95) return `${path} is a folder.`;
  if (status === 94) return `${path} is larger than ${largest} bytes.`;
  if (status === null) return `Reading ${path} took too long.`;
  return `There is no file ${path}.`;
}

/** The folder's true path: what links are compared with. */
async function realRoot(workspace: Workspace, signal: AbortSignal): Promise<string> {
  const { stdout } = await runScript(workspace, 'pwd -P', [], signal);
  return stdout.trim();
}

/** A file's text. */
export async function readWorkspace(workspace: Workspace, path: string, signal: AbortSignal): Promise<Found> {
  const root = await realRoot(workspace, signal);
  const script = `${resolve}
[ -d "$real" ] && exit 95
[ -f "$real" ] || exit 96
[ "$(wc -c <"$real")" -le ${largest} ] || exit 94
cat -- "$real"`;
  const plain = posix.normalize(path);
  const { status, stdout } = await runScript(workspace, script, [plain, root], signal);
  return status === 0 ? { text: stdout } : { wrong: wrongWords(path, status) };
}

/** Puts a text into a file, whose folder is made where needed; null, or why it could not be. */
export async function writeWorkspace(
  workspace: Workspace,
  path: string,
  text: string,
  signal: AbortSignal,
): Promise<string | null> {
  const root = await realRoot(workspace, signal);
  // Without `..` in the middle, which would step out of folders that are only made on the way.
  const plain = posix.normalize(path);
  const staged = `${workspace.staging}/text`;
  await workspace.sandbox.write(staged, text);
  // The nearest folder that is there already says where the new ones would lie.
  const script = `
near=$1
while [ ! -e "$near" ] && [ ! -L "$near" ]; do
  case $near in */*) near=\${near%/*} ;; *) near=. ;; esac
  [ -n "$near" ] || near=/
done
set -- "$near" "$2" "$1" "$3"
${resolve}
[ -d "$3" ] && exit 95
case $3 in */*) mkdir -p -- "\${3%/*}" ;; esac
cp -- "$4" "$3"`;
  const { status, stderr } = await runScript(workspace, script, [plain, root, staged], signal);
  if (status === 0) return null;
  return status === 97 || status === 95
    ? wrongWords(path, status)
    : `${path} was not written: ${stderr.trim()}`;
}
