// Language models in the editor: an agent over vscode.lm with a registered provider, keys, Gistify as a tool of agent mode,
// the chat participant and the MCP server.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { answerChat } from '../../src/extension/chatParticipant.js';
import type { AgentChoice } from '../../src/extension/gistifyWith.js';
import { mcpServers, registerForAgents } from '../../src/extension/languageModelTools.js';
import { gistTools } from '../../src/view/gistTools.js';
import { startModelServer } from '../agent/modelServer.js';
import { type Harness, until } from './harness.js';

const test = 'test_order';
const file = 'tests/test_money.py';
const nodeId = `${file}::${test}`;

interface Asked {
  readonly asked: readonly {
    readonly roles: readonly number[];
    readonly last: string;
    readonly tools: readonly string[];
  }[];
  /** Requests that were cancelled. */
  readonly dropped: number;
}

/** Registers the suite with mocha. */
export function defineAgentTests({ api, workspace, open, gistOf, skip, note }: Harness): void {
  const plain: AgentChoice = {
    ...{ agent: 'copilot', repair: false, model: null, label: 'x', baseUrl: null, execution: false },
    globalTools: [],
  };
  /** The model that test/vscode/modelProvider registers. */
  const withModel = async (context: Mocha.Context, agent = 'copilot'): Promise<AgentChoice> => {
    if (!('registerLanguageModelChatProvider' in vscode.lm))
      return skip(context, `VS Code ${vscode.version} lets no extension register a language model`);
    const model = await until('the scripted model is there', async () => {
      const [found] = await vscode.lm.selectChatModels({ vendor: 'gistify-test' });
      return found;
    });
    return { ...plain, agent, model: `vscode/${model.id}`, label: model.name };
  };
  const script = (turns: readonly object[]) =>
    vscode.commands.executeCommand('gistifyTest.modelScript', turns);
  const asked = () => vscode.commands.executeCommand<Asked>('gistifyTest.modelAsked');
  const runWith = async (given: AgentChoice): Promise<void> => {
    await vscode.commands.executeCommand('gistify.runWith', { repo: workspace.fsPath, nodeId }, given);
  };
  const activeReport = () => {
    const editor = vscode.window.activeTextEditor;
    return editor === undefined ? null : api.editors.reportOf(editor.document.uri);
  };
  const token = new vscode.CancellationTokenSource().token;

  describe('Gistify with language models', () => {
    it('lets a model of VS Code make a gist with tools, step by step on screen', async function () {
      const choice = await withModel(this);
      const built = await gistOf(file, test);
      const gist = built.report.gist.text;
      await script([
        { text: 'I look at the test.', calls: [{ name: 'read_file', input: { filePath: file } }] },
        { calls: [{ name: 'create_file', input: { filePath: 'concise.py', content: gist } }] },
        { text: 'The file is complete.' },
      ]);
      await runWith(choice);
      const report = activeReport();
      assert.ok(
        report?.agent,
        `an agent's report; messages: ${api.shown.join(' | ')}; steps: ${api.steps.text()}`,
      );
      assert.equal(report.verified, true);
      assert.equal(report.gist.text, gist);
      assert.equal(report.agent.end, 'submitted');
      assert.equal(report.agent.steps, 3);
      assert.ok(report.agent.spent.input > 100, 'tokens are counted');
      const requests = (await asked()).asked;
      assert.equal(requests.length, 3);
      // There are the user and the assistant, and no system role.
      assert.deepEqual([...new Set(requests.flatMap(({ roles }) => roles))].sort(), [1, 2]);
      assert.ok(requests[0]?.tools.includes('create_file'));
      assert.ok(
        requests[1]?.last.includes('def test_order'),
        'the output of the tool is in the next request',
      );
      for (const words of ['I look at the test.', '▸ create_file (ok', '── step 3', '══ submitted'])
        assert.ok(api.steps.text().includes(words), `${words} in: ${api.steps.text()}`);
      const stored = (await api.store.list()).find(({ request }) => request.target.nodeId === nodeId);
      assert.ok((stored?.earlier.length ?? 0) > 0, 'the built-in gist is kept as an earlier one');
    });

    it('Gistify Again asks the same agent and model', async function () {
      await withModel(this);
      await script([{ text: 'I would rather not.' }]);
      await open(file, `def ${test}`);
      await vscode.commands.executeCommand('gistify.runAgain');
      assert.ok((await asked()).asked.length > 0, 'the model was asked');
    });

    it('says what a model that fails comes to', async function () {
      const choice = await withModel(this, 'mini');
      for (const [error, kind] of [
        ['blocked', 'blocked'],
        ['permission', 'permission'],
        ['quota exceeded for today', 'quota'],
      ] as const) {
        const messages = api.shown.length;
        await script([{ error }]);
        await runWith(choice);
        assert.match(api.shown.slice(messages).join(' | '), /^Gistify: the agent left no file/);
        assert.match(api.steps.text().slice(-400), new RegExp(`══ model-fault \\(${kind}: `));
      }
    });

    it('Cancel ends the run and takes the request back', async function () {
      const choice = await withModel(this, 'mini');
      await script([{ hangs: true }]);
      const run = runWith(choice);
      await until('the model is asked', async () => ((await asked()).asked.length > 0 ? true : undefined));
      const begun = Date.now();
      for (const { controller } of api.queue.jobs.values()) controller.abort();
      await run;
      await until('the request is dropped', async () => ((await asked()).dropped === 1 ? true : undefined));
      assert.equal(api.queue.jobs.size, 0);
      note(this, `cancelled after ${Date.now() - begun} ms`);
    });

    it('keys come from the secret storage and stand in no report and no step', async () => {
      const key = 'sk-test-0123456789abcdefghijklmnop';
      const server = await startModelServer([{ text: `the key is ${key}, I give up` }]);
      await api.secrets.store('OPENAI_COMPATIBLE_API_KEY', key);
      try {
        await runWith({ ...plain, agent: 'static', model: 'openai-compatible/any', baseUrl: server.url });
        assert.equal(server.requests[0]?.headers.authorization, `Bearer ${key}`);
        const said = JSON.stringify([activeReport()?.agent, api.shown]);
        assert.equal(said.includes(key), false, said);
        assert.equal(process.env['OPENAI_COMPATIBLE_API_KEY'], undefined);
      } finally {
        await api.secrets.delete('OPENAI_COMPATIBLE_API_KEY');
        await server.close();
      }
    });
  });

  describe('Gistify for agents', () => {
    it('is a tool that makes a gist, and one that scores a file', async function () {
      if (!('invokeTool' in vscode.lm)) skip(this, `VS Code ${vscode.version} has no language-model tools`);
      for (const { name, description, inputSchema } of gistTools) {
        const known = vscode.lm.tools.find((tool) => tool.name === name);
        assert.deepEqual(
          { description: known?.description, inputSchema: known?.inputSchema },
          { description, inputSchema },
          'package.json says what the MCP server says',
        );
      }
      const { report } = await gistOf(file, test);
      const made = await invoke('gistify_run', { nodeId });
      assert.match(made, /^The gist is verified/);
      assert.ok(made.includes('def test_order'));
      const scored = await invoke('gistify_score', { nodeId, text: report.gist.text });
      assert.match(scored, /^The file behaves exactly[\s\S]*fidelity: 1/);
    });

    it('tells a model what is wrong with its call', async function () {
      if (!('invokeTool' in vscode.lm)) skip(this, `VS Code ${vscode.version} has no language-model tools`);
      for (const [wrong, words] of [
        ['tests/test_money.py', /no node id of one test/],
        ['tests/nowhere.py::test_x', /There is no file tests\/nowhere\.py/],
        [`${file}::test_ordr`, /does not exist now|test_ordr/],
      ] as const)
        await assert.rejects(invoke('gistify_run', { nodeId: wrong }), words);
    });

    it('answers in a chat with progress, the gist and a way to it', async () => {
      for (const prompt of [`please ${nodeId}`, `what does ${test} run?`]) {
        const said = await chat(prompt);
        assert.match(said.markdown, /The gist is verified[\s\S]*def test_order/, prompt);
        assert.ok(said.progress.length > 1);
        assert.equal(said.commands.length, 1);
        const [{ command, arguments: given = [] } = { command: '' }] = said.commands;
        await vscode.commands.executeCommand(command, ...(given as unknown[]));
        await until('the gist is open', () => (activeReport()?.task.nodeId === nodeId ? true : undefined));
      }
      await open('shop/cart.py');
      assert.match((await chat('hello')).markdown, /Which test\?/);
      assert.match((await chat('tests/nowhere.py::test_x')).markdown, /There is no file/);
    });

    it('the MCP server that VS Code is told of answers', async () => {
      const [definition, ...others] = mcpServers(api.running.cli, '0');
      assert.ok(definition !== undefined && others.length === 0);
      const { command, args } = definition;
      const env = { ...process.env, ...definition.env } as Record<string, string>;
      const transport = new StdioClientTransport({ command, args, env, stderr: 'ignore' });
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(transport);
      try {
        const { tools } = await client.listTools();
        assert.deepEqual(tools.map(({ name }) => name).sort(), ['gistify_run', 'gistify_score']);
      } finally {
        await client.close();
      }
    });

    it('goes without what an editor has no interface for, and the log says so', () => {
      const said: string[] = [];
      const log = { ...api.running.reporter.log, info: (line: string) => void said.push(line) };
      const reporter = { ...api.running.reporter, log };
      const extension = { extensionUri: workspace, packageJSON: { version: '0' } };
      assert.deepEqual(registerForAgents(extension, { ...api.running, reporter }, {}), []);
      assert.deepEqual(
        said.map((line) => /language-model tools|MCP servers|chats/.exec(line)?.[0]),
        ['language-model tools', 'MCP servers', 'chats'],
      );
    });

    async function invoke(name: string, input: object): Promise<string> {
      const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, token);
      return result.content
        .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''))
        .join('');
    }

    async function chat(
      prompt: string,
    ): Promise<{ markdown: string; progress: string[]; commands: vscode.Command[] }> {
      const said = { markdown: '', progress: [] as string[], commands: [] as vscode.Command[] };
      const stream = {
        markdown: (value: string | vscode.MarkdownString) => {
          said.markdown += typeof value === 'string' ? value : value.value;
        },
        progress: (value: string) => void said.progress.push(value),
        button: (command: vscode.Command) => void said.commands.push(command),
      };
      await answerChat({ prompt }, stream, token, api.running);
      return said;
    }
  });
}
