// Arguments flow in, an exit status flows out: a flat table of commands, one place where errors become words.
import { GistifyError } from '../base/gistifyError.js';
import { explain } from './explain.js';
import { exportCommand } from './exportCommand.js';
import { helpText } from './helpText.js';
import { installation } from './installation.js';
import { reportCommand } from './reportCommand.js';
import { mcpCommand } from './mcpCommand.js';
import { runCommand } from './runCommand.js';
import { scoreCommand } from './scoreCommand.js';
import { testsCommand } from './testsCommand.js';

const commands: Readonly<Record<string, (args: readonly string[], signal: AbortSignal) => Promise<number>>> =
  {
    mcp: mcpCommand,
    export: exportCommand,
    run: runCommand,
    score: scoreCommand,
    report: reportCommand,
    tests: testsCommand,
    // Its libraries are loaded only where they are needed.
    bench: async (args, signal) => (await import('./benchCommand.js')).benchCommand(args, signal),
  };

async function main(argv: readonly string[]): Promise<number> {
  const [name = '--help', ...args] = argv;
  if (name === '--version' || name === '-V') {
    process.stdout.write(`${installation().version}\n`);
    return 0;
  }
  if (name === '--help' || name === '-h' || name === 'help' || args.includes('--help')) {
    process.stdout.write(helpText);
    return 0;
  }
  const command = commands[name];
  if (command === undefined)
    throw new GistifyError(
      'usage',
      `unknown command ${JSON.stringify(name)}`,
      `The commands are ${Object.keys(commands).join(', ')}; see gistify --help.`,
    );
  const controller = new AbortController();
  const cancel = () => {
    controller.abort(new GistifyError('cancelled', 'cancelled'));
  };
  process.on('SIGINT', cancel).on('SIGTERM', cancel).on('SIGHUP', cancel);
  return command(args, controller.signal);
}

main(process.argv.slice(2)).then(
  (status) => {
    process.exitCode = status;
  },
  (error: unknown) => {
    process.exitCode = explain(error);
  },
);
