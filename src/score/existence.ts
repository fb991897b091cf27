// A gist's text and the codebase flow in; how many of the gist's statements stand in the codebase, and which do not, flow
// out. Statements are matched block by block, so that a line counts only in the class or function it came from.
import type { Ratio, Score } from '../model/score.js';
import type { PythonParser } from '../python/parse.js';
import type { CodebasePool } from './codebasePool.js';
import { matchUnits } from './matchUnits.js';
import { nearestLines } from './nearestLine.js';
import { pythonText, unitsOf } from './units.js';

export interface Existence {
  readonly existence: Ratio;
  readonly invented: Score['invented'];
}

/** What was measured against a pool, by text: a candidate can be measured while it is verified. */
const measured = new WeakMap<CodebasePool, Map<string, Existence>>();

/** Line existence by the paper's rules; each invented line comes with the nearest line of its block. */
export function measureExistence(parser: PythonParser, gistText: string, pool: CodebasePool): Existence {
  const known = measured.get(pool) ?? new Map<string, Existence>();
  measured.set(pool, known);
  const existence = known.get(gistText) ?? matched(parser, gistText, pool);
  known.set(gistText, existence);
  return existence;
}

function matched(parser: PythonParser, gistText: string, pool: CodebasePool): Existence {
  const text = pythonText(gistText);
  const tree = parser.parse(text);
  const matches = matchUnits(parser, unitsOf(tree.rootNode, text), pool, false);
  tree.delete();
  const missed = matches.filter(({ places }) => places.length === 0);
  const near = nearestLines(parser, missed, pool);
  return {
    existence: { hit: matches.length - missed.length, total: matches.length },
    invented: missed.map(({ unit }, index) => {
      const nearest = near[index] ?? null;
      return {
        line: unit.line,
        block: unit.path.length === 0 ? '<module>' : unit.path.join('.'),
        text: unit.text,
        nearest: nearest === null ? null : `${nearest.file}:${String(nearest.line)}: ${nearest.text}`,
      };
    }),
  };
}
