// Models over the wire: each kind of answer and each kind of fault, in both formats, streamed and whole.
import { afterEach, describe, expect, it } from 'vitest';
import type { ChatReply, ChatRequest, ModelFault } from '../../src/agent/chatModel.js';
import { openModel } from '../../src/agent/openModel.js';
import { createTurns, patientModel } from '../../src/agent/patientModel.js';
import { startModelServer, type ModelServer, type Script } from './modelServer.js';

const services = [
  { provider: 'openai', stream: true },
  { provider: 'openai', stream: false },
  { provider: 'anthropic', stream: true },
  { provider: 'anthropic', stream: false },
  { provider: 'openai-compatible', stream: true },
  { provider: 'openai-compatible', stream: false },
] as const;

const request: ChatRequest = {
  messages: [
    { role: 'system', text: 'be brief' },
    { role: 'user', text: 'look' },
    {
      role: 'assistant',
      text: 'I look.',
      calls: [{ id: 'call_a', name: 'open', input: { path: 'a.py' }, malformed: '' }],
    },
    { role: 'tool', answers: [{ id: 'call_a', name: 'open', text: 'x = 1', isError: false }] },
  ],
  tools: [
    {
      name: 'open',
      description: 'opens a file',
      parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    },
  ],
};

const servers: ModelServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

interface Asked {
  readonly answer: ChatReply | ModelFault;
  readonly server: ModelServer;
  readonly streamed: string;
}

async function ask(
  service: (typeof services)[number],
  script: Script,
  signal = new AbortController().signal,
): Promise<Asked> {
  const server = await startModelServer(script);
  servers.push(server);
  const model = await openModel(
    {
      name: `${service.provider}/scripted`,
      baseUrl: server.url,
      stream: service.stream,
      temperature: 0,
      maxOutputTokens: 500,
    },
    { OPENAI_API_KEY: 'key-of-openai', ANTHROPIC_API_KEY: 'key-of-anthropic' },
  );
  let streamed = '';
  const answer = await model.reply(request, signal, (delta) => (streamed += delta));
  return { answer, server, streamed };
}

function fault(asked: Asked): ModelFault {
  if (asked.answer.kind !== 'fault') throw new Error(`no fault: ${JSON.stringify(asked.answer)}`);
  return asked.answer;
}

describe.each(services)('$provider, streamed: $stream', (service) => {
  it('gives text, tool calls and usage', async () => {
    const asked = await ask(service, [
      {
        text: 'Two files.',
        calls: [
          { name: 'open', input: { path: 'b.py' } },
          { name: 'open', input: { path: 'c.py' } },
        ],
        usage: { input: 1000, output: 50, cached: 400 },
      },
    ]);
    expect(asked.answer).toMatchObject({
      kind: 'reply',
      text: 'Two files.',
      calls: [
        { name: 'open', input: { path: 'b.py' }, malformed: '' },
        { name: 'open', input: { path: 'c.py' }, malformed: '' },
      ],
      usage: { input: 1000, output: 50, cachedInput: 400 },
      stop: 'tool-calls',
    });
    if (service.stream) expect(asked.streamed).toBe('Two files.');
  });

  it('sends the whole history, the tools and the key', async () => {
    const { server } = await ask(service, [{ text: 'ok' }]);
    const [seen] = server.requests;
    const sent = JSON.stringify(seen?.body);
    for (const word of ['be brief', 'look', 'I look.', 'a.py', 'x = 1', 'opens a file', 'scripted'])
      expect(sent).toContain(word);
    expect(seen?.body['temperature']).toBe(0);
    const key = { openai: 'Bearer key-of-openai', anthropic: undefined, 'openai-compatible': undefined };
    expect(seen?.headers.authorization).toBe(key[service.provider]);
    if (service.provider === 'anthropic') expect(seen?.headers['x-api-key']).toBe('key-of-anthropic');
  });

  it('tells a reply that was cut by its length', async () => {
    const { answer } = await ask(service, [{ text: 'and so', stop: 'length' }]);
    expect(answer).toMatchObject({ kind: 'reply', text: 'and so', stop: 'length' });
  });

  it('hands a call on whose arguments are no JSON object', async () => {
    const { answer } = await ask(service, [{ calls: [{ name: 'open', raw: '{"path": "b.p' }] }]);
    expect(answer).toMatchObject({ kind: 'reply', calls: [{ name: 'open', input: null }] });
    if (answer.kind === 'reply') expect(answer.calls[0]?.malformed).toContain('b.p');
  });

  it.each([
    [401, 'auth'],
    [403, 'permission'],
    [404, 'not-found'],
    [400, 'bad-request'],
    [429, 'rate-limit'],
    [500, 'server'],
    [503, 'overloaded'],
  ] as const)('status %i is a fault of the kind %s', async (status, kind) => {
    const asked = await ask(service, [{ status }]);
    expect(fault(asked)).toMatchObject({ fault: kind });
    expect(fault(asked).message).toContain(`status ${status} by the script`);
    // Retries are ours to make, and nobody else's.
    expect(asked.server.requests).toHaveLength(1);
  });

  it('reads how long to wait', async () => {
    expect(fault(await ask(service, [{ status: 429, headers: { 'retry-after': '7' } }])).retryAfter).toBe(7);
    expect(
      fault(await ask(service, [{ status: 429, headers: { 'retry-after-ms': '1500' } }])).retryAfter,
    ).toBe(1.5);
  });

  it('tells an account without credit and a full context', async () => {
    const quota = { error: { type: 'insufficient_quota', message: 'You exceeded your current quota' } };
    expect(fault(await ask(service, [{ status: 429, body: quota }])).fault).toBe('quota');
    const full = {
      type: 'error',
      error: { type: 'x', message: 'prompt is too long: 200001 tokens', code: null },
    };
    expect(fault(await ask(service, [{ status: 400, body: full }])).fault).toBe('context');
  });

  it.each(['rough', 'clean'] as const)('a connection that is cut (%s) is no reply', async (cut) => {
    expect(['network', 'malformed', 'server']).toContain(fault(await ask(service, [{ cut }])).fault);
  });

  it('an answer that is none is a fault', async () => {
    const { answer } = await ask(service, [{ garbage: '<html>a login page</html>' }]);
    expect(answer.kind).toBe('fault');
  });

  it('stops at once', async () => {
    const controller = new AbortController();
    const start = performance.now();
    setTimeout(() => {
      controller.abort(new Error('stopped by the test'));
    }, 100);
    await expect(ask(service, [{ text: 'late', delay: 20_000 }], controller.signal)).rejects.toThrow();
    expect(performance.now() - start).toBeLessThan(1000);
  });
});

