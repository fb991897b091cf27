// A module flows in, the top-level statements that have its namespace in hand flow out: they may bind any name of it.
import { textOf } from '../python/syntax.js';
import type { Module } from './program.js';

const writers = new WeakMap<Module, readonly number[]>();

/** Top-level statements that hand on the module's namespace (`globals()`, `vars()`, `exec`, `sys.modules[__name__]`). */
export function namespaceWriters(module: Module): readonly number[] {
  let known = writers.get(module);
  if (known === undefined) {
    const handsOn = /\b(globals|vars|locals|exec|eval)\(|\bsys\.modules\[__name__\]|\b__dict__\b/;
    known = module.statements().flatMap((statement, index) => {
      if (statement.kind === 'function' || statement.kind === 'class' || module.ran(statement.position) === 0)
        return [];
      return handsOn.test(textOf(module.file(), statement.node)) ? [index] : [];
    });
    writers.set(module, known);
  }
  return known;
}
