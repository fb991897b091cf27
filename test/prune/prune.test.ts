// Each folder of `samples/` holds a text, what must stay of it (a pattern a line) and what the reduction leaves: the
// pass itself, with no Python behind it. GISTIFY_UPDATE=1 writes what it leaves.
import { readFile, writeFile } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Gist } from '../../src/model/gist.js';
import { reduce, type Reduced } from '../../src/prune/reduce.js';
import { createPythonParser, type PythonParser } from '../../src/python/parse.js';

const samples = fileURLToPath(new URL('samples', import.meta.url));
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
let parser: PythonParser;

beforeAll(async () => {
  parser = await createPythonParser({
    runtime: await readFile(path.join(modules, 'web-tree-sitter/web-tree-sitter.wasm')),
    grammar: await readFile(path.join(modules, 'tree-sitter-python/tree-sitter-python.wasm')),
  });
});

function gistOf(text: string): Gist {
  const lines = text.split('\n').slice(0, -1);
  return { text, origins: lines.map((_, index) => ({ kind: 'kept', file: 'before.py', line: index + 1 })) };
}

interface Ways {
  readonly verify: (text: string) => Promise<boolean>;
  readonly stopped?: () => boolean;
  readonly failing?: boolean;
  readonly pinned?: ReadonlySet<number>;
}

function run(gist: Gist, ways: Ways): Promise<Reduced> {
  return reduce({
    gist,
    parser,
    linesRun: () => Promise.resolve(null),
    pinned: ways.pinned ?? new Set(),
    failing: ways.failing ?? false,
    entry: /def (test_\w+)/.exec(gist.text)?.[1] ?? '',
    workers: 2,
    stopped: ways.stopped ?? (() => false),
    verify: ways.verify,
    progress: () => undefined,
    reached: () => undefined,
  });
}

function isPython(text: string): boolean {
  const tree = parser.parse(text);
  const whole = !tree.rootNode.hasError;
  tree.delete();
  return whole;
}

async function check(name: string): Promise<void> {
  const folder = path.join(samples, name);
  const text = await readFile(path.join(folder, 'before.py'), 'utf8');
  const keep = (await readFile(path.join(folder, 'keep.txt'), 'utf8'))
    .split('\n')
    .filter((line) => line !== '');
  const patterns = keep.map((line) => new RegExp(line));
  const holds = (candidate: string) =>
    isPython(candidate) && patterns.every((pattern) => pattern.test(candidate));
  expect(holds(text), 'the text holds before').toBe(true);
  const reduced = await run(gistOf(text), { verify: (candidate) => Promise.resolve(holds(candidate)) });
  const after = path.join(folder, 'after.py');
  if (process.env['GISTIFY_UPDATE'] === '1') await writeFile(after, reduced.gist.text);
  expect(reduced.gist.text).toBe(await readFile(after, 'utf8'));
  expect(holds(reduced.gist.text)).toBe(true);
  expect(reduced.complete).toBe(true);
  const lines = reduced.gist.text.split('\n');
  const before = text.split('\n');
  expect(reduced.gist.origins.length).toBe(lines.length - 1);
  for (const [index, origin] of reduced.gist.origins.entries()) {
    if (origin.kind !== 'kept') continue;
    expect(lines[index]?.trim()).toBe(before[origin.line - 1]?.trim());
  }
}

describe('reduction', () => {
  for (const name of readdirSync(samples)) it(name, () => check(name));

  const text = 'def test_a():\n    a = 1\n    b = 2\n    c = 3\n    assert a\n';

  it('keeps the smallest so far when it is stopped', async () => {
    let tried = 0;
    const reduced = await run(gistOf(text), {
      verify(candidate) {
        tried += 1;
        return Promise.resolve(
          isPython(candidate) && candidate.includes('assert a') && candidate.includes('a = 1'),
        );
      },
      stopped: () => tried >= 3,
    });
    expect(reduced.complete).toBe(false);
    expect(reduced.gist.text).toContain('assert a');
    expect(reduced.gist.text.length).toBeLessThan(text.length);
  });

  it('tries no text twice and none without a pinned line', async () => {
    const seen: string[] = [];
    await run(gistOf(text), {
      verify(candidate) {
        seen.push(candidate);
        return Promise.resolve(isPython(candidate));
      },
      pinned: new Set([3]),
    });
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.every((candidate) => candidate.includes('    b = 2\n'))).toBe(true);
  });

  it('keeps conditions and the one return where the test fails', async () => {
    const failing = 'def f(x):\n    if x:\n        y = 1\n    return x\ndef test_a():\n    assert f(1)\n';
    const verify = (candidate: string) =>
      Promise.resolve(isPython(candidate) && candidate.includes('f(1)') && candidate.includes('def f'));
    const free = await run(gistOf(failing), { verify });
    const bound = await run(gistOf(failing), { verify, failing: true });
    expect(free.gist.text).not.toContain('return x');
    expect(bound.gist.text).toContain('return x');
  });
});
