// Text that is about to leave flows in, what looks like a secret flows out with its place: by secretlint's recommended
// rules, and strings too random to be words. What is masked keeps its length.
import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';

export interface SecretFinding {
  readonly rule: string;
  readonly message: string;
  /** 1-based. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** Findings by place. Lines of `known`, 1-based, hold data that Gistify itself put there. */
export async function findSecrets(
  text: string,
  fileName: string,
  known: ReadonlySet<number> = new Set(),
): Promise<readonly SecretFinding[]> {
  const id = '@secretlint/secretlint-rule-preset-recommend';
  const linted = await lintSource({
    source: { content: text, filePath: fileName, contentType: 'text', ext: '.txt' },
    options: { noPhysicFilePath: true, maskSecrets: true, config: { rules: [{ id, rule: creator }] } },
  });
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
  const found: SecretFinding[] = linted.messages.map(({ ruleId, message, range }) => ({
    rule: ruleId.replace('@secretlint/secretlint-rule-', ''),
    message,
    line: lineOf(range[0]),
    start: range[0],
    end: range[1],
  }));
  for (const { start, end } of randomStrings(text)) {
    const line = lineOf(start);
    if (known.has(line) || found.some((one) => one.start < end && start < one.end)) continue;
    found.push({ rule: 'high-entropy', message: 'a string too random to be words', line, start, end });
  }
  return found.toSorted((a, b) => a.start - b.start);
}

function randomStrings(text: string): readonly { readonly start: number; readonly end: number }[] {
  const out: { start: number; end: number }[] = [];
  for (const match of text.matchAll(/(?<=["'=:/\s]|^)[A-Za-z0-9+/_-]{24,}={0,2}(?=["'\s,;)\]}&@]|$)/gm)) {
    if (isRandom(match[0])) out.push({ start: match.index, end: match.index + match[0].length });
  }
  return out;
}

/** Hexadecimal keys and hashes, and mixes of cases and digits without words in them. */
function isRandom(text: string): boolean {
  if (/^[0-9a-f]{32,}$/i.test(text)) return entropy(text.toLowerCase()) > 3;
  const mixed = /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text);
  return mixed && !/[a-z]{7}|[A-Z]{7}|__|\/.*\//.test(text) && entropy(text) > 4;
}

/** Shannon's, in bits a character. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** The text with each finding's characters starred out; line breaks stay. */
export function maskSecrets(text: string, findings: readonly SecretFinding[]): string {
  let result = text;
  for (const { start, end } of findings.toSorted((a, b) => b.start - a.start))
    result = result.slice(0, start) + result.slice(start, end).replaceAll(/[^\n]/g, '*') + result.slice(end);
  return result;
}
