// Stands where the Python extension stands: the same identity and the part of its API that Gistify asks.
// A test may make it hang, as a slow discovery of environments does.
import process from 'node:process';
import * as vscode from 'vscode';

/** @param {vscode.ExtensionContext} context */
export function activate(context) {
  let hangs = false;
  const hang = (/** @type {boolean} */ value) => {
    hangs = value;
  };
  context.subscriptions.push(vscode.commands.registerCommand('gistifyTest.pythonExtensionHangs', hang));
  const path = process.env['GISTIFY_TEST_PYTHON'] ?? '';
  const environment = { id: path, path, executable: { uri: vscode.Uri.file(path) } };
  return {
    environments: {
      // Before its discovery has ended the Python extension knows no more than the command's name.
      getActiveEnvironmentPath: () => (hangs ? { id: 'python', path: 'python' } : { id: path, path }),
      resolveEnvironment: () => (hangs ? new Promise(() => undefined) : Promise.resolve(environment)),
    },
  };
}
