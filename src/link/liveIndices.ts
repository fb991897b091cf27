// What a gist holds flows in, which top-level statements of a module are part of it flows out.
import type { Included } from './included.js';
import type { Module } from './program.js';

/** Indices of a module's live statements and imports, in no order. */
export function liveIndices(module: Module, included: Included): readonly number[] {
  return [
    ...(included.statements.get(module)?.keys() ?? []),
    ...(included.imports.get(module)?.keys() ?? []),
  ];
}
