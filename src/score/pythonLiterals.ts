// The text of a Python literal flows in, its value in one fixed spelling flows out: literals that Python reads as the
// same value must come out equal, however they are quoted, escaped or based.

const simpleEscapes: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const escape = /\\(\n|[\\'"abfnrtv]|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})/g;

/** The value of the inside of a string literal with this prefix (`rb`, `f`, ''). `\N{…}` stays as written. */
export function decodeString(prefix: string, inside: string): string {
  if (/r/i.test(prefix) || !inside.includes('\\')) return inside;
  const bytes = /b/i.test(prefix);
  return inside.replace(escape, (whole, body: string) => {
    const simple = simpleEscapes[body];
    if (simple !== undefined) return simple;
    if (body.startsWith('u') || body.startsWith('U')) {
      return bytes ? whole : fromCode(Number.parseInt(body.slice(1), 16), whole);
    }
    return body.startsWith('x')
      ? String.fromCodePoint(Number.parseInt(body.slice(1), 16))
      : String.fromCodePoint(Number.parseInt(body, 8));
  });
}

function fromCode(code: number, otherwise: string): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : otherwise;
}

/** `0x10` and `1_6` are both `16`; `1e3` is not the integer 1000. */
export function canonicalNumber(text: string): string {
  const plain = text.replaceAll('_', '').toLowerCase();
  if (plain.endsWith('j')) return `${String(Number(plain.slice(0, -1)))}j`;
  if (/^(0x[0-9a-f]+|0o[0-7]+|0b[01]+|[0-9]+)$/.test(plain)) return BigInt(plain).toString();
  const value = Number(plain);
  return Number.isNaN(value) ? text : `${String(value)}f`;
}
