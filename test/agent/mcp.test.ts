// The MCP server as its users meet it: the official client starts the bundled command line and speaks with it.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gistTools } from '../../src/view/gistTools.js';
import { openLaboratory, type Laboratory } from './laboratory.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const node = 'tests/test_money.py::test_order';

let lab: Laboratory;
let client: Client;
let transport: StdioClientTransport;
let before: readonly string[];
beforeAll(async () => {
  lab = await openLaboratory();
  before = await lab.contents();
  client = new Client({ name: 'test', version: '1' });
  transport = new StdioClientTransport({
    command: process.execPath,
    args: [path.join(root, 'dist/cli.js'), 'mcp', '--repo', lab.repo, '--python', lab.python],
    cwd: lab.folder,
    stderr: 'inherit',
  });
  await client.connect(transport);
});
afterAll(async () => {
  await client.close();
  expect(await lab.contents()).toEqual(before);
  await lab.close();
});

async function call(
  name: string,
  input: Record<string, unknown>,
): Promise<{ text: string; isError: boolean }> {
  const result = await client.callTool({ name, arguments: input });
  const [content] = result.content as { type: string; text: string }[];
  return { text: content?.text ?? '', isError: result.isError === true };
}

describe('gistify mcp', () => {
  it('offers the two tools', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))).toEqual(
      gistTools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    );
  });

  it('makes a verified gist, the same as the built-in one, and tells its progress', async () => {
    const told: number[] = [];
    const result = await client.callTool({ name: 'gistify_run', arguments: { nodeId: node } }, undefined, {
      onprogress: ({ progress }) => told.push(progress),
    });
    const [content] = result.content as { text: string }[];
    expect(result.isError).toBe(false);
    expect(content?.text).toMatch(/^The gist is verified/);
    expect(content?.text).toContain((await lab.builtIn(node)).gist.text);
    expect(told.length).toBeGreaterThan(2);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
  });

  it('scores a file, good or bad', async () => {
    const { gist } = await lab.builtIn(node);
    const good = await call('gistify_score', { nodeId: node, text: gist.text, repo: lab.repo });
    expect(good).toMatchObject({ isError: false });
    expect(good.text).toMatch(/behaves exactly[\s\S]*fidelity: 1/);
    const bad = await call('gistify_score', {
      nodeId: node,
      text: 'from shop.money import Money\n\n\ndef test_order():\n    pass\n',
    });
    expect(bad).toMatchObject({ isError: false });
    expect(bad.text).toMatch(/does not behave[\s\S]*fidelity: 0[\s\S]*failure: codebase-import/);
  });

  it.each([
    ['gistify_run', {}, /^usage: the argument nodeId is missing/],
    [
      'gistify_run',
      { nodeId: node, speed: 3 },
      /^usage: there is no argument speed\nThe arguments are nodeId, repo/,
    ],
    ['gistify_run', { nodeId: 'tests/test_money.py' }, /^usage: .*is not a node id of one test/],
    [
      'gistify_run',
      { nodeId: 'tests/nowhere.py::test_x' },
      /^file-not-found: there is no file tests\/nowhere.py/,
    ],
    ['gistify_run', { nodeId: 'tests/test_money.py::test_ordr' }, /^test-not-found: [\s\S]*test_order/],
    ['gistify_run', { nodeId: node, repo: '/no/such/folder' }, /^repo-not-found/],
    ['gistify_score', { nodeId: node }, /^usage: the argument text is missing/],
    [
      'gistify_guess',
      {},
      /^usage: there is no tool "gistify_guess"\nThe tools are gistify_run and gistify_score/,
    ],
  ] as const)('%s %j is answered with what to do', async (name, input, words) => {
    const { text, isError } = await call(name, input);
    expect(isError).toBe(true);
    expect(text).toMatch(words);
  });

  it('a cancelled call ends its processes, and the server goes on', async () => {
    const controller = new AbortController();
    const running = client.callTool({ name: 'gistify_run', arguments: { nodeId: node } }, undefined, {
      signal: controller.signal,
      onprogress: ({ message }) => {
        if (message?.includes('running the original test') === true)
          setTimeout(() => controller.abort(), 200);
      },
    });
    await expect(running).rejects.toThrow();
    const deadline = Date.now() + 5000;
    while (children(transport.pid) !== '' && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 100));
    expect(children(transport.pid)).toBe('');
    expect((await client.listTools()).tools).toHaveLength(2);
  });
});

function children(pid: number | null): string {
  const rows = execFileSync('ps', ['-eo', 'ppid=,args='], { encoding: 'utf8' }).split('\n');
  return rows.filter((row) => new RegExp(`^\\s*${String(pid)}\\s`).test(row)).join('\n');
}
