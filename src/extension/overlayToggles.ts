// A command flows in, a setting of the user flows out: overlays are toggled each alone, and stay as they were left.
import * as vscode from 'vscode';
import { commands } from '../view/protocol.js';
import { settingsFor, type Settings } from './settings.js';

const t = vscode.l10n.t;

type Overlay = keyof Settings['highlight'];

const names: readonly Overlay[] = ['executed', 'unexecuted', 'added', 'provenance'];

/** One command an overlay, and one that shows them all. */
export function registerOverlayToggles(): vscode.Disposable[] {
  const set = async (name: Overlay, value: boolean): Promise<void> => {
    const settings = vscode.workspace.getConfiguration('gistify');
    await settings.update(`highlight.${name}`, value, vscode.ConfigurationTarget.Global);
  };
  const single = names.map((name) =>
    vscode.commands.registerCommand(commands.toggle[name], async () =>
      set(name, !settingsFor(undefined).highlight[name]),
    ),
  );
  return [
    ...single,
    vscode.commands.registerCommand(commands.chooseOverlays, async () => {
      const { highlight } = settingsFor(undefined);
      const words: Record<Overlay, string> = {
        executed: t('Lines that ran'),
        unexecuted: t('Lines that did not run'),
        added: t('Added lines'),
        provenance: t('Which file each line is from'),
      };
      const items = names.map((name) => ({ label: words[name], picked: highlight[name], name }));
      const placeHolder = t('Which overlays shall gists show?');
      const picked = await vscode.window.showQuickPick(items, { canPickMany: true, placeHolder });
      if (picked === undefined) return;
      for (const { name } of items) {
        const wanted = picked.some((one) => one.name === name);
        if (wanted !== highlight[name]) await set(name, wanted);
      }
    }),
  ];
}
