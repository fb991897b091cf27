// Folders flow in, the tests of their codebases flow out, read from disk; a file is parsed anew only once it has changed.
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { codebaseOf, type Codebase } from '../engine/codebase.js';
import { pythonFilesIn } from '../engine/testFiles.js';
import type { TestItem } from '../model/testItem.js';
import { discoverTests } from '../python/discover.js';
import type { PythonParser } from '../python/parse.js';
import { isTestFile } from '../python/pytestNames.js';
import type { TestsResult, WorkspaceTestsResult } from '../view/protocol.js';

const known = new Map<string, { readonly state: string; readonly tests: TestsResult | null }>();

/** The tests of one text; null where pytest would not look for any in the file. */
export function testsIn(
  file: string,
  text: string,
  codebase: Codebase,
  parser: PythonParser,
): TestsResult | null {
  const name = path.relative(codebase.root, file).split(path.sep).join('/');
  if (!isTestFile(name, codebase.names)) return null;
  const tree = parser.parse(text);
  try {
    return { repo: codebase.root, items: discoverTests(tree, name, codebase.names) };
  } finally {
    tree.delete();
  }
}

/** The tests of all folders, one entry a codebase; none where the request was cancelled. */
export async function workspaceTests(
  folders: readonly string[],
  parser: PythonParser,
  signal: AbortSignal,
): Promise<WorkspaceTestsResult> {
  const byRepo = new Map<string, TestItem[]>();
  // Nested folders of a workspace hold the same files.
  const outer = folders.filter((one) => !folders.some((other) => one.startsWith(`${other}${path.sep}`)));
  try {
    for (const folder of outer) {
      const codebases = new Map<string, Promise<Codebase>>();
      for await (const file of pythonFilesIn(folder, signal)) {
        const holder = path.dirname(file);
        const codebase = codebases.get(holder) ?? codebaseOf(file, folder);
        codebases.set(holder, codebase);
        const tests = await testsOnDisk(file, await codebase, parser);
        if (tests === null) continue;
        const items = byRepo.get(tests.repo) ?? [];
        items.push(...tests.items);
        byRepo.set(tests.repo, items);
      }
    }
  } catch (error) {
    if (signal.aborted) return [];
    throw error;
  }
  return [...byRepo].map(([repo, items]) => ({ repo, items }));
}

async function testsOnDisk(
  file: string,
  codebase: Codebase,
  parser: PythonParser,
): Promise<TestsResult | null> {
  const name = path.relative(codebase.root, file).split(path.sep).join('/');
  if (!isTestFile(name, codebase.names)) return null;
  const { mtimeMs, size } = await stat(file);
  const state = `${mtimeMs} ${size} ${JSON.stringify(codebase)}`;
  const cached = known.get(file);
  if (cached?.state === state) return cached.tests;
  const tests = testsIn(file, await readFile(file, 'utf8'), codebase, parser);
  known.set(file, { state, tests });
  return tests;
}
