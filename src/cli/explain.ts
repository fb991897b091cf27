// An error flows in, its words go to standard error, the exit status flows out.
import { GistifyError, exitStatus } from '../base/gistifyError.js';

/** Says what went wrong and what to do next. */
export function explain(error: unknown): number {
  if (error instanceof GistifyError) {
    process.stderr.write(`gistify: ${error.message} [${error.code}]\n`);
    if (error.details !== '') process.stderr.write(`${error.details.replaceAll(/^/gm, '  | ')}\n`);
    if (error.hint !== '') process.stderr.write(`${error.hint}\n`);
    return error.exitStatus;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(
    `gistify: internal error: ${text}\nThis is a fault of gistify; please report it with the command that led here.\n`,
  );
  return exitStatus.originalFailed;
}
