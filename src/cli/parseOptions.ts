// Words of a command line flow in, options and operands flow out; anything unknown is wrong use (exit status 2).
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { GistifyError } from '../base/gistifyError.js';

type Values<T extends NonNullable<ParseArgsConfig['options']>> = ReturnType<
  typeof parseArgs<{ options: T; strict: true; allowPositionals: true }>
>['values'];

interface Parsed<T extends NonNullable<ParseArgsConfig['options']>> {
  readonly values: Values<T>;
  readonly positionals: readonly string[];
  /** What follows `--`. */
  readonly rest: readonly string[];
}

/** Parses strictly; what follows `--` is handed back apart. */
export function parseOptions<const T extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: T,
): Parsed<T> {
  const split = args.indexOf('--');
  const own = split === -1 ? [...args] : args.slice(0, split);
  const rest = split === -1 ? [] : args.slice(split + 1);
  try {
    const { values, positionals } = parseArgs({ args: own, options, allowPositionals: true, strict: true });
    return { values, positionals, rest };
  } catch (error) {
    throw new GistifyError(
      'usage',
      error instanceof Error ? error.message : String(error),
      'See gistify --help.',
    );
  }
}
