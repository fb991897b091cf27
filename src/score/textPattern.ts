// A unit flows in, a pattern flows out that the text of every file holding the same code has. It saves parsing files
// that have all the words, elsewhere; it may let too much through, never too little.
import type { Unit } from './units.js';

// Each alternative begins with a character of its own and ends in one way only, so that no text takes long to refuse.
/** Between two words of one statement: anything but words, and whole comments. */
const between = String.raw`(?:[^A-Za-z_\u0080-\uffff#]|#[^\n]*\n)*`;
/** The same where the statement has numbers, which may have letters in them. */
const betweenWithNumbers = String.raw`(?:[^\w\u0080-\uffff#]|\d[\w.]*(?![\w.])|#[^\n]*\n)*`;
/** Spacing within an import, line continuations included. */
const gap = String.raw`[\s\\]*`;

/** The pattern, or null where none is certain: strings can be spelled in many ways. */
export function textPattern({ kind, text, words }: Unit): RegExp | null {
  if (kind === 'import') return importPattern(text);
  if (/['"#]/.test(text)) return null;
  const parts = words.trim().split(' ');
  if (kind === 'if') parts.unshift('if');
  const first = parts[0] ?? '';
  if (first === '' || parts.length === 1) return null;
  const separator = /\d/.test(text) ? betweenWithNumbers : between;
  return new RegExp(parts.join(separator));
}

/** Names stand in one list, so of `from … import name` only the module is certain to be next to its keyword. */
function importPattern(text: string): RegExp {
  const from = /^from (\S+) import /.exec(text)?.[1];
  if (from !== undefined) return new RegExp(`from${gap}${spaced(from)}${gap}import`);
  const name = /^import (\S+)/.exec(text)?.[1] ?? '';
  return new RegExp(String.raw`import(?:[^\n]|\\\n)*?${spaced(name)}`);
}

function spaced(name: string): string {
  return name.replaceAll('.', String.raw`[\s\\]*\.[\s\\]*`);
}
