// The name of a module of the codebase flows in; whether the gist itself stands for it, as far as modules are held, flows out.
import type { Program } from './program.js';

/** Whether a module of the codebase shares the gist's own namespace. */
export function isFlat(program: Program, held: ReadonlyMap<string, string>, name: string): boolean {
  if (held.has(name)) return false;
  if (program.modules.has(name)) return true;
  // A package without code of its own is flat unless something below it is held.
  return ![...held.keys()].some((one) => one.startsWith(`${name}.`));
}
