// An agent's options flow in; what does not go together is refused before anything is run or paid for.
import { GistifyError } from '../base/gistifyError.js';
import type { AgentOptions } from '../model/agentOptions.js';

function wrong(message: string, hint: string): never {
  throw new GistifyError('usage', message, hint);
}

/** Throws GistifyError (`usage`) where the options do not go together. */
export function checkAgentOptions(options: AgentOptions, model: string | null, priced: boolean): void {
  const { scaffold, command, execution, globalTools, maxCost, strategy } = options;
  if (scaffold === 'command') {
    if (command.trim() === '') wrong('which command?', 'For example --agent "command:claude -p".');
    if (model !== null) wrong('a command agent brings its own model', 'Leave --model out.');
    return;
  }
  if (model === null) wrong(`the agent ${scaffold} needs a model`, 'Give one with --model provider/name.');
  if (scaffold === 'static') {
    if (execution !== 'off')
      wrong(
        'the static agent makes one call and runs nothing',
        'Leave --execution out, or choose another agent.',
      );
    if (globalTools.includes('graph'))
      wrong(
        'the static agent has no tools, and its prompt holds every file that the test loads',
        'Leave the code graph out, or choose another agent.',
      );
    if (strategy === 'tracing' || strategy === 'reading')
      wrong(
        `the strategy ${strategy} is about how to look around, which the static agent cannot`,
        'Choose base or test-body.',
      );
  }
  if (maxCost !== null && !priced)
    wrong(
      `the price of ${model} is not known, so its cost cannot be capped`,
      'Give it with --price INPUT,OUTPUT in US dollars for a million tokens, or cap the tokens.',
    );
}
