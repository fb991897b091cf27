// Output of a tool flows in, what a model is shown of it flows out: its head and its tail, and in between how much was
// left out, so that one command cannot fill the context.
const shownCharacters = 16_000;

export interface CutText {
  readonly text: string;
  /** Characters left out. */
  readonly cut: number;
}

/** Cuts at whole lines where it can. */
export function cutText(text: string, limit: number = shownCharacters): CutText {
  if (text.length <= limit) return { text, cut: 0 };
  const half = Math.floor(limit / 2);
  const head = text.slice(0, half);
  const tail = text.slice(-half);
  const headEnd = head.lastIndexOf('\n') > half / 2 ? head.lastIndexOf('\n') + 1 : half;
  const tailStart = tail.includes('\n') && tail.indexOf('\n') < half / 2 ? tail.indexOf('\n') + 1 : 0;
  const cut = text.length - headEnd - (tail.length - tailStart);
  const words = `\n[… ${cut} characters left out: look at less at a time …]\n`;
  return { text: head.slice(0, headEnd) + words + tail.slice(tailStart), cut };
}
