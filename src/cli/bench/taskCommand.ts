// `gistify bench task`: one order of a run in over the channel to its parent, the result back the same way. When the
// channel breaks, the parent is gone, and everything that was started for it goes too.
import { GistifyError } from '../../base/gistifyError.js';
import { runTask, taskOrder } from '../../bench/runTask.js';
import { installation } from '../installation.js';

export async function taskCommand(_args: readonly string[], signal: AbortSignal): Promise<number> {
  const send = process.send?.bind(process);
  if (send === undefined)
    throw new GistifyError('usage', 'bench task is how bench run starts its tasks', 'Use gistify bench run.');
  const orphaned = new AbortController();
  process.once('disconnect', () => orphaned.abort(new GistifyError('cancelled', 'cancelled')));
  const text = await new Promise<string>((resolve) =>
    process.once('message', (message) => resolve(String(message))),
  );
  const order = taskOrder.parse(JSON.parse(text));
  const result = await runTask(
    order,
    { signal: AbortSignal.any([signal, orphaned.signal]), progress: () => undefined, log: () => undefined },
    installation(),
  );
  await new Promise<void>((resolve) => send(JSON.stringify(result), () => resolve()));
  process.disconnect();
  return 0;
}
