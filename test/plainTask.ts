// A place and a test flow in, a task as the command line makes it flows out: everything else as nobody asked for it.
import type { Task } from '../src/model/task.js';

/** `more` is what a test asks for besides. */
export function plainTask(place: Pick<Task, 'repo' | 'nodeId' | 'python'>, more: Partial<Task> = {}): Task {
  return {
    ...place,
    pytestArgs: [],
    layout: 'auto',
    reduce: 'executed',
    sandbox: 'local',
    timeout: 60,
    keepDocstrings: false,
    ...more,
  };
}
