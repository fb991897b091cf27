// Sizes flow in, one rectangle each flows out: squarified (Bruls, Huizing, van Wijk 2000), so that areas can be compared by eye.

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Rectangles in the order of the sizes, which must fall and be positive; together they fill the area. */
export function treemap(sizes: readonly number[], area: Rectangle): readonly Rectangle[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total === 0) return [];
  const scale = (area.width * area.height) / total;
  const placed: Rectangle[] = [];
  let free = area;
  let row: number[] = [];
  const side = (): number => Math.min(free.width, free.height);
  const close = (): void => {
    const { rectangles, rest } = layRow(row, free);
    placed.push(...rectangles);
    free = rest;
    row = [];
  };
  for (const size of sizes.map((one) => one * scale)) {
    if (row.length > 0 && worst([...row, size], side()) > worst(row, side())) close();
    row.push(size);
  }
  if (row.length > 0) close();
  return placed;
}

/** The largest ratio of sides in a row of that length. */
function worst(row: readonly number[], side: number): number {
  const sum = row.reduce((total, size) => total + size, 0);
  const [most, least] = [Math.max(...row), Math.min(...row)];
  return Math.max((side * side * most) / (sum * sum), (sum * sum) / (side * side * least));
}

function layRow(row: readonly number[], free: Rectangle): { rectangles: Rectangle[]; rest: Rectangle } {
  const sum = row.reduce((total, size) => total + size, 0);
  const upright = free.width >= free.height;
  const depth = sum / (upright ? free.height : free.width);
  let { x, y } = free;
  const rectangles = row.map((size): Rectangle => {
    const length = size / depth;
    const rectangle = upright
      ? { x, y, width: depth, height: length }
      : { x, y, width: length, height: depth };
    if (upright) y += length;
    else x += length;
    return rectangle;
  });
  const rest = upright
    ? { x: free.x + depth, y: free.y, width: free.width - depth, height: free.height }
    : { x: free.x, y: free.y + depth, width: free.width, height: free.height - depth };
  return { rectangles, rest };
}
