// What the command line said when it stopped flows in; where the user alone can decide how to go on, the question is asked
// and the arguments of a further run flow out.
import * as vscode from 'vscode';

const t = vscode.l10n.t;

/** Null where there is nothing to ask, or the user does not want it. */
export async function askForMore(said: readonly string[]): Promise<readonly string[] | null> {
  const start = said.findIndex((line) => line.startsWith('gistify: '));
  const [, message = '', code = ''] = /^gistify: (.*) \[([a-z-]+)\]$/.exec(said[start] ?? '') ?? [];
  const rest = said.slice(start + 1);
  if (code === 'which-configuration') {
    const names = rest.filter((line) => line.startsWith('  | ')).map((line) => line.slice(4));
    const placeHolder = t('Which dev container shall the test run in?');
    const picked = await vscode.window.showQuickPick(names, { placeHolder });
    return picked === undefined ? null : ['--sandbox', `devcontainer:${picked}`];
  }
  if (code === 'not-allowed') {
    const run = t('Run It');
    const options = { modal: true, detail: t('Run it only where you trust this codebase.') };
    const answer = await vscode.window.showWarningMessage(`${message}.`, options, run);
    return answer === run ? ['--allow', 'initialize-command'] : null;
  }
  // The command line offers this for containers only.
  if (rest.some((line) => line.includes('--allow install'))) {
    const add = t('Add in a Throw-Away Layer');
    const answer = await vscode.window.showErrorMessage(`Gistify: ${message}.`, add);
    return answer === add ? ['--allow', 'install'] : null;
  }
  return null;
}
