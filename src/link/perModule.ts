// A question about a module of one gist's contents flows in, the same question answered once for each module flows out:
// layouts are tried in many rounds, and what a gist holds does not change between them.
import type { Included } from './included.js';
import type { Module, Program } from './program.js';

type Question<T> = (program: Program, module: Module, included: Included) => T;

/** Remembers the answers for as long as the contents live. */
export function perModule<T>(ask: Question<T>): Question<T> {
  const known = new WeakMap<Included, Map<Module, { readonly answer: T }>>();
  return (program, module, included) => {
    let answers = known.get(included);
    if (answers === undefined) known.set(included, (answers = new Map<Module, { readonly answer: T }>()));
    let found = answers.get(module);
    if (found === undefined) answers.set(module, (found = { answer: ask(program, module, included) }));
    return found.answer;
  };
}
