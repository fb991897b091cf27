// A tool call's arguments as a model wrote them flow in, values of the right kind flow out, or words that tell the model
// what is wrong. Models leave out, misspell and quote; nothing they write may throw.

export type Arguments = Readonly<Record<string, unknown>>;

export type Read<T> = { readonly value: T } | { readonly wrong: string };

/** A text; numbers are taken as they are written. */
export function textArgument(input: Arguments, name: string): Read<string> {
  const value = input[name];
  if (typeof value === 'string') return { value };
  if (typeof value === 'number' || typeof value === 'boolean') return { value: String(value) };
  return { wrong: `The argument ${name} is missing: it must be a text.` };
}

/** A whole number, also where it was written as a text; `fallback` where it is absent. */
export function numberArgument(input: Arguments, name: string, fallback: number): Read<number> {
  const value = input[name];
  if (value === undefined || value === null || value === '') return { value: fallback };
  const number = Number(value);
  if (Number.isInteger(number)) return { value: number };
  return { wrong: `The argument ${name} must be a whole number, not ${JSON.stringify(value)}.` };
}

/** A text that may be absent. */
export function optionalText(input: Arguments, name: string): string | null {
  const value = input[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A JSON schema of an object. */
export function objectSchema(
  properties: Readonly<Record<string, { type: string; description: string; enum?: readonly string[] }>>,
  required: readonly string[],
): Readonly<Record<string, unknown>> {
  return { type: 'object', properties, required, additionalProperties: false };
}
