// A fault of a run in a sandbox flows in; it flows out in the names of this machine, with what to do next there.
import { GistifyError } from '../base/gistifyError.js';
import type { Sandbox } from './sandbox.js';

/** The fault as the user can act on it; anything but a GistifyError passes as it is. */
export function translateFault(error: unknown, sandbox: Sandbox | null): unknown {
  if (!(error instanceof GistifyError) || sandbox === null || sandbox.kind === 'local') return error;
  const { code, message, details } = error;
  const hint =
    code === 'pytest-missing'
      ? 'Add pytest to the image, or run again with --allow install: it is then added in a throw-away layer, with the network on for that step.'
      : error.hint;
  return new GistifyError(code, sandbox.outside(message), sandbox.outside(hint), sandbox.outside(details));
}
