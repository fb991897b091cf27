// A file's text before and now flow in; where each of its lines is now flows out.
import { diffArrays } from 'diff';

/** For each line of `before` (index 0 is line 1) its 1-based line in `now`, or 0 where it is gone or was changed. */
export function lineMoves(before: string, now: string): readonly number[] {
  const [old, current] = [linesOf(before), linesOf(now)];
  const moves: number[] = [];
  let line = 0;
  for (const { count, added, removed } of diffArrays(old, current)) {
    for (let index = 0; index < count; index += 1) {
      if (!removed) line += 1;
      if (!added) moves.push(removed ? 0 : line);
    }
  }
  return moves;
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}
