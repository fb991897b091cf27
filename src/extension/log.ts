// Everything worth keeping flows into one log channel; a fault also becomes one message with a way to that log.
import * as vscode from 'vscode';

export interface Reporter {
  readonly log: vscode.LogOutputChannel;
  /** One message, and the log a click away. */
  fail(message: string): void;
  warn(message: string): void;
  /** What was shown, oldest first. */
  readonly shown: readonly string[];
}

/** The channel `Gistify` and the messages that lead to it. */
export function createReporter(): Reporter {
  const log = vscode.window.createOutputChannel('Gistify', { log: true });
  const shown: string[] = [];
  const showLog = vscode.l10n.t('Show Log');
  const present = async (message: string, answer: Thenable<string | undefined>): Promise<void> => {
    shown.push(message);
    if ((await answer) === showLog) log.show();
  };
  return {
    log,
    shown,
    fail(message) {
      log.error(message);
      void present(message, vscode.window.showErrorMessage(message, showLog));
    },
    warn(message) {
      log.warn(message);
      void present(message, vscode.window.showWarningMessage(message, showLog));
    },
  };
}
