// VS Code in a browser, without a machine behind it: each command says plainly what is missing.
import * as vscode from 'vscode';

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

export function activate(context: vscode.ExtensionContext): void {
  const { contributes } = context.extension.packageJSON as Manifest;
  const say = (): void => {
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        'Gistify runs Python, which VS Code in a browser cannot. Open the folder on a machine: on the desktop, over SSH, in a container, or in a codespace.',
      ),
    );
  };
  for (const { command } of contributes.commands)
    context.subscriptions.push(vscode.commands.registerCommand(command, say));
}
