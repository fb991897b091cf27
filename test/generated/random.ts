// A seed flows in, the same choices flow out on every machine: what a generated program is made by.

export interface Random {
  /** 0 to below `limit`. */
  readonly int: (limit: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(items: readonly T[]) => T;
  readonly shuffle: <T>(items: readonly T[]) => readonly T[];
}

/** Mulberry32 over a seed. */
export function createRandom(seed: number): Random {
  let state = (seed + 1) * 0x9e3779b1;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000;
  };
  const int = (limit: number): number => Math.floor(next() * limit);
  return {
    int,
    chance: (probability) => next() < probability,
    pick: (items) => {
      const found = items[int(items.length)];
      if (found === undefined) throw new Error('nothing to pick from');
      return found;
    },
    shuffle: (items) => {
      const out = [...items];
      for (let last = out.length - 1; last > 0; last -= 1) {
        const other = int(last + 1);
        [out[last], out[other]] = [out[other] as (typeof out)[number], out[last] as (typeof out)[number]];
      }
      return out;
    },
  };
}
