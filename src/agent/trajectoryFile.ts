// A trajectory's events flow into a JSON Lines file as they happen and flow out of one again: what was recorded is there
// even where a run was killed.
import { appendFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { GistifyError } from '../base/gistifyError.js';
import { trajectorySchema, type TrajectoryEvent } from '../model/trajectory.js';

/** Begins the file anew; gives what appends an event to it. */
export function trajectoryWriter(file: string): (event: TrajectoryEvent) => void {
  writeFileSync(file, '');
  return (event) => {
    appendFileSync(file, `${JSON.stringify(event)}\n`);
  };
}

/** Events of a file; a last line that was cut off is left out. */
export async function readTrajectory(file: string): Promise<readonly TrajectoryEvent[]> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null)
    throw new GistifyError(
      'file-not-found',
      `there is no trajectory ${file}`,
      'Name a file that --trajectory wrote.',
    );
  const events: TrajectoryEvent[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    try {
      events.push(JSON.parse(line) as TrajectoryEvent);
    } catch {
      break;
    }
  }
  const [first] = events;
  if (first?.type !== 'start' || (first.schema as number) !== trajectorySchema)
    throw new GistifyError(
      'usage',
      `${file} is no trajectory of this version`,
      'Name a file that --trajectory wrote.',
    );
  return events;
}
