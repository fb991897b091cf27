// The bundled language server over stdio: each folder of `samples/` is a workspace, with what an editor would show in `expected.txt`.
// A folder with a report.json holds a gist. `vitest -u` writes the expectations anew.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import type {
  CodeLens,
  Hover,
  InitializeResult,
  ProtocolConnection,
} from 'vscode-languageserver-protocol/node';
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import type { Report } from '../../src/model/report.js';
import {
  reportNotification,
  testsRequest,
  workspaceTestsRequest,
  type InitializationOptions,
  type RunTarget,
  type TestsResult,
  type WorkspaceTestsResult,
} from '../../src/view/protocol.js';

const samples = path.join(import.meta.dirname, 'samples');
const bundle = path.join(import.meta.dirname, '../../dist/server.js');

interface Client {
  readonly connection: ProtocolConnection;
  readonly child: ChildProcess;
  readonly started: InitializeResult;
  open(file: string): Promise<string>;
}

const clients: Client[] = [];

afterEach(async () => {
  for (const { connection, child } of clients.splice(0)) {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    await connection.sendRequest('shutdown');
    await connection.sendNotification('exit');
    await gone;
    connection.dispose();
  }
});

async function start(workspace: string, options: Partial<InitializationOptions> = {}): Promise<Client> {
  if (!existsSync(bundle)) throw new Error('dist/server.js is missing: run `npm run build` first');
  const child = spawn(process.execPath, [bundle, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  connection.onRequest('client/registerCapability', () => null);
  connection.onRequest('workspace/codeLens/refresh', () => null);
  connection.listen();
  const started = await connection.sendRequest<InitializeResult>('initialize', {
    processId: process.pid,
    rootUri: null,
    capabilities: { workspace: { workspaceFolders: true } },
    workspaceFolders: [{ uri: pathToFileURL(workspace).href, name: 'workspace' }],
    initializationOptions: { codeLens: true, trusted: true, messages: {}, ...options },
  });
  await connection.sendNotification('initialized', {});
  const client: Client = {
    connection,
    child,
    started,
    async open(file) {
      const uri = pathToFileURL(path.join(workspace, file)).href;
      const text = await readFile(path.join(workspace, file), 'utf8');
      await connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId: 'python', version: 1, text },
      });
      return uri;
    },
  };
  clients.push(client);
  return client;
}

async function lensesOf({ connection }: Client, uri: string): Promise<CodeLens[]> {
  const lenses = await connection.sendRequest<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
  expect(lenses.every(({ command }) => command === undefined)).toBe(true);
  return Promise.all(lenses.map(async (lens) => connection.sendRequest<CodeLens>('codeLens/resolve', lens)));
}

/** `4: title | tooltip | command [root] node id`, one line a lens. */
function formatLens(workspace: string, { range, command }: CodeLens): string {
  const [target] = (command?.arguments ?? []) as RunTarget[];
  const root =
    path
      .relative(workspace, target?.repo ?? '')
      .split(path.sep)
      .join('/') || '.';
  return `  ${range.start.line + 1}: ${command?.title ?? ''} | ${command?.tooltip ?? ''} | ${command?.command ?? ''} [${root}] ${target?.nodeId ?? ''}`;
}

async function hoversOf({ connection }: Client, uri: string, lines: number): Promise<string[]> {
  const hovers: string[] = [];
  for (let line = 0; line < lines; line += 1) {
    const position = { line, character: 0 };
    const hover = await connection.sendRequest<Hover | null>('textDocument/hover', {
      textDocument: { uri },
      position,
    });
    const contents = hover?.contents;
    const text =
      contents !== undefined && typeof contents === 'object' && 'value' in contents ? contents.value : '';
    hovers.push(`  ${line + 1}: ${text}`.trimEnd());
  }
  return hovers;
}

async function check(name: string): Promise<void> {
  const workspace = path.join(samples, name);
  const files = (await readdir(workspace, { recursive: true })).filter((file) => file.endsWith('.py')).sort();
  const client = await start(workspace);
  const seen: string[] = [];
  for (const file of files) {
    const uri = await client.open(file);
    if (existsSync(path.join(workspace, 'report.json'))) {
      const report = JSON.parse(await readFile(path.join(workspace, 'report.json'), 'utf8')) as Report;
      await client.connection.sendNotification(reportNotification, { uri, report });
      const text = await readFile(path.join(workspace, file), 'utf8');
      seen.push(`${file} hovers`, ...(await hoversOf(client, uri, text.split('\n').length - 1)));
    }
    const lenses = await lensesOf(client, uri);
    seen.push(
      `${file.split(path.sep).join('/')} lenses`,
      ...lenses.map((lens) => formatLens(workspace, lens)),
    );
  }
  await expect(`${seen.join('\n')}\n`).toMatchFileSnapshot(path.join(workspace, 'expected.txt'));
}

