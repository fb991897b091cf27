// A test flows in from a lens, a menu, a key or the palette; it is remembered and handed on to be made.
import * as vscode from 'vscode';
import { chooseTest, pickWorkspaceTest, type Choosing } from './chooseTest.js';
import { makeGist, type Making } from './makeGist.js';
import type { RunQueue } from './runQueue.js';
import type { RunTarget } from '../view/protocol.js';

const t = vscode.l10n.t;

export type Running = Choosing & Making;

/** The command `gistify.run`: of what was pointed at, else of the test at the cursor. */
export async function runCommand(given: readonly unknown[], running: Running): Promise<void> {
  await runChosen(running, async () => chooseTest(given, running));
}

/** The command `gistify.pickTest`: of a test from a list of the workspace's. */
export async function pickTestCommand(running: Running): Promise<void> {
  await runChosen(running, async () => pickWorkspaceTest(running));
}

async function runChosen(running: Running, choose: () => Promise<RunTarget | null>): Promise<void> {
  await guarded(running, async () => {
    const target = await choose();
    if (target === null) return;
    const request = { target, args: [] };
    await running.recent.add(request);
    await makeGist(request, running);
  });
}

/** The command `gistify.runAgain`: the gist that is looked at, else the last one, with the options it was made with. */
export async function runAgainCommand(given: unknown, running: Running): Promise<void> {
  const { recent, reporter, editors } = running;
  await guarded(running, async () => {
    const editor = vscode.window.activeTextEditor;
    const gist = given instanceof vscode.Uri ? given : editor?.document.uri;
    const task = gist === undefined ? undefined : editors.reportOf(gist)?.task;
    const all = recent.list();
    const known =
      task === undefined
        ? all[0]
        : (all.find(({ target }) => target.repo === task.repo && target.nodeId === task.nodeId) ?? {
            target: { repo: task.repo, nodeId: task.nodeId },
            args: [],
          });
    if (known === undefined) {
      reporter.warn(t('Gistify: nothing was gistified in this workspace yet.'));
      return;
    }
    await recent.add(known);
    await makeGist(known, running);
  });
}

/** The command `gistify.cancel`: of one run of those that wait or run. */
export async function cancelCommand(queue: RunQueue): Promise<void> {
  const jobs = [...queue.jobs.values()];
  if (jobs.length <= 1) {
    jobs[0]?.controller.abort();
    return;
  }
  const items = jobs.map(({ title, state, controller }) => ({
    label: title,
    description: state === 'running' ? t('running') : t('waits for its turn'),
    controller,
  }));
  const options = { canPickMany: true as const, placeHolder: t('Which runs shall be cancelled?') };
  for (const { controller } of (await vscode.window.showQuickPick(items, options)) ?? []) controller.abort();
}

/** Says in one message what went wrong; in a workspace that is not trusted nothing runs, and that is said. */
export async function guarded(
  { reporter }: Pick<Running, 'reporter'>,
  work: () => Promise<void>,
): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    const manage = t('Manage Workspace Trust');
    const why = t('Gistify runs the test to see what it executes, so it needs a trusted workspace.');
    if ((await vscode.window.showWarningMessage(why, manage)) === manage) {
      await vscode.commands.executeCommand('workbench.trust.manage');
    }
    return;
  }
  try {
    await work();
  } catch (error) {
    reporter.fail(`Gistify: ${error instanceof Error ? error.message : String(error)}`);
  }
}
