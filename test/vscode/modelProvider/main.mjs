// Stands where a language model of VS Code stands: registered through the same interface as Copilot's, with replies from a
// script that a test hands over. What it was asked is handed back.
import * as vscode from 'vscode';

/** @typedef {{ text?: string, calls?: { name: string, input: object }[], error?: string, hangs?: boolean }} Turn */

/**
 * Parts of VS Code's interface that are newer than the types the extension is checked with.
 * @typedef {{ role: number, content: unknown }} Message
 * @typedef {{ report(part: unknown): void }} Progress
 * @typedef {{ registerLanguageModelChatProvider?: (vendor: string, provider: object) => vscode.Disposable }} Models
 */

/** @param {vscode.ExtensionContext} context */
export function activate(context) {
  /** @type {Turn[]} */
  let script = [];
  /** @type {unknown[]} */
  let asked = [];
  let dropped = 0;
  const models = /** @type {Models} */ (vscode.lm);
  const provider = {
    provideLanguageModelChatInformation: () => [
      {
        ...{ id: 'scripted-1', name: 'Scripted', family: 'scripted', version: '1' },
        ...{ maxInputTokens: 100_000, maxOutputTokens: 10_000, capabilities: { toolCalling: true } },
      },
    ],
    async provideLanguageModelChatResponse(
      /** @type {unknown} */ _model,
      /** @type {Message[]} */ messages,
      /** @type {{ tools?: { name: string }[] }} */ options,
      /** @type {Progress} */ progress,
      /** @type {vscode.CancellationToken} */ token,
    ) {
      asked.push({
        roles: messages.map(({ role }) => role),
        last: JSON.stringify(messages.at(-1)?.content),
        tools: (options.tools ?? []).map(({ name }) => name),
      });
      const turn = script[Math.min(asked.length, script.length) - 1] ?? { text: 'nothing to say' };
      if (turn.error === 'blocked') throw vscode.LanguageModelError.Blocked('the filter said no');
      if (turn.error === 'permission') throw vscode.LanguageModelError.NoPermissions('not agreed');
      if (turn.error !== undefined) throw new Error(turn.error);
      for (const half of halves(turn.text ?? '')) progress.report(new vscode.LanguageModelTextPart(half));
      for (const [index, { name, input }] of (turn.calls ?? []).entries())
        progress.report(new vscode.LanguageModelToolCallPart(`call-${asked.length}-${index}`, name, input));
      if (turn.hangs === true)
        await new Promise((resolve) => {
          token.onCancellationRequested(() => {
            dropped += 1;
            resolve(undefined);
          });
        });
    },
    provideTokenCount: (/** @type {unknown} */ _model, /** @type {unknown} */ text) =>
      Promise.resolve(Math.ceil((typeof text === 'string' ? text : JSON.stringify(text)).length / 4)),
  };
  if (models.registerLanguageModelChatProvider !== undefined)
    context.subscriptions.push(models.registerLanguageModelChatProvider('gistify-test', provider));
  context.subscriptions.push(
    vscode.commands.registerCommand('gistifyTest.modelScript', (/** @type {Turn[]} */ turns) => {
      script = turns;
      asked = [];
      dropped = 0;
    }),
    vscode.commands.registerCommand('gistifyTest.modelAsked', () => ({ asked, dropped })),
  );
}

/** @param {string} text */
function halves(text) {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '');
}
