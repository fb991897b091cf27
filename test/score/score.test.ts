// Each folder of `samples/` holds a codebase, a gist and what is found out of both without running anything;
// `vitest -u` writes the expectations anew.
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Origin } from '../../src/model/gist.js';
import type { RunOutcome } from '../../src/model/outcome.js';
import { createPythonParser, type PythonParser } from '../../src/python/parse.js';
import { createCodebasePool } from '../../src/score/codebasePool.js';
import { measureExistence } from '../../src/score/existence.js';
import { injectTest } from '../../src/score/injectTest.js';
import { findProvenance } from '../../src/score/provenance.js';
import { score, type ScoreInput } from '../../src/score/score.js';
import { testF1 } from '../../src/score/testF1.js';

interface Case {
  /** What the case is about, for people. */
  readonly about: string;
  /** Node id of the test, where the case has one. */
  readonly node?: string;
  /** The codebase's files get Windows line ends. */
  readonly crlf?: boolean;
}

const samples = path.join(import.meta.dirname, 'samples');
const modules = path.join(import.meta.dirname, '../../node_modules');
let parser: PythonParser;

beforeAll(async () => {
  parser = await createPythonParser({
    runtime: await readFile(path.join(modules, 'web-tree-sitter/web-tree-sitter.wasm')),
    grammar: await readFile(path.join(modules, 'tree-sitter-python/tree-sitter-python.wasm')),
  });
});

async function check(folder: string): Promise<void> {
  const root = path.join(samples, folder);
  const facts = JSON.parse(await readFile(path.join(root, 'case.json'), 'utf8')) as Case;
  const files = await codebase(path.join(root, 'code'), facts.crlf === true);
  const gist = await readFile(path.join(root, 'gist.py'), 'utf8');
  const pool = createCodebasePool(files);
  const { existence, invented } = measureExistence(parser, gist, pool);
  const found = [
    `existence ${String(existence.hit)} of ${String(existence.total)}`,
    ...invented.flatMap(({ line, block, text, nearest }) => [
      `  line ${String(line)} in ${block}: ${JSON.stringify(text)}`,
      ...(nearest === null ? [] : [`    near ${nearest}`]),
    ]),
    '',
    ...originTable(gist, findProvenance(parser, gist, pool)),
  ];
  if (facts.node !== undefined) {
    const source = files.find(({ file }) => facts.node?.startsWith(`${file}::`))?.text ?? '';
    const injected = injectTest(parser, gist, source, facts.node);
    found.push('', `test F1 ${String(testF1(parser, gist, source, facts.node))}`);
    found.push(injected === gist ? 'test already there' : (injected ?? 'test missing').trimEnd());
  }
  await expect(`${found.join('\n')}\n`).toMatchFileSnapshot(path.join(root, 'expected.txt'));
}

async function codebase(
  root: string,
  crlf: boolean,
): Promise<{ readonly file: string; readonly text: string }[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  return Promise.all(
    names.sort().map(async (name) => {
      const text = await readFile(name, 'utf8');
      const file = path.relative(root, name).split(path.sep).join('/');
      return { file, text: crlf ? text.replaceAll('\n', '\r\n') : text };
    }),
  );
}

function originTable(gist: string, origins: readonly Origin[]): string[] {
  const lines = gist.split('\n');
  expect(origins.length).toBe(lines.length - 1);
  return origins.map((origin, index) =>
    `${origin.kind.padEnd(9)} ${placeOf(origin).padEnd(28)} | ${lines[index] ?? ''}`.trimEnd(),
  );
}

function placeOf(origin: Origin): string {
  return origin.kind === 'added' ? origin.why : `${origin.file}:${String(origin.line)}`;
}

describe('samples', async () => {
  for (const folder of await readdir(samples)) test(folder, async () => check(folder));
});

describe('score', () => {
  const outcome = (stdout: string): RunOutcome => ({
    exitCode: 0,
    tests: [
      {
        name: 'test_bump',
        phases: [{ when: 'call', outcome: 'passed', reason: '', failure: null, stdout, stderr: '', log: '' }],
      },
    ],
    collectErrors: [],
    deselected: 0,
  });
  const source = 'import os\n\n\ndef test_bump():\n    assert 1\n';
  const input = (changes: Partial<ScoreInput> = {}): ScoreInput => ({
    parser,
    nodeId: 'tests/test_a.py::test_bump',
    testSource: source,
    codebase: createCodebasePool([{ file: 'tests/test_a.py', text: source }]),
    context: { codebaseModules: ['tests'], gistModule: 'gist' },
    original: outcome('a'),
    gistText: 'import sys\n\n\ndef test_bump():\n    assert 1\n',
    gist: outcome('a'),
    timedOut: false,
    lines: { statements: [1, 4, 5], executed: [1, 4] },
    ...changes,
  });

  test('of a gist that holds', () => {
    expect(score(input())).toEqual({
      fidelity: 1,
      problems: [],
      failure: 'none',
      execution: { hit: 2, total: 3 },
      existence: { hit: 2, total: 3 },
      invented: [{ line: 1, block: '<module>', text: 'import sys', nearest: null }],
      testF1: 1,
    });
  });

  test.each<[string, Partial<ScoreInput>]>([
    ['wrong-output', { gist: outcome('b') }],
    ['timeout', { gist: null, timedOut: true }],
    ['timeout', { timedOut: true }],
    ['no-file', { gistText: null, gist: null, lines: null }],
    ['syntax-error', { gistText: 'def test_bump(:\n    assert (\n', gist: null, lines: null }],
    ['test-missing', { gistText: 'import os\n', gist: null, lines: null }],
    ['pytest-error', { gist: null, lines: null }],
  ])('%s means fidelity 0', (failure, changes) => {
    const scored = score(input(changes));
    expect(scored).toMatchObject({ fidelity: 0, failure });
    expect(scored.problems).toHaveLength(1);
    if (changes.gist === null) expect(scored.execution).toBeNull();
  });
});
