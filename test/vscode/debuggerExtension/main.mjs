// Stands where the Python Debugger stands: the same identity and type of launch. What is launched really runs; nothing stops at breakpoints.
import { spawn } from 'node:child_process';
import * as vscode from 'vscode';

/** @typedef {{ python: string, module: string, args: string[], cwd: string }} Launch */

/** @type {{ status: number | null, output: string } | null} */
let last = null;

/** @param {vscode.ExtensionContext} context */
export function activate(context) {
  /** @type {vscode.DebugAdapterDescriptorFactory} */
  const factory = {
    createDebugAdapterDescriptor: () => new vscode.DebugAdapterInlineImplementation(new Adapter()),
  };
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory('debugpy', factory),
    vscode.commands.registerCommand('gistifyTest.lastDebugged', () => last),
  );
}

/** @implements {vscode.DebugAdapter} */
class Adapter extends vscode.Disposable {
  /** @type {vscode.EventEmitter<vscode.DebugProtocolMessage>} */
  #sent = new vscode.EventEmitter();
  #sequence = 0;
  onDidSendMessage = this.#sent.event;

  constructor() {
    super(() => {
      this.#sent.dispose();
    });
  }

  /** @param {Record<string, unknown>} message */
  #send(message) {
    this.#sequence += 1;
    this.#sent.fire({ seq: this.#sequence, ...message });
  }

  /** @param {vscode.DebugProtocolMessage} message */
  handleMessage(message) {
    const { seq, command, ...request } = /** @type {{ seq: number, command: string, arguments: Launch }} */ (
      /** @type {unknown} */ (message)
    );
    this.#send({ type: 'response', request_seq: seq, command, success: true, body: {} });
    if (command === 'initialize') this.#send({ type: 'event', event: 'initialized' });
    if (command !== 'launch') return;
    const { python, module, args, cwd } = request.arguments;
    const child = spawn(python, ['-m', module, ...args], { cwd });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => (output += text));
    child.on('close', (status) => {
      last = { status, output };
      this.#send({ type: 'event', event: 'terminated' });
    });
  }
}