describe('language server', async () => {
  for (const name of await readdir(samples)) test(name, async () => check(name));

  test('offers lenses that are resolved later, and hovers', async () => {
    const { started } = await start(path.join(samples, 'plain'));
    expect(started.capabilities.codeLensProvider).toEqual({ resolveProvider: true });
    expect(started.capabilities.hoverProvider).toBe(true);
  });

  test('follows the text as it is typed', async () => {
    const client = await start(path.join(samples, 'plain'));
    const uri = await client.open('test_shapes.py');
    await client.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ text: 'x = 1\n\n\ndef test_new():\n    pass\n' }],
    });
    const tests = await client.connection.sendRequest<TestsResult>(testsRequest, { uri });
    expect(tests.items.map(({ nodeId, line }) => [nodeId, line])).toEqual([['test_shapes.py::test_new', 4]]);
  });

  test('shows no lenses where they are off, and shows them again', async () => {
    const client = await start(path.join(samples, 'plain'), { codeLens: false });
    const uri = await client.open('test_shapes.py');
    expect(await lensesOf(client, uri)).toEqual([]);
    const refreshed = new Promise<void>((resolve) => {
      client.connection.onRequest('workspace/codeLens/refresh', () => {
        resolve();
        return null;
      });
    });
    await client.connection.sendNotification('workspace/didChangeConfiguration', {
      settings: { codeLens: true, trusted: true },
    });
    await refreshed;
    expect((await lensesOf(client, uri)).length).toBe(4);
  });

  test('says in a workspace that is not trusted why nothing runs', async () => {
    const client = await start(path.join(samples, 'plain'), { trusted: false });
    const [lens] = await lensesOf(client, await client.open('test_shapes.py'));
    expect(lens?.command?.title).toBe('Gistify this test (needs a trusted workspace)');
    expect(lens?.command?.tooltip).toMatch(/needs a trusted workspace/);
  });

  test('speaks the language of the editor', async () => {
    const messages = { 'Gistify this test': 'Diesen Test gistifizieren' };
    const client = await start(path.join(samples, 'plain'), { messages });
    const [lens] = await lensesOf(client, await client.open('test_shapes.py'));
    expect(lens?.command?.title).toBe('Diesen Test gistifizieren');
  });

  test('lists the tests of the workspace by codebase, also those of files that are not open', async () => {
    const { connection } = await start(path.join(samples, 'subfolder'));
    const result = await connection.sendRequest<WorkspaceTestsResult>(workspaceTestsRequest);
    const listed = result.map(({ repo, items }) => [
      path.relative(path.join(samples, 'subfolder'), repo).split(path.sep).join('/'),
      items.map(({ nodeId }) => nodeId),
    ]);
    expect(listed).toEqual([
      ['services/billing', ['tests/test_bill.py::test_bill']],
      ['', ['tests/test_top.py::test_top']],
    ]);
    expect(await connection.sendRequest<WorkspaceTestsResult>(workspaceTestsRequest)).toEqual(result);
  });

  test('answers for a file of 5,000 lines in a moment', async () => {
    const client = await start(path.join(samples, 'plain'));
    const uri = await client.open('test_shapes.py');
    const text = Array.from(
      { length: 1000 },
      (_, n) => `def test_${n}():\n    x = {"a": [${n}]}\n    assert x\n\n\n`,
    ).join('');
    await client.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ text }],
    });
    // The best of some: the others tell how busy the machine is.
    let best = Infinity;
    let lenses: CodeLens[] = [];
    for (let round = 0; round < 5; round += 1) {
      const before = performance.now();
      lenses = await client.connection.sendRequest<CodeLens[]>('textDocument/codeLens', {
        textDocument: { uri },
      });
      best = Math.min(best, performance.now() - before);
    }
    expect(lenses.length).toBe(1000);
    // Some 50 ms on an idle machine; the limit only tells a quadratic fault from a busy one.
    expect(best).toBeLessThan(1000);
  });
});
