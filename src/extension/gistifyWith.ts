// `Gistify with…`: a test, an agent, a model and its options are picked, remembered for the next time, and made like any gist;
// the gist that was there stays beside as an earlier one, to be compared.
import * as vscode from 'vscode';
import type { GlobalTool } from '../model/agentOptions.js';
import { chooseTest } from './chooseTest.js';
import { modelsOfHost } from './languageModelBridge.js';
import { makeGist } from './makeGist.js';
import { guarded, type Running } from './runCommand.js';

const t = vscode.l10n.t;

export interface AgentChoice {
  /** As on the command line: `copilot`, `mini`, …, `command:PROGRAM`. */
  readonly agent: string;
  /** Mends the built-in gist where that does not verify. */
  readonly repair: boolean;
  /** As on the command line: `vscode/ID`, `anthropic/NAME`, …; null for a command, which brings its own. */
  readonly model: string | null;
  /** How the model is called on screen. */
  readonly label: string;
  readonly baseUrl: string | null;
  readonly execution: boolean;
  readonly globalTools: readonly GlobalTool[];
}

const remembered = 'gistify.agentChoice';

/** The command `gistify.runWith`. A choice may be handed over, as tests and other extensions do. */
export async function runWithCommand(
  given: readonly unknown[],
  running: Running,
  memento: vscode.Memento,
): Promise<void> {
  await guarded(running, async () => {
    const target = await chooseTest(given, running);
    if (target === null) return;
    const choice = given.find(isChoice) ?? (await pickChoice(memento.get<AgentChoice>(remembered)));
    if (choice === null) return;
    await memento.update(remembered, choice);
    const request = { target, args: choiceArguments(choice) };
    await running.recent.add(request);
    await makeGist(request, running);
  });
}

function isChoice(given: unknown): given is AgentChoice {
  return typeof given === 'object' && given !== null && 'agent' in given && 'model' in given;
}

/** For the command line. */
function choiceArguments(choice: AgentChoice): readonly string[] {
  const { agent, repair, model, baseUrl, execution, globalTools } = choice;
  return [
    ...['--agent', agent, ...(model === null ? [] : ['--model', model])],
    ...(repair ? ['--repair'] : []),
    ...(baseUrl === null ? [] : ['--base-url', baseUrl]),
    ...(execution ? ['--execution', 'on'] : []),
    ...(globalTools.length === 0 ? [] : ['--global-tools', globalTools.join(',')]),
  ];
}

async function pickChoice(last: AgentChoice | undefined): Promise<AgentChoice | null> {
  if (last !== undefined) {
    const same = t('As last time: {0}', [last.repair ? t('repair') : last.agent, last.label].join(', '));
    const placeHolder = t('Which agent?');
    const picked = await vscode.window.showQuickPick([same, t('Choose anew…')], { placeHolder });
    if (picked === undefined) return null;
    if (picked === same) return last;
  }
  const agent = await pickAgent();
  if (agent === null) return null;
  const plain = { ...agent, baseUrl: null, execution: false, globalTools: [] };
  if (agent.agent.startsWith('command:')) return { ...plain, model: null, label: t('its own model') };
  const model = await pickModel();
  if (model === null) return null;
  // One request that holds every file: there is nothing to help with.
  if (agent.agent === 'static') return { ...plain, ...model };
  const options = await pickOptions();
  if (options === null) return null;
  const globalTools = options.filter((one) => one === 'graph' || one === 'trace');
  return { ...agent, ...model, execution: options.includes('execution'), globalTools };
}

async function pickAgent(): Promise<Pick<AgentChoice, 'agent' | 'repair'> | null> {
  const agent = (name: string, description: string) => ({
    label: name,
    description,
    agent: name,
    repair: false,
  });
  const items = [
    agent('copilot', t('tools in the manner of agent mode')),
    agent('mini', t('a shell alone')),
    agent('swe-agent', t('a windowed viewer, search, an editor')),
    agent('static', t('one request with every file in it')),
    {
      ...agent('copilot', t('mends the built-in gist where that does not verify')),
      ...{ label: t('repair'), repair: true },
    },
    { ...agent('command:', t('any program that writes the gist')), label: t('a command…') },
  ];
  const options = { placeHolder: t('Which agent?'), matchOnDescription: true };
  const picked = await vscode.window.showQuickPick(items, options);
  if (picked?.agent !== 'command:') return picked ?? null;
  const command = await vscode.window.showInputBox({
    prompt: t('The command gets the task on standard input and leaves the gist as concise.py'),
    placeHolder: 'claude -p --dangerously-skip-permissions',
    ignoreFocusOut: true,
  });
  if (command === undefined || command.trim() === '') return null;
  return { agent: `command:${command}`, repair: false };
}

interface ModelItem extends vscode.QuickPickItem {
  readonly model?: string;
  /** There is more to ask: a name like this one. */
  readonly example?: string;
  /** And the address of the server. */
  readonly url?: string;
}

async function pickModel(): Promise<Pick<AgentChoice, 'model' | 'label' | 'baseUrl'> | null> {
  const own = await modelsOfHost().catch(() => []);
  const separator = (label: string): ModelItem => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const items: readonly ModelItem[] = [
    separator(own.length > 0 ? 'VS Code' : t('VS Code offers no language model here')),
    ...own.map(({ id, name, vendor }) => ({ label: name, description: vendor, model: `vscode/${id}` })),
    separator(t('by provider')),
    { label: 'Anthropic…', model: 'anthropic/', example: 'claude-sonnet-4-5' },
    { label: 'OpenAI…', model: 'openai/', example: 'gpt-5-mini' },
    { label: 'Ollama…', model: 'ollama/', example: 'qwen3-coder' },
    {
      label: t('Another OpenAI-compatible server…'),
      ...{ model: 'openai-compatible/', example: '', url: 'http://127.0.0.1:8000/v1' },
    },
  ];
  const options = { placeHolder: t('Which model?'), matchOnDescription: true };
  const picked = await vscode.window.showQuickPick(items, options);
  if (picked?.model === undefined) return null;
  const { model, label, example: placeHolder, url: value } = picked;
  if (placeHolder === undefined) return { model, label, baseUrl: null };
  const ask = async (input: vscode.InputBoxOptions): Promise<string | null> =>
    (await vscode.window.showInputBox({ ...input, ignoreFocusOut: true }))?.trim() || null;
  const baseUrl = value === undefined ? null : await ask({ prompt: t('Address of the server'), value });
  if (value !== undefined && baseUrl === null) return null;
  const name = await ask({ prompt: t('Name of the model'), placeHolder });
  return name === null ? null : { model: `${model}${name}`, label: `${model}${name}`, baseUrl };
}

async function pickOptions(): Promise<readonly string[] | null> {
  const items = [
    { label: t('it may run code'), option: 'execution' },
    { label: t('it may search the code graph'), option: 'graph' },
    { label: t('it may see what really ran'), option: 'trace' },
  ];
  const placeHolder = t('Which help does it get? None is as in the paper.');
  const picked = await vscode.window.showQuickPick(items, { canPickMany: true as const, placeHolder });
  return picked?.map(({ option }) => option) ?? null;
}
