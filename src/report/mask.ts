// Text that is about to leave flows in, the same text without paths, user and host names of this machine flows out,
// with what was changed. Longer places go first, so that a codebase inside a home folder keeps its own name.

export interface Place {
  readonly what: 'codebase' | 'home folder' | 'user name' | 'host name' | 'Python' | 'working folder';
  readonly value: string;
}

export interface Masked {
  readonly text: string;
  /** What was masked, each once, and how often; never the value itself. */
  readonly changes: readonly { readonly what: Place['what']; readonly count: number }[];
}

const standsFor: Readonly<Record<Place['what'], string>> = {
  codebase: '/repo',
  'home folder': '/home/user',
  'user name': 'user',
  'host name': 'host',
  Python: '/python',
  'working folder': '/repro',
};

/** Names that many machines have, and that code uses as words. */
const common =
  /^(?:root|user|users|admin|test|tests|runner|ubuntu|debian|vagrant|vscode|node|python|build|guest|localhost|host|home|dev|ci|app)$/i;

/** Masks every place in a text. */
export function mask(text: string, places: readonly Place[]): Masked {
  const counts = new Map<Place['what'], number>();
  let result = text;
  const ordered = places
    .filter(({ what, value }) => usable(what, value))
    .toSorted((a, b) => b.value.length - a.value.length);
  for (const { what, value } of ordered) {
    const word = what === 'user name' || what === 'host name';
    const escaped = value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const pattern = new RegExp(word ? `(?<![\\w-])${escaped}(?![\\w-])` : `${escaped}(?![\\w-])`, 'g');
    result = result.replace(pattern, () => {
      counts.set(what, (counts.get(what) ?? 0) + 1);
      return standsFor[what];
    });
  }
  return { text: result, changes: [...counts].map(([what, count]) => ({ what, count })) };
}

function usable(what: Place['what'], value: string): boolean {
  if (what === 'user name' || what === 'host name') return value.length >= 3 && !common.test(value);
  return value.length >= 3 && value !== '/usr' && /[\\/]/.test(value);
}
