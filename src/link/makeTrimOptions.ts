// What is alive so far flows in, the options for trimming a module's statements flow out: which rows ran, and which methods
// must stay though nobody called them.
import { textOf } from '../python/syntax.js';
import type { Module, Program } from './program.js';
import type { TrimOptions } from './trimContext.js';

/** What `functools.total_ordering` looks for in the class it decorates. */
const ordering = new Set(['__lt__', '__le__', '__gt__', '__ge__', '__eq__']);

export interface TrimChoices extends Pick<TrimOptions, 'keepDocstrings' | 'dropBranches'> {
  /** Keep functions and classes whole. */
  readonly whole: boolean;
  /** Keep definitions that never ran but bear one of these names. */
  readonly restore: ReadonlySet<string>;
  /** `path:row` of source rows (0-based) that the gist's own run did not execute. */
  readonly idle: ReadonlySet<string>;
}

/** Names that live code has read so far; both grow while it is found. */
interface Alive {
  readonly attributes: ReadonlySet<string>;
  readonly strings: ReadonlySet<string>;
}

/** Makes the options of each module's trimming. */
export function makeTrimOptions(
  program: Program,
  options: TrimChoices,
  { attributes, strings }: Alive,
): (module: Module) => TrimOptions {
  const required = new Map(
    program.trace.required.map(([module, qualname, methods]) => [`${module}:${qualname}`, new Set(methods)]),
  );

  return (module) => {
    const ran: TrimOptions['ran'] = (position) =>
      module.ran(position) !== 0 && !options.idle.has(`${module.path}:${position.line - 1}`);
    return {
      ran,
      lazyAnnotations: module.lazyAnnotations(),
      keepDocstrings: options.keepDocstrings,
      dropBranches: options.dropBranches,
      whole: options.whole && (program.isCommand || !module.isTest),
      isVerbatim: (path) => module.isTest && !program.isCommand && path === program.testPath.join('.'),
      keepUncalled: (owner, member, path) => {
        if (module.isTest && !program.isCommand && member.name.startsWith('test')) return false;
        if (required.get(`${module.name}:${path}`)?.has(member.name) === true) return true;
        if (options.restore.has(member.name)) return true;
        if (
          ordering.has(member.name) &&
          owner.decorators.some((decorator) => textOf(module.file(), decorator).includes('total_ordering'))
        )
          return true;
        // A property that was read was called: an uncalled one was not read.
        if (
          member.decorators.some((decorator) =>
            /^@(\w+\.)*(cached_)?property$|\.(setter|deleter|getter)$/.test(
              textOf(module.file(), decorator).trim(),
            ),
          )
        )
          return false;
        return (
          attributes.has(member.name) ||
          (strings.has(member.name) && !member.name.startsWith('__') && owner.name !== member.name)
        );
      },
    };
  };
}
