// Clicks in the report flow in, requests to open a place of the codebase flow out to the editor. The page works without it but for that.

interface Element {
  readonly dataset: Readonly<Record<string, string | undefined>>;
}

interface Click {
  readonly target: { closest(selector: string): Element | null };
  preventDefault(): void;
}

declare const document: {
  addEventListener(type: 'click', listener: (event: Click) => void): void;
};
declare const acquireVsCodeApi: () => { postMessage(message: unknown): void };

const editor = acquireVsCodeApi();

document.addEventListener('click', (event) => {
  const { file, line } = event.target.closest('a[data-file]')?.dataset ?? {};
  if (file === undefined || file === '') return;
  event.preventDefault();
  editor.postMessage({ file, line: Number(line) });
});
