// Text flows in, a Python string literal with the same value flows out.

/** A single-quoted literal; printable characters stay as they are, lone surrogates cannot occur in decoded files. */
export function pythonString(text: string): string {
  let body = '';
  for (const char of text) {
    if (char === '\\' || char === "'") body += `\\${char}`;
    else if (char === '\n') body += '\\n';
    else if (char === '\r') body += '\\r';
    else if (char === '\t') body += '\\t';
    else if (/\p{C}|\p{Zl}|\p{Zp}/u.test(char)) {
      const code = char.codePointAt(0) ?? 0;
      body +=
        code > 0xffff
          ? `\\U${code.toString(16).padStart(8, '0')}`
          : `\\u${code.toString(16).padStart(4, '0')}`;
    } else body += char;
  }
  return `'${body}'`;
}

/** A bytes literal. */
export function pythonBytes(bytes: Uint8Array): string {
  let body = '';
  for (const byte of bytes) {
    if (byte === 0x5c || byte === 0x27) body += `\\${String.fromCharCode(byte)}`;
    else if (byte >= 0x20 && byte < 0x7f) body += String.fromCharCode(byte);
    else body += `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return `b'${body}'`;
}

/** A literal of a JSON-like value: text, number, truth value, null or a list of these. */
export function pythonValue(value: unknown): string {
  if (typeof value === 'string') return pythonString(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`;
  return typeof value === 'number' ? String(value) : 'None';
}
