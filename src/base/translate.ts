// An English message and what fills its places flow in, the message in the language of the editor flows out.

/** `{0}`, `{1}` … are filled in order; VS Code's own `l10n.t` is one of these. */
export type Translate = (message: string, ...args: readonly (string | number)[]) => string;

/** A translator over a bundle; a message that the bundle lacks stays as it is. */
export function translator(messages: Readonly<Record<string, string>>): Translate {
  return (message, ...args) =>
    (messages[message] ?? message).replace(/\{(\d+)\}/g, (place, index: string) =>
      String(args[Number(index)] ?? place),
    );
}

/** English, as the messages are written. */
export const english: Translate = translator({});
