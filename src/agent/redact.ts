// Text of tools, replies and faults flows in, the same text without keys flows out: nothing that looks like a secret
// reaches a model or a trajectory.

/** What keys of well-known services look like. */
const patterns: readonly RegExp[] = [
  /\bsk-[A-Za-z0-9_-]{16,}/g,
  /\b(?:ghp|gho|ghs|ghu|ghr)_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bAKIA[A-Z0-9]{16}\b/g,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\bhf_[A-Za-z0-9]{20,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g,
];

const names = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|AUTH)/i;

/** Values of an environment that may be secrets. Short ones are words that may stand anywhere. */
export function secretsOf(env: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(env)
    .filter(([name, value]) => names.test(name) && value.length >= 8 && !/^[\w./:-]*\/[\w./:-]*$/.test(value))
    .map(([, value]) => value);
}

export type Redact = (text: string) => string;

/** A function that puts `[secret]` in the place of each known or likely secret. */
export function createRedact(secrets: readonly string[]): Redact {
  const known = [...new Set(secrets)].toSorted((a, b) => b.length - a.length);
  return (text) => {
    let out = text;
    for (const secret of known) out = out.replaceAll(secret, '[secret]');
    for (const pattern of patterns) out = out.replaceAll(pattern, '[secret]');
    return out;
  };
}

/** The same for every text within plain data. */
export function redactAll<T>(value: T, redact: Redact): T {
  if (typeof value === 'string') return redact(value) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => redactAll(item, redact)) as T;
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, redactAll(item, redact)]),
    ) as T;
  return value;
}
