// A local server that speaks the wire formats of OpenAI's chat completions and Anthropic's messages, streamed and whole,
// with answers from a script: it stands where a paid service stands, and only there.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ScriptedCall {
  readonly name: string;
  readonly input?: Readonly<Record<string, unknown>>;
  /** Arguments as they are written, for those that are no JSON. */
  readonly raw?: string;
}

export type Turn =
  | {
      readonly text?: string;
      readonly calls?: readonly ScriptedCall[];
      readonly usage?: { readonly input: number; readonly output: number; readonly cached?: number } | null;
      readonly stop?: 'stop' | 'length';
      /** Milliseconds before the answer. */
      readonly delay?: number;
    }
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** The connection is closed in the middle of the answer, roughly or as if all were said. */
  | { readonly cut: 'rough' | 'clean' }
  | { readonly garbage: string };

export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
  readonly at: number;
}

export interface ModelServer {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** Requests whose connection the client closed before the answer. */
  readonly dropped: () => number;
  close(): Promise<void>;
}

export type Script = readonly Turn[] | ((request: SeenRequest, index: number) => Turn);

type Format = 'openai' | 'anthropic';

/** Answers the n-th request by the n-th turn; the last one again where there are more. */
export async function startModelServer(script: Script): Promise<ModelServer> {
  const requests: SeenRequest[] = [];
  let dropped = 0;
  const server = createServer((incoming, response) => {
    void (async () => {
      let text = '';
      for await (const chunk of incoming.setEncoding('utf8')) text += String(chunk);
      const request: SeenRequest = {
        path: incoming.url ?? '',
        headers: incoming.headers,
        body: JSON.parse(text) as Record<string, unknown>,
        at: performance.now(),
      };
      const index = requests.push(request) - 1;
      const turn =
        typeof script === 'function' ? script(request, index) : script[Math.min(index, script.length - 1)];
      response.on('close', () => {
        if (!response.writableFinished) dropped += 1;
      });
      const format = request.path.endsWith('/messages')
        ? 'anthropic'
        : request.path.endsWith('/chat/completions')
          ? 'openai'
          : null;
      if (format === null || turn === undefined)
        response.writeHead(404).end('{"error":{"message":"no such path"}}');
      else await answer(response, turn, format, request.body['stream'] === true);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    dropped: () => dropped,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

async function answer(response: ServerResponse, turn: Turn, format: Format, stream: boolean): Promise<void> {
  if ('status' in turn) {
    const message = `status ${turn.status} by the script`;
    const standard =
      format === 'openai'
        ? { error: { message, type: 'scripted', code: null, param: null } }
        : { type: 'error', error: { type: 'scripted', message } };
    response.writeHead(turn.status, { 'content-type': 'application/json', ...turn.headers });
    response.end(JSON.stringify(turn.body ?? standard));
    return;
  }
  if ('garbage' in turn) {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(turn.garbage);
    return;
  }
  const cut = 'cut' in turn ? turn.cut : null;
  const said: Said = 'cut' in turn ? { text: 'I begin, and' } : turn;
  if (said.delay !== undefined) await new Promise((resolve) => setTimeout(resolve, said.delay));
  if (response.destroyed) return;
  if (!stream) {
    const text = JSON.stringify(format === 'openai' ? openAiWhole(said) : anthropicWhole(said));
    response.writeHead(200, { 'content-type': 'application/json' });
    if (cut === null) response.end(text);
    else {
      response.write(text.slice(0, text.length / 2));
      if (cut === 'clean') response.end();
      else setTimeout(() => response.destroy(), 20);
    }
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const events = format === 'openai' ? openAiEvents(said) : anthropicEvents(said);
  const sent = cut === null ? events : events.slice(0, 3);
  for (const event of sent) {
    const name = format === 'anthropic' ? `event: ${(event as { type: string }).type}\n` : '';
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
  }
  if (cut === 'rough') {
    setTimeout(() => response.destroy(), 20);
    return;
  }
  if (cut === null && format === 'openai') response.write('data: [DONE]\n\n');
  response.end();
}

type Said = Extract<Turn, { text?: string }>;

let made = 0;
const id = (prefix: string): string => {
  made += 1;
  return `${prefix}_${made}`;
};

const written = (call: ScriptedCall): string => call.raw ?? JSON.stringify(call.input ?? {});

function openAiUsage({ usage }: Said): Record<string, unknown> | undefined {
  if (usage === null) return undefined;
  const { input = 100, output = 20, cached = 0 } = usage ?? {};
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
  };
}

function openAiStop({ calls = [], stop }: Said): string {
  return stop ?? (calls.length > 0 ? 'tool_calls' : 'stop');
}

function openAiWhole(said: Said): unknown {
  const calls = (said.calls ?? []).map((call) => ({
    id: id('call'),
    type: 'function',
    function: { name: call.name, arguments: written(call) },
  }));
  return {
    ...{
      id: id('chatcmpl'),
      object: 'chat.completion',
      created: 0,
      model: 'scripted',
      usage: openAiUsage(said),
    },
    choices: [
      {
        index: 0,
        finish_reason: openAiStop(said),
        message: {
          role: 'assistant',
          content: said.text ?? null,
          ...(calls.length > 0 ? { tool_calls: calls } : {}),
        },
      },
    ],
  };
}

/** In two halves, so that a reader must put them together. */
function halves(text: string): readonly string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '');
}

function openAiEvents(said: Said): readonly unknown[] {
  const base = { id: id('chatcmpl'), object: 'chat.completion.chunk', created: 0, model: 'scripted' };
  const chunk = (delta: unknown, finish: string | null = null) => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const usage = openAiUsage(said);
  return [
    chunk({ role: 'assistant', content: '' }),
    ...halves(said.text ?? '').map((content) => chunk({ content })),
    ...(said.calls ?? []).flatMap((call, index) => [
      chunk({
        tool_calls: [
          { index, id: id('call'), type: 'function', function: { name: call.name, arguments: '' } },
        ],
      }),
      ...halves(written(call)).map((part) =>
        chunk({ tool_calls: [{ index, function: { arguments: part } }] }),
      ),
    ]),
    chunk({}, openAiStop(said)),
    ...(usage === undefined ? [] : [{ ...base, choices: [], usage }]),
  ];
}

function anthropicUsage({ usage }: Said): Record<string, number> {
  const { input = 100, output = 20, cached = 0 } = usage ?? {};
  return {
    input_tokens: input - cached,
    output_tokens: output,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: 0,
  };
}

function anthropicStop({ calls = [], stop }: Said): string {
  if (stop === 'length') return 'max_tokens';
  return calls.length > 0 ? 'tool_use' : 'end_turn';
}

function anthropicWhole(said: Said): unknown {
  return {
    ...{ id: id('msg'), type: 'message', role: 'assistant', model: 'scripted', usage: anthropicUsage(said) },
    content: [
      ...(said.text === undefined ? [] : [{ type: 'text', text: said.text }]),
      ...(said.calls ?? []).map((call) => ({
        ...{ type: 'tool_use', id: id('toolu'), name: call.name },
        input: call.raw ?? call.input ?? {},
      })),
    ],
    stop_reason: anthropicStop(said),
    stop_sequence: null,
  };
}

function anthropicEvents(said: Said): readonly unknown[] {
  const usage = anthropicUsage(said);
  const message = {
    ...{ id: id('msg'), type: 'message', role: 'assistant', model: 'scripted', content: [] },
    ...{ stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 } },
  };
  const blocks = [
    ...(said.text === undefined
      ? []
      : [
          {
            start: { type: 'text', text: '' },
            deltas: halves(said.text).map((text) => ({ type: 'text_delta', text })),
          },
        ]),
    ...(said.calls ?? []).map((call) => ({
      start: { type: 'tool_use', id: id('toolu'), name: call.name, input: {} },
      deltas: halves(written(call)).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    })),
  ];
  return [
    { type: 'message_start', message },
    ...blocks.flatMap(({ start, deltas }, index) => [
      { type: 'content_block_start', index, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: anthropicStop(said), stop_sequence: null },
      usage: { output_tokens: usage['output_tokens'] },
    },
    { type: 'message_stop' },
  ];
}
