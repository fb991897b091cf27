// What the command line said on its error stream flows in, one message for a person flows out; the rest stays in the log.
import type { Translate } from '../base/translate.js';

/** The fault, pytest's own word for it where there is one, and what to do. */
export function faultMessage(said: readonly string[], status: number, t: Translate): string {
  const start = said.findIndex((line) => line.startsWith('gistify: '));
  if (start === -1) {
    const last = said.findLast((line) => line.trim() !== '');
    const end = t('Gistify: the run ended with status {0}', status);
    return last === undefined ? end : `${end}: ${last.trim()}`;
  }
  // Before the rest: `gistify: message [code]`; then details behind bars, then the hint.
  const message = (said[start] ?? '').slice('gistify: '.length).replace(/ \[[a-z-]+\]$/, '');
  const rest = said.slice(start + 1);
  const details = rest.filter((line) => isDetail(line)).map((line) => line.replace(/^ {2}\| ?/, ''));
  const word = details.map((line) => /^E\s+(\w.*)$/.exec(line)?.[1]).find((found) => found !== undefined);
  const hint = rest.find((line) => !isDetail(line) && line.trim() !== '');
  const fault = word === undefined || message.includes(word) ? message : `${message}: ${word}`;
  return `Gistify: ${[fault.replace(/\.$/, ''), ...(hint === undefined ? [] : [hint.trim()])].join('. ')}`;
}

function isDetail(line: string): boolean {
  return line.startsWith('  |');
}
