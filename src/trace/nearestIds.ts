// A node id that pytest does not know flows in with those it does, the ones most like it flow out, nearest first.

/** At most `count` of the ids, by how many changes of a character part them from the one that was asked for. */
export function nearestIds(asked: string, known: readonly string[], count: number): readonly string[] {
  return known
    .map((id, at) => ({ id, at, distance: editDistance(asked, id) }))
    .toSorted((a, b) => a.distance - b.distance || a.at - b.at)
    .slice(0, count)
    .map(({ id }) => id);
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [row, letter] of Array.from(a).entries()) {
    const current = [row + 1];
    for (let column = 0; column < b.length; column += 1) {
      const same = (previous[column] ?? 0) + (letter === b[column] ? 0 : 1);
      current.push(Math.min(same, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
