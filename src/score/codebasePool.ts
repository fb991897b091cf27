// The codebase's Python files flow in as text, a searchable pool flows out: which files could hold a piece of code can
// be asked without parsing any of them. The answer may name too many files, never too few.
import { pythonText } from './units.js';

export interface SourceFile {
  /** Repo-relative POSIX path. */
  readonly file: string;
  readonly text: string;
}

export interface CodebasePool {
  readonly files: readonly PoolFile[];
  /** Whether any class or function of the codebase has this name. */
  defines(name: string): boolean;
}

export interface PoolFile extends SourceFile {
  /** All words of the text, those in strings and comments too. */
  readonly words: ReadonlySet<string>;
}

const word = /[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*/g;
const definition = /(?:^|[\s:;])(?:def|class)[ \t\f\\]+([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)/g;

const pools = new WeakMap<readonly SourceFile[], CodebasePool>();

/** Indexes the texts once; a pool can serve any number of scorings of one codebase. */
export function createCodebasePool(files: readonly SourceFile[]): CodebasePool {
  const known = pools.get(files) ?? indexed(files);
  pools.set(files, known);
  return known;
}

function indexed(files: readonly SourceFile[]): CodebasePool {
  const pool = files.map(({ file, text }): PoolFile => {
    const clean = pythonText(text);
    return { file, text: clean, words: new Set(clean.match(word)) };
  });
  let defined: Set<string> | null = null;
  return {
    files: pool,
    defines(name) {
      defined ??= new Set(
        pool.flatMap(({ text }) => Array.from(text.matchAll(definition), (match) => match[1] ?? '')),
      );
      return defined.has(name);
    },
  };
}
