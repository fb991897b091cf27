// Tools flow in, a server of the Model Context Protocol over standard input and output flows out. This file and the SDK are
// a bundle of their own, which only `gistify mcp` loads: it exchanges plain data alone.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { GistTool } from '../view/gistTools.js';

export interface McpCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** From 0 to 1. */
  readonly progress: (fraction: number, message: string) => void;
}

export interface McpAnswer {
  readonly text: string;
  readonly isError: boolean;
}

/** Serves until the client hangs up or `signal` is aborted. */
export async function serveMcp(
  version: string,
  tools: readonly GistTool[],
  call: (given: McpCall) => Promise<McpAnswer>,
  signal: AbortSignal,
): Promise<void> {
  // The high-level class wants schemas of zod; ours are plain data.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const server = new Server({ name: 'gistify', version }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map((tool) => ({
      ...tool,
      inputSchema: {
        ...tool.inputSchema,
        properties: { ...tool.inputSchema.properties },
        required: [...tool.inputSchema.required],
      },
      // It runs code of the codebase, which may do anything; by itself it changes nothing.
      annotations: { title: tool.title, readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const token = extra._meta?.progressToken;
    const answer = await call({
      name: params.name,
      input: params.arguments ?? {},
      signal: extra.signal,
      progress(progress, message) {
        if (token === undefined) return;
        const notification = { progressToken: token, progress, total: 1, message };
        // A client that has gone wants no progress.
        extra
          .sendNotification({ method: 'notifications/progress', params: notification })
          .catch(() => undefined);
      },
    });
    return { content: [{ type: 'text', text: answer.text }], isError: answer.isError };
  });
  const transport = new StdioServerTransport();
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
    process.stdin.once('end', resolve);
    signal.addEventListener('abort', () => {
      resolve();
    });
  });
  await server.connect(transport);
  await closed;
  await server.close();
}
