// Text and attributes flow in, markup flows out: nothing reaches the page unescaped but what was made here.

/** Markup that is safe to put into a page. */
export interface Html {
  readonly markup: string;
}

type Part = Html | string | number | null | readonly Html[];

/** A template whose filled-in parts are escaped unless they are markup already; null is nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const markup = strings.map((text, index) => text + markupOf(parts[index] ?? null)).join('');
  return { markup };
}

function markupOf(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'string' || typeof part === 'number') return escape(String(part));
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

function escape(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  };
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
