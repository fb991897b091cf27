// A gist's text and what the editor holds now flow in; out comes which lines still are the gist's.
// A line that was touched loses its claim: nothing may be said of it that was not seen.

/** For each line of `current` (index 0 is line 1) the 1-based line of `original` it still is, or 0. */
export function survivingLines(original: string, current: string): readonly number[] {
  const before = linesOf(original);
  const after = linesOf(current);
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  return after.map((_, index) => {
    if (index < head) return index + 1;
    return index >= after.length - tail ? index + 1 + before.length - after.length : 0;
  });
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/);
}
