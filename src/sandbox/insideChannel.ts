// One stream to the process that stands inside a container: requests go in, each answer comes back to who asked. What
// comes from inside is never trusted: what is no answer is dropped, and the end of the stream fails whatever waits.
import type { Duplex, Readable } from 'node:stream';
import { createInterface } from 'node:readline';

export interface Hello {
  readonly python: string;
  readonly version: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly user: number;
  readonly temporary: readonly string[];
}

export interface InsideChannel {
  readonly hello: Hello;
  request(op: string, parameters: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Ends what stands inside, and everything that it started. */
  end(): void;
}

/** A request that the inside could not do. */
export class InsideFault extends Error {
  /** The system's error number there. */
  readonly errno: number | null;

  constructor(message: string, errno: number | null) {
    super(message);
    this.errno = errno;
  }
}

interface Answer {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
  readonly errno?: number | null;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Resolves at the first word from inside; rejects with what was said on the error stream where there is none. */
export async function openChannel(
  stream: Duplex,
  stdout: Readable,
  stderr: Readable,
): Promise<InsideChannel> {
  const waiting = new Map<number, Waiting>();
  let ended: Error | null = null;
  let last = 0;
  let said = '';
  const ask = (id: number) =>
    new Promise<unknown>((resolve, reject) => {
      if (ended === null) waiting.set(id, { resolve, reject });
      else reject(ended);
    });
  const fail = (error: Error | null) => {
    ended ??= new Error(error?.message ?? (said.trim() === '' ? 'the connection ended' : said.trim()));
    for (const asked of waiting.values()) asked.reject(ended);
    waiting.clear();
  };
  stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4000);
  });
  createInterface({ input: stdout, crlfDelay: Infinity }).on('line', (line) => {
    const answer = parse(line);
    const asked = answer === null ? undefined : waiting.get(answer.id);
    if (answer === null || asked === undefined) return;
    waiting.delete(answer.id);
    if (answer.error === undefined) asked.resolve(answer.value);
    else asked.reject(new InsideFault(answer.error, answer.errno ?? null));
  });
  const hello = ask(0);
  stream.on('error', fail);
  for (const event of ['end', 'close']) stream.on(event, () => setImmediate(fail, null));
  return {
    hello: (await hello) as Hello,
    request(op, parameters) {
      last += 1;
      const answer = ask(last);
      if (ended === null) stream.write(`${JSON.stringify({ ...parameters, op, id: last })}\n`);
      return answer;
    },
    end() {
      stream.end();
    },
  };
}

function parse(line: string): Answer | null {
  try {
    const answer: unknown = JSON.parse(line);
    return typeof answer === 'object' && answer !== null && 'id' in answer ? (answer as Answer) : null;
  } catch {
    return null;
  }
}