it('nobody answers: a fault of the network', async () => {
  const server = await startModelServer([]);
  await server.close();
  const model = await openModel(
    { name: 'ollama/any', baseUrl: server.url, stream: true, temperature: null, maxOutputTokens: null },
    {},
  );
  const answer = await model.reply(request, new AbortController().signal, () => undefined);
  expect(answer).toMatchObject({ kind: 'fault', fault: 'network' });
});

describe('patience', () => {
  const patience = { attempts: 4, firstWait: 0.02, longestWait: 1, perMinute: null };

  async function patient(script: Script, perMinute: number | null = null) {
    const server = await startModelServer(script);
    servers.push(server);
    const waits: [string, number][] = [];
    const model = patientModel(
      await openModel(
        { name: 'ollama/any', baseUrl: server.url, stream: true, temperature: null, maxOutputTokens: null },
        {},
      ),
      patience,
      createTurns(perMinute),
      ({ fault: kind }, wait) => waits.push([kind, wait]),
    );
    return { model, server, waits };
  }
  const signal = () => new AbortController().signal;

  it('asks again, later each time, and as late as the service asks', async () => {
    const { model, server, waits } = await patient([
      { status: 500 },
      { status: 429, headers: { 'retry-after-ms': '300' } },
      { cut: 'rough' },
      { text: 'at last' },
    ]);
    expect(await model.reply(request, signal(), () => undefined)).toMatchObject({ text: 'at last' });
    expect(waits.map(([kind]) => kind).slice(0, 2)).toEqual(['server', 'rate-limit']);
    expect(waits).toHaveLength(3);
    expect(waits[1]?.[1]).toBeGreaterThanOrEqual(0.3);
    const [, second, third] = server.requests;
    expect((third?.at ?? 0) - (second?.at ?? 0)).toBeGreaterThanOrEqual(290);
    // 20 ms and 80 ms, each give or take a quarter.
    expect(waits[2]?.[1]).toBeGreaterThan(waits[0]?.[1] ?? 1);
  });

  it('gives up after so many attempts, and at once where it is no use', async () => {
    const failing = await patient([{ status: 500 }]);
    expect(await failing.model.reply(request, signal(), () => undefined)).toMatchObject({ fault: 'server' });
    expect(failing.server.requests).toHaveLength(4);
    const refused = await patient([{ status: 401 }]);
    expect(await refused.model.reply(request, signal(), () => undefined)).toMatchObject({ fault: 'auth' });
    expect(refused.server.requests).toHaveLength(1);
  });

  it('asks no more often than it may', async () => {
    const { model, server } = await patient([{ text: 'ok' }], 600);
    // From the start of the first to the end of the fourth: how long each is on its way is nobody's promise.
    const start = performance.now();
    for (let i = 0; i < 4; i += 1) await model.reply(request, signal(), () => undefined);
    expect(server.requests).toHaveLength(4);
    expect(performance.now() - start).toBeGreaterThanOrEqual(290);
  });

  it('a wait ends with the signal', async () => {
    const { model } = await patient([{ status: 429, headers: { 'retry-after': '30' } }]);
    const controller = new AbortController();
    setTimeout(() => {
      controller.abort(new Error('stopped by the test'));
    }, 200);
    const start = performance.now();
    await expect(model.reply(request, controller.signal, () => undefined)).rejects.toThrow(
      'stopped by the test',
    );
    expect(performance.now() - start).toBeLessThan(1000);
  });
});
