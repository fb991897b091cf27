// A model's name and its tokens flow in, US dollars flow out. Prices change and names are free: a price that is not known is
// null and never guessed, and the user's own price wins.
import type { TokenUsage } from '../model/trajectory.js';

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Input that is read from a cache. */
  readonly cachedInput: number;
}

/** List prices as published in autumn 2025, by the start of a model's name; the longest start counts. */
const listPrices: Readonly<Record<string, Price>> = {
  'anthropic/claude-opus-4': { input: 15, output: 75, cachedInput: 1.5 },
  'anthropic/claude-sonnet-4': { input: 3, output: 15, cachedInput: 0.3 },
  'anthropic/claude-haiku-4': { input: 1, output: 5, cachedInput: 0.1 },
  'openai/gpt-5-nano': { input: 0.05, output: 0.4, cachedInput: 0.005 },
  'openai/gpt-5-mini': { input: 0.25, output: 2, cachedInput: 0.025 },
  'openai/gpt-5': { input: 1.25, output: 10, cachedInput: 0.125 },
  'openai/gpt-4.1-mini': { input: 0.4, output: 1.6, cachedInput: 0.1 },
  'openai/gpt-4.1': { input: 2, output: 8, cachedInput: 0.5 },
  'openai/gpt-4o-mini': { input: 0.15, output: 0.6, cachedInput: 0.075 },
  'openai/gpt-4o': { input: 2.5, output: 10, cachedInput: 1.25 },
};

/** The list price of a model; null where it is not known. */
export function listPrice(name: string): Price | null {
  const starts = Object.keys(listPrices).filter((start) => belongs(name, start));
  const longest = starts.toSorted((a, b) => b.length - a.length)[0];
  return longest === undefined ? null : (listPrices[longest] ?? null);
}

/** `gpt-5-2025-08-07` is of `gpt-5`; `gpt-5-mini` and `gpt-5.1` are other models. */
function belongs(name: string, start: string): boolean {
  return name.startsWith(start) && /^(?:-\d.*|-latest)?$/.test(name.slice(start.length));
}

/** Cost of one request; null where the price is not known. */
export function costOf(usage: TokenUsage, price: Price | null): number | null {
  if (price === null) return null;
  const cached = Math.min(usage.cachedInput, usage.input);
  const fresh = usage.input - cached;
  return (fresh * price.input + cached * price.cachedInput + usage.output * price.output) / 1_000_000;
}
