// Each folder of `samples/` is traced, linked as the engine does at first, and the gist run with the codebase absent:
// nothing is repaired here, so what does not verify, or is more than it must be, is the linker's own fault.
import { firstLinkOptions } from '../../src/engine/settle.js';
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basePython, ensureVenv } from '../../scripts/pythonEnv.mjs';
import { topNames } from '../../src/engine/originalRun.js';
import { readData, readTraced } from '../../src/engine/sources.js';
import { link } from '../../src/link/link.js';
import { scan } from '../../src/link/program.js';
import { createPythonParser, type PythonParser } from '../../src/python/parse.js';
import { createLocalSandbox } from '../../src/sandbox/localSandbox.js';
import { compareOutcomes } from '../../src/score/compareOutcomes.js';
import { runGist, traceOriginal, type Runner } from '../../src/trace/runPytest.js';
import { readSamples, type Sample } from './sampleFile.js';

const samples = readSamples().filter(({ repaired }) => repaired === undefined);
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
const sandbox = createLocalSandbox();
let parser: PythonParser;
let runner: Runner;

beforeAll(async () => {
  parser = await createPythonParser({
    runtime: await readFile(path.join(modules, 'web-tree-sitter/web-tree-sitter.wasm')),
    grammar: await readFile(path.join(modules, 'tree-sitter-python/tree-sitter-python.wasm')),
  });
  const minimal = fileURLToPath(new URL('../requirements-minimal.txt', import.meta.url));
  runner = {
    sandbox,
    python: await ensureVenv(minimal, await basePython()),
    helper: fileURLToPath(new URL('../../src/trace/helper', import.meta.url)),
    env: { PATH: process.env['PATH'] ?? '' },
    timeout: 60,
    signal: new AbortController().signal,
    log: () => undefined,
  };
});

afterAll(() => sandbox.dispose());

async function check({ repo, node, outcome, phases, held, has, hasNot, added }: Sample): Promise<void> {
  const place = { root: repo, cwd: repo, nodeId: node, pytestArgs: [], pythonPath: [], excluded: [] };
  const traced = await traceOriginal(runner, { ...place, inPlace: true });
  if (traced.kind !== 'trace') throw new Error(`the test ${traced.what}`);
  const { trace } = traced;
  const seen = trace.outcome.tests.flatMap((test) => test.phases.map((one) => `${one.when} ${one.outcome}`));
  const usual = ['setup passed', `call ${outcome ?? 'passed'}`, 'teardown passed'];
  expect(new Set(seen)).toEqual(new Set(phases ?? usual));

  const texts = await readTraced(repo, trace);
  const program = scan({ trace, texts, parser, nodeId: node });
  const options = firstLinkOptions({ layout: 'auto', keepDocstrings: false }, await readData(repo, trace));
  const { gist, held: heldModules } = link(program, options);
  expect(link(program, options).gist).toEqual(gist);

  const block = topNames(trace, 'concise.py');
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'gistify-link-')));
  try {
    const { run, tail } = await runGist(runner, {
      folder,
      fileName: 'concise.py',
      text: gist.text,
      test: node.split('::').slice(1).join('::'),
      pytestArgs: [],
      pythonPath: [],
      block,
      shadow: '',
      traceLines: false,
    });
    const context = { codebaseModules: block, gistModule: 'concise' };
    const problems =
      run === null
        ? [tail]
        : [...compareOutcomes(trace.outcome, run.outcome, context), ...run.outcome.collectErrors];
    expect(problems, gist.text).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }

  const lines = gist.text.split('\n').slice(0, -1);
  expect(gist.origins).toHaveLength(lines.length);
  const trimmed = new Set(lines.map((line) => line.trim()));
  const found = {
    held: heldModules.map(({ module }) => module).sort(),
    lacking: (has ?? []).filter((line) => !trimmed.has(line)),
    unwanted: (hasNot ?? []).filter((text) => lines.some((line) => line.includes(text))),
  };
  expect(found, gist.text).toEqual({ held: held ?? [], lacking: [], unwanted: [] });
  const fromNowhere = gist.origins.filter((origin) => origin.kind === 'added' && origin.why !== 'blank');
  expect(fromNowhere.length, gist.text).toBeLessThanOrEqual(added);
}

describe('link', () => {
  it.each(samples)('$name: $about', check);
});
