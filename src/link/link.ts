// A Program flows in, a gist flows out: include, lay out, emit. Pure; every choice is an option, so that the engine
// can ask again for another layout or with more restored.
import type { Gist, HeldModule } from '../model/gist.js';
import { dataLines, type DataLayout } from './dataFiles.js';
import { emit } from './emit.js';
import { include, type IncludeOptions } from './include.js';
import { chooseLayout, type LayoutOptions } from './layout.js';
import type { Program } from './program.js';

export interface LinkOptions extends IncludeOptions, LayoutOptions {
  readonly preamble: readonly { readonly text: string; readonly why: string }[];
  readonly data: DataLayout | null;
}

export interface Linked {
  readonly gist: Gist;
  readonly held: readonly HeldModule[];
  readonly flat: readonly string[];
}

/** Links one gist from a program. The same options give the same bytes. */
export function link(program: Program, options: LinkOptions): Linked {
  const included = include(program, options);
  const layout = chooseLayout(program, included, options);
  const preamble = [...(options.data === null ? [] : dataLines(options.data, program.test.path)), ...options.preamble];
  if (included.hooksUsed) {
    const conftests = [...layout.held.keys()].filter((name) => program.modules.get(name)?.isConftest === true);
    const flatHooks = [...layout.flat].some((module) => module.isConftest);
    const plugins = [...conftests.map((name) => `'${name}'`), ...(flatHooks ? ['__name__'] : [])];
    preamble.push({ text: `pytest_plugins = [${plugins.join(', ')}]`, why: 'makes pytest see the hooks of conftest files' });
  } else {
    const conftests = [...layout.held.keys()].filter((name) => program.modules.get(name)?.isConftest === true);
    if (conftests.length > 0) preamble.push({ text: `pytest_plugins = [${conftests.map((name) => `'${name}'`).join(', ')}]`, why: 'makes pytest see the fixtures of held conftest files' });
  }
  return {
    gist: emit(program, included, layout, { preamble, dataRoot: options.data !== null }),
    held: [...layout.held].map(([module, reason]) => ({ module, reason })),
    flat: [...layout.flat].map((module) => module.name),
  };
}
