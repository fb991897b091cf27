// A gist written by anyone and the codebase flow in, one origin for each line of the gist flows out. A line is kept only
// where its statement stands in the codebase in the same block; places of one block are taken from one file if possible.
import { diffArrays } from 'diff';
import type { Origin } from '../model/gist.js';
import type { PythonParser } from '../python/parse.js';
import type { CodebasePool } from './codebasePool.js';
import { matchUnits, type Place, type UnitMatch } from './matchUnits.js';
import { nearestLines } from './nearestLine.js';
import { pythonText, unitsOf } from './units.js';

interface LinePlace {
  readonly file: string;
  readonly line: number;
}

/** So far after a kept line its neighbours that are no statements (`else:`, comments) are looked for. */
const reach = 30;

/** One origin a line of the text (a last line break ends the last line). */
export function findProvenance(
  parser: PythonParser,
  gistText: string,
  pool: CodebasePool,
): readonly Origin[] {
  const text = pythonText(gistText);
  const lines = linesOf(text);
  const sources = new Map(pool.files.map(({ file, text: source }) => [file, source]));
  const original = originalLine(sources);
  const tree = parser.parse(text);
  const matches = matchUnits(parser, unitsOf(tree.rootNode, text), pool, true);
  tree.delete();

  const origins = new Map<number, Origin>();
  const places = choosePlaces(matches);
  matches.forEach((match, index) => {
    const place = places[index];
    if (place === undefined) return;
    for (const [line, at] of alignLines(lines, match, place, original)) {
      // The first statement of a line decides; an import of several names may come from several lines.
      if (!origins.has(line)) origins.set(line, originOf(lines[line - 1] ?? '', at, original));
    }
  });

  const missed = matches.filter((match) => match.places.length === 0);
  nearestLines(parser, missed, pool).forEach((near, index) => {
    const unit = missed[index]?.unit;
    if (unit === undefined) return;
    for (let line = unit.line; line <= unit.endLine; line += 1) {
      const known = origins.get(line);
      if (known?.kind === 'kept') {
        origins.set(line, {
          kind: 'rewritten',
          file: known.file,
          line: known.line,
          why: 'in part not in the codebase',
        });
      } else if (known === undefined) {
        origins.set(
          line,
          near === null
            ? { kind: 'added', why: 'not in the codebase' }
            : {
                kind: 'rewritten',
                file: near.file,
                line: near.line,
                why: 'close to this line of the codebase',
              },
        );
      }
    }
  });
  return fillBetween(lines, origins, original);
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

type OriginalLine = (file: string, line: number) => string | null;

function originalLine(sources: ReadonlyMap<string, string>): OriginalLine {
  const split = new Map<string, readonly string[]>();
  return (file, line) => {
    const lines = split.get(file) ?? (sources.get(file) ?? '').split('\n');
    split.set(file, lines);
    return lines[line - 1] ?? null;
  };
}

/** One place for each match: in the file most of the block comes from, then after the line before, then the first. */
function choosePlaces(matches: readonly UnitMatch[]): readonly (Place | undefined)[] {
  const fileOf = blockFiles(matches);
  const popular = countFiles(matches);
  const last = new Map<string, number>();
  let before: string | null = null;
  return matches.map(({ block, places }) => {
    if (places.length === 0) return undefined;
    const home = block === '' ? before : (fileOf.get(block) ?? null);
    const best = Math.max(...places.map(({ file }) => popular.get(file) ?? 0));
    const near =
      filtered(places, ({ file }) => file === home) ??
      filtered(places, ({ file }) => (popular.get(file) ?? 0) === best) ??
      places;
    const place = near.find(({ file, line }) => line > (last.get(`${block}:${file}`) ?? 0)) ?? near[0];
    if (place !== undefined) {
      last.set(`${block}:${place.file}`, place.line);
      before = place.file;
    }
    return place;
  });
}

function filtered<T>(items: readonly T[], keep: (item: T) => boolean): readonly T[] | null {
  const kept = items.filter(keep);
  return kept.length > 0 ? kept : null;
}

/** For each block the file that holds most of its statements; on equal count the enclosing block's file. */
function blockFiles(matches: readonly UnitMatch[]): ReadonlyMap<string, string> {
  const byBlock = new Map<string, UnitMatch[]>();
  for (const match of matches) {
    const parts = match.block === '' ? [] : match.block.split('.');
    // What stands in a method votes for its class too.
    for (let depth = 1; depth <= parts.length; depth += 1) {
      const block = parts.slice(0, depth).join('.');
      byBlock.set(block, [...(byBlock.get(block) ?? []), match]);
    }
  }
  const files = new Map<string, string>();
  for (const block of [...byBlock.keys()].sort((a, b) => a.length - b.length)) {
    const outer = files.get(block.slice(0, Math.max(0, block.lastIndexOf('.'))));
    let best: string | null = null;
    let most = 0;
    for (const [file, count] of countFiles(byBlock.get(block) ?? [])) {
      if (count > most || (count === most && file === outer)) [best, most] = [file, count];
    }
    if (best !== null) files.set(block, best);
  }
  return files;
}

function countFiles(matches: readonly UnitMatch[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { places } of matches) {
    for (const file of new Set(places.map((place) => place.file)))
      counts.set(file, (counts.get(file) ?? 0) + 1);
  }
  return counts;
}

/** For each line of a matched statement the line of the original statement it corresponds to. */
function alignLines(
  lines: readonly string[],
  { unit }: UnitMatch,
  place: Place,
  original: OriginalLine,
): readonly (readonly [number, LinePlace])[] {
  const at = (offset: number): LinePlace => ({ file: place.file, line: place.line + offset });
  const count = unit.endLine - unit.line + 1;
  if (count === place.endLine - place.line + 1) {
    return Array.from({ length: count }, (_, offset) => [unit.line + offset, at(offset)] as const);
  }
  const own = lines.slice(unit.line - 1, unit.endLine).map((line) => line.trim());
  const theirs = Array.from({ length: place.endLine - place.line + 1 }, (_, offset) =>
    (original(place.file, place.line + offset) ?? '').trim(),
  );
  const aligned: (readonly [number, LinePlace])[] = [];
  let [mine, other] = [0, 0];
  for (const part of diffArrays(theirs, own)) {
    for (let index = 0; index < part.count; index += 1) {
      if (!part.removed) {
        aligned.push([unit.line + mine, at(Math.min(other, theirs.length - 1))]);
        mine += 1;
      }
      if (!part.added) other += 1;
    }
  }
  return aligned;
}

function originOf(line: string, { file, line: at }: LinePlace, original: OriginalLine): Origin {
  return isSameLine(line, original(file, at) ?? '')
    ? { kind: 'kept', file, line: at }
    : { kind: 'rewritten', file, line: at, why: 'the same code, written differently' };
}

/** Indentation and a comment at the end may go. */
function isSameLine(line: string, original: string): boolean {
  const [mine, theirs] = [line.trim(), original.trim()];
  if (mine === theirs) return true;
  return mine !== '' && theirs.startsWith(mine) && /^\s*#/.test(theirs.slice(mine.length));
}

/** Lines that are no statements belong to their kept neighbours where the codebase has them there. */
function fillBetween(
  lines: readonly string[],
  origins: ReadonlyMap<number, Origin>,
  original: OriginalLine,
): readonly Origin[] {
  const filled: Origin[] = [];
  lines.forEach((line, index) => {
    const known = origins.get(index + 1);
    if (known !== undefined) {
      filled.push(known);
      return;
    }
    const text = line.trim();
    const place =
      text === ''
        ? null
        : placeBetween(text, filled.at(-1), nextPlace(origins, index + 2, lines.length), original);
    filled.push(place ?? { kind: 'added', why: whyAdded(text) });
  });
  return filled;
}

function nextPlace(origins: ReadonlyMap<number, Origin>, from: number, to: number): Origin | undefined {
  for (let line = from; line <= to; line += 1) {
    const origin = origins.get(line);
    if (origin !== undefined) return origin;
  }
  return undefined;
}

function placeBetween(
  text: string,
  before: Origin | undefined,
  after: Origin | undefined,
  original: OriginalLine,
): Origin | null {
  const found = (file: string, line: number): Origin | null => {
    const there = original(file, line);
    return there !== null && isSameLine(text, there) ? { kind: 'kept', file, line } : null;
  };
  if (before !== undefined && before.kind !== 'added') {
    const bounded =
      after !== undefined && after.kind !== 'added' && after.file === before.file && after.line > before.line;
    const last = bounded ? after.line - 1 : before.line + reach;
    for (let line = before.line + 1; line <= last; line += 1) {
      const place = found(before.file, line);
      if (place !== null) return place;
    }
  }
  if (after !== undefined && after.kind !== 'added') {
    for (let line = after.line - 1; line >= Math.max(1, after.line - reach); line -= 1) {
      const place = found(after.file, line);
      if (place !== null) return place;
    }
  }
  return null;
}

function whyAdded(text: string): string {
  if (text === '') return 'blank';
  if (text.startsWith('#')) return 'comment';
  return text === 'pass' ? 'keeps the block valid' : 'not in the codebase';
}
