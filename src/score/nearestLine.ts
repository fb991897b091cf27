// A unit that stands nowhere in the codebase flows in, the most similar line of the same block flows out, if any is
// similar enough to be called a near miss.
import { diffChars } from 'diff';
import type { PythonParser } from '../python/parse.js';
import type { CodebasePool, PoolFile } from './codebasePool.js';
import { visitBlocks, type Place, type UnitMatch } from './matchUnits.js';
import type { Unit } from './units.js';

export interface NearLine extends Place {
  /** 0 to 1: share of characters that the two lines have in common. */
  readonly similarity: number;
}

/** Below this two lines are rather two different lines than one that was changed. */
const leastSimilarity = 0.6;
/** A block is looked up in so many files at most, those that share most words with what is missing. */
const mostFiles = 4;
/** So many lines, the ones with most words in common, are compared letter by letter. */
const mostCompared = 6;
/** Longer texts are compared by their beginnings. */
const mostCharacters = 400;

interface Candidate extends Place {
  readonly compared: string;
  readonly bag: readonly string[];
}

/** For each unmatched unit, in the order given, the nearest line of its block or null. */
export function nearestLines(
  parser: PythonParser,
  missed: readonly UnitMatch[],
  pool: CodebasePool,
): readonly (NearLine | null)[] {
  const candidates = candidatesByBlock(parser, missed, pool);
  return missed.map(({ unit, block }) => nearest(comparable(unit), candidates.get(block) ?? []));
}

function candidatesByBlock(
  parser: PythonParser,
  missed: readonly UnitMatch[],
  pool: CodebasePool,
): ReadonlyMap<string, Candidate[]> {
  const wordsOf = new Map<string, Set<string>>();
  for (const { unit, block } of missed) {
    const words = wordsOf.get(block) ?? new Set<string>();
    for (const word of bagOf(unit.text)) words.add(word);
    wordsOf.set(block, words);
  }
  const blocksOf = new Map<PoolFile, Set<string>>();
  for (const [block, words] of wordsOf) {
    for (const file of likelyFiles(block, words, pool)) {
      const blocks = blocksOf.get(file) ?? new Set<string>();
      blocksOf.set(file, blocks.add(block));
    }
  }
  const found = new Map<string, Candidate[]>();
  for (const [file, blocks] of blocksOf) {
    visitBlocks(parser, file, blocks, (unit, block) => {
      const { text, line, endLine } = unit;
      const list = found.get(block) ?? [];
      list.push({
        file: file.file,
        line,
        endLine,
        text: flat(text),
        compared: comparable(unit),
        bag: bagOf(comparable(unit)),
      });
      found.set(block, list);
    });
  }
  return found;
}

function likelyFiles(block: string, words: ReadonlySet<string>, pool: CodebasePool): readonly PoolFile[] {
  const names = block === '' ? [] : block.split('.');
  const share = (file: PoolFile): number => {
    let count = 0;
    for (const word of words) if (file.words.has(word)) count += 1;
    return count;
  };
  return pool.files
    .filter((file) => names.every((name) => file.words.has(name)))
    .map((file) => ({ file, count: share(file) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .slice(0, mostFiles)
    .map(({ file }) => file);
}

function nearest(text: string, candidates: readonly Candidate[]): NearLine | null {
  const bag = bagOf(text);
  const ranked = candidates
    .map((candidate) => ({ candidate, common: commonWords(bag, candidate.bag) }))
    .sort((a, b) => b.common - a.common)
    .slice(0, mostCompared);
  let best: NearLine | null = null;
  for (const { candidate } of ranked) {
    const score = similarity(text, candidate.compared);
    if (score >= leastSimilarity && (best === null || score > best.similarity)) {
      const { file, line, endLine } = candidate;
      best = { file, line, endLine, text: candidate.text, similarity: score };
    }
  }
  return best;
}

function commonWords(a: readonly string[], b: readonly string[]): number {
  if (a.length + b.length === 0) return 0;
  const rest = [...b];
  let common = 0;
  for (const word of a) {
    const at = rest.indexOf(word);
    if (at === -1) continue;
    rest.splice(at, 1);
    common += 1;
  }
  return (2 * common) / (a.length + b.length);
}

function similarity(a: string, b: string): number {
  const left = a.slice(0, mostCharacters);
  const right = b.slice(0, mostCharacters);
  let kept = 0;
  for (const part of diffChars(left, right)) if (!part.added && !part.removed) kept += part.value.length;
  return (2 * kept) / (left.length + right.length);
}

function bagOf(text: string): readonly string[] {
  return text.match(/[\w\u0080-\uffff]+/g) ?? [];
}

/** All imports have words in common that say nothing. */
function comparable({ kind, text }: Unit): string {
  return flat(kind === 'import' ? text.replace(/\b(from|import|as)\b/g, ' ') : text);
}

function flat(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
