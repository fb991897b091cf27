// The name of a task flows in, what names it inside of its file flows out.
import { isCommand } from './command.js';

/** The parts of a node id after the file, with parameters; a command names itself. */
export function testSelector(nodeId: string): string {
  return isCommand(nodeId) ? nodeId : nodeId.split('::').slice(1).join('::');
}
