// A seed flows in, a small codebase and the node id of one of its tests flow out.
import { moduleFeatures } from './features.js';
import { addGraph } from './graph.js';
import { languageFeatures } from './language.js';
import { packageFeatures } from './library.js';
import { createProgram, filesOf } from './program.js';
import { pytestFeatures } from './pytestFeatures.js';
import { createRandom } from './random.js';

export interface Generated {
  readonly seed: number;
  readonly files: ReadonlyMap<string, string>;
  readonly node: string;
}

/** The program of a seed: the same on every machine. */
export function generate(seed: number): Generated {
  const random = createRandom(seed);
  // Most programs are small: what differs is then soon found, and far more combinations are tried.
  const large = seed % 4 === 0;
  const some = (least: number, more: number) => (large ? least + random.int(more) : random.int(3));
  const program = createProgram(random, large ? 3 + random.int(4) : 2 + random.int(2));
  addGraph(program);
  const chosen = random.shuffle([
    ...random.shuffle(moduleFeatures).slice(0, some(2, 4)),
    ...random.shuffle([...languageFeatures, ...packageFeatures]).slice(0, some(2, 4)),
    ...random.shuffle(pytestFeatures).slice(0, some(1, 3)),
  ]);
  for (const add of chosen) add(program);
  return { seed, ...filesOf(program) };
}
