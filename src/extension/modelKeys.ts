// API keys of model providers live in VS Code's secret storage and nowhere else: not in settings, not in logs, not in an
// environment that other programs could read.
import * as vscode from 'vscode';
import type { Reporter } from './log.js';

const t = vscode.l10n.t;

/** Providers with the environment variable that their key is known by. */
const keyProviders: Readonly<Record<string, string>> = {
  Anthropic: 'ANTHROPIC_API_KEY',
  OpenAI: 'OPENAI_API_KEY',
  'OpenAI-compatible server': 'OPENAI_COMPATIBLE_API_KEY',
};

/** Every key that is kept, by environment variable. */
export async function storedKeys(secrets: vscode.SecretStorage): Promise<Readonly<Record<string, string>>> {
  const entries = await Promise.all(
    Object.values(keyProviders).map(async (name) => [name, (await secrets.get(name)) ?? ''] as const),
  );
  return Object.fromEntries(entries.filter(([, key]) => key !== ''));
}

/** The command `gistify.setModelKey`. An empty key takes the old one away. */
export async function setModelKeyCommand(secrets: vscode.SecretStorage, { log }: Reporter): Promise<void> {
  const placeHolder = t('The key of which provider?');
  const provider = await vscode.window.showQuickPick(Object.keys(keyProviders), { placeHolder });
  const name = provider === undefined ? undefined : keyProviders[provider];
  if (provider === undefined || name === undefined) return;
  const key = await vscode.window.showInputBox({
    ...{ password: true, ignoreFocusOut: true, title: t('Key of {0}', provider) },
    prompt: t('It is kept in the secret storage of VS Code. Leave it empty to remove it.'),
  });
  if (key === undefined) return;
  const isEmpty = key.trim() === '';
  await (isEmpty ? secrets.delete(name) : secrets.store(name, key.trim()));
  log.info(`The key of ${provider} was ${isEmpty ? 'removed' : 'set'}.`);
}
