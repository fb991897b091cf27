// The test instances of two runs flow in, pairs of the same instance flow out. Names are the same but for ids that hold
// an address or a clock's value; those are paired in order, and never where a run has more of them than the other.
import type { TestOutcome } from '../model/outcome.js';

export interface PairedTests {
  readonly pairs: readonly (readonly [original: TestOutcome, gist: TestOutcome])[];
  readonly originalOnly: readonly TestOutcome[];
  readonly gistOnly: readonly TestOutcome[];
}

/** What no two runs share: addresses, uuids and hashes, times of day, counters of a clock, random fractions. */
const volatile: readonly RegExp[] = [
  /0x[0-9a-f]+/gi,
  /\b(?=[a-f-]*\d)[0-9a-f]{8}(?:-?[0-9a-f]{4,12})*\b/gi,
  /\d{4}-\d\d-\d\d[T_ -]?\d\d:?\d\d(?::?\d\d)?(?:\.\d+)?/g,
  /\b\d\d:\d\d:\d\d(?:\.\d+)?/g,
  /\d{6,}(?:\.\d+)?/g,
  /\d+\.\d{6,}(?:e-\d+)?/g,
];

/** Pairs by name, then what is left over by the name with its volatile parts blanked. */
export function pairTests(original: readonly TestOutcome[], gist: readonly TestOutcome[]): PairedTests {
  const byName = new Map(gist.map((test) => [test.name, test]));
  const pairs: (readonly [TestOutcome, TestOutcome])[] = [];
  const left: TestOutcome[] = [];
  for (const test of original) {
    const other = byName.get(test.name);
    if (other === undefined) left.push(test);
    else pairs.push([test, other]);
    byName.delete(test.name);
  }
  const mine = byShape(left);
  const others = byShape([...byName.values()]);
  for (const [shape, tests] of mine) {
    const same = others.get(shape);
    if (same?.length !== tests.length) continue;
    for (const [at, test] of tests.entries()) {
      const other = same[at];
      if (other !== undefined) pairs.push([test, other]);
    }
    mine.delete(shape);
    others.delete(shape);
  }
  return { pairs, originalOnly: [...mine.values()].flat(), gistOnly: [...others.values()].flat() };
}

function byShape(tests: readonly TestOutcome[]): Map<string, TestOutcome[]> {
  const out = new Map<string, TestOutcome[]>();
  for (const test of tests) {
    const shape = shapeOf(test.name);
    out.set(shape, [...(out.get(shape) ?? []), test]);
  }
  return out;
}

/** Only the id in brackets may vary: the name before it is the code's own. */
function shapeOf(name: string): string {
  const at = name.indexOf('[');
  if (at === -1) return name;
  let id = name.slice(at);
  for (const pattern of volatile) id = id.replace(pattern, '#');
  return name.slice(0, at) + id;
}
