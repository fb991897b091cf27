// An opened sandbox flows in, what runs the helper there flows out; the same for every composition of the engine.
import { join } from 'node:path';
import type { Host } from '../model/progress.js';
import type { OpenedSandbox } from '../sandbox/sandbox.js';
import type { Runner } from '../trace/runPytest.js';
import type { Installation } from './sources.js';

interface RunnerInput {
  readonly host: Host;
  readonly installation: Installation;
  /** Seconds that one run may take. */
  readonly timeout: number;
  /** Folder for instrumented code that is kept from run to run; null or none: nothing is kept. */
  readonly cache?: string | null;
}

/** Brings the helper into the sandbox, and gives what runs it. */
export async function makeRunner(
  { sandbox, python, env }: OpenedSandbox,
  { host, installation, timeout, cache = null }: RunnerInput,
): Promise<Runner> {
  const helper = await sandbox.bring(join(installation.root, 'helper'));
  const log = (line: string): void => host.log(line);
  return { sandbox, python, helper, env, timeout, signal: host.signal, log, cache };
}
