// A recorded trajectory flows in, a model that gives the same replies in the same order flows out: a run can be seen again
// without asking any service. Tools run anew; only the replies are old.
import type { ChatModel } from './chatModel.js';
import { readTrajectory } from './trajectoryFile.js';

export async function replayModel(name: string, file: string): Promise<ChatModel> {
  const events = await readTrajectory(file);
  const replies = events.filter((event) => event.type === 'reply');
  let next = 0;
  return {
    name,
    reply(_request, signal, onText) {
      signal.throwIfAborted();
      const reply = replies[next];
      next += 1;
      if (reply === undefined)
        return Promise.resolve({
          kind: 'fault',
          fault: 'bad-request',
          message: `the recorded run has no more than ${replies.length} replies`,
          retryAfter: null,
        });
      const { text, reasoning, calls, usage, counted, stop } = reply;
      onText(text);
      return Promise.resolve({ kind: 'reply', text, reasoning, calls, usage: counted ? usage : null, stop });
    },
  };
}
