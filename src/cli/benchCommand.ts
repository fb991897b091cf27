// `gistify bench`: a flat table of commands from collecting tests to reports.
import { GistifyError } from '../base/gistifyError.js';
import { collectCommand } from './bench/collectCommand.js';
import { compareCommand } from './bench/compareCommand.js';
import { manifestCommand } from './bench/manifestCommand.js';
import { mergeCommand } from './bench/mergeCommand.js';
import { reportCommand } from './bench/reportCommand.js';
import { benchRunCommand } from './bench/runCommand.js';
import { sampleCommand } from './bench/sampleCommand.js';
import { schemaCommand } from './bench/schemaCommand.js';
import { taskCommand } from './bench/taskCommand.js';
import { explain } from './explain.js';

const commands: Readonly<Record<string, (args: readonly string[], signal: AbortSignal) => Promise<number>>> =
  {
    collect: collectCommand,
    sample: sampleCommand,
    run: benchRunCommand,
    report: reportCommand,
    compare: compareCommand,
    merge: mergeCommand,
    manifest: manifestCommand,
    schema: schemaCommand,
    task: taskCommand,
  };

/** Bundled apart from the rest of the command line, so errors become words here. */
export async function benchCommand(args: readonly string[], signal: AbortSignal): Promise<number> {
  const [name = '', ...rest] = args;
  try {
    const command = commands[name];
    if (command === undefined)
      throw new GistifyError(
        'usage',
        name === '' ? 'which bench command?' : `unknown bench command ${JSON.stringify(name)}`,
        `The commands are ${Object.keys(commands).join(', ')}; see gistify --help.`,
      );
    return await command(rest, signal);
  } catch (error) {
    return explain(signal.aborted ? new GistifyError('cancelled', 'cancelled') : error);
  }
}
