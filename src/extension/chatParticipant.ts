// `@gistify` in a chat: a test that is named, or the one at the cursor, flows in; progress, the scores, the gist and a way to it
// flow out. It asks no model.
import * as vscode from 'vscode';
import type { RunTarget } from '../view/protocol.js';
import { testAt } from '../view/testLens.js';
import { runAnswer } from '../view/toolAnswer.js';
import { makeQuietly, targetOf } from './quietRun.js';
import type { Running } from './runCommand.js';

const t = vscode.l10n.t;

/** Answers one request; `stream` is what the chat shows. */
export async function answerChat(
  request: Pick<vscode.ChatRequest, 'prompt'>,
  stream: Pick<vscode.ChatResponseStream, 'markdown' | 'progress' | 'button'>,
  token: vscode.CancellationToken,
  running: Running,
): Promise<void> {
  try {
    const [target, ...others] = await targetsIn(request.prompt, token, running);
    if (target === undefined || others.length > 0) {
      const known = [target, ...others].flatMap((one) => (one === undefined ? [] : [`- \`${one.nodeId}\``]));
      const ask = t(
        'Which test? Name one as `tests/test_file.py::test_name`, or put the cursor into one in the editor.',
      );
      stream.markdown([ask, ...known].join('\n'));
      return;
    }
    const progress = (message: string): void => stream.progress(message);
    const { gist, report } = await makeQuietly(target, { token, progress }, running);
    stream.markdown(`\`${target.nodeId}\`\n\n${runAnswer(report)}\n`);
    stream.button({ command: 'vscode.open', title: t('Open the Gist'), arguments: [gist] });
  } catch (error) {
    if (error instanceof vscode.CancellationError) return;
    stream.markdown(error instanceof Error ? error.message : String(error));
  }
}

const nodeIdPattern = /[^\s`'"]+\.py(?:::[^\s`'"]+)+/;
const namePattern = /\btest_\w+/i;

/** The tests that may be meant: by node id, by name alone, else the one at the cursor. */
async function targetsIn(
  prompt: string,
  token: vscode.CancellationToken,
  { server }: Running,
): Promise<readonly RunTarget[]> {
  const named = nodeIdPattern.exec(prompt)?.[0];
  if (named !== undefined) return [await targetOf(named, undefined)];
  const name = namePattern.exec(prompt)?.[0];
  if (name !== undefined)
    return (await server.workspaceTests(token)).flatMap(({ repo, items }) =>
      items.flatMap(({ nodeId }) => (nodeId.split('::').at(-1) === name ? [{ repo, nodeId }] : [])),
    );
  const editor = vscode.window.activeTextEditor;
  const tests = editor === undefined ? null : await server.tests(editor.document.uri);
  const here = tests === null ? null : testAt(tests.items, (editor?.selection.active.line ?? 0) + 1);
  return tests === null || here === null ? [] : [{ repo: tests.repo, nodeId: here.nodeId }];
}
