// What must hold of every gist, whatever it is of: checked on the gists of all samples of test/link and of the bundled
// sample codebase, and their lines against coverage.py's own count.
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gistify } from '../../src/engine/gistify.js';
import { loadParser, type Installation } from '../../src/engine/sources.js';
import type { Report } from '../../src/model/report.js';
import type { Node, PythonParser } from '../../src/python/parse.js';
import { readSamples } from '../link/sampleFile.js';
import { layInstallation } from '../installation.js';
import { plainTask } from '../plainTask.js';
import { minimalPython, testPython } from '../pythonEnv.js';

interface Subject {
  readonly name: string;
  readonly repo: string;
  readonly node: string;
  /** Exit status of pytest. */
  readonly status: number;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const shop = [
  'tests/test_checkout.py::test_total_of_a_cart',
  'tests/test_money.py::test_percent',
  'tests/test_receipt.py::TestText::test_receipt',
  'tests/test_bug_report.py::test_split_loses_no_cent',
];
const subjects: readonly Subject[] = [
  ...readSamples().map(({ name, repo, node, outcome, status }) => ({
    name,
    repo,
    node,
    status: status ?? (outcome === 'failed' ? 1 : 0),
  })),
  ...shop.map((node) => ({
    name: `shop ${node.split('::').at(-1) ?? ''}`,
    repo: path.join(root, 'sample'),
    node,
    status: node.includes('test_bug_report') ? 1 : 0,
  })),
];

let folder = '';
let installation: Installation;
let parser: PythonParser;
let python = '';
const reports = new Map<string, Report>();

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'gistify-engine-')));
  installation = await layInstallation(path.join(folder, 'installation'));
  parser = await loadParser(installation);
  python = await minimalPython();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function makeReport({ repo, node }: Subject): Promise<Report> {
  return gistify({
    task: plainTask({ repo, nodeId: node, python }),
    host: { signal: new AbortController().signal, progress: () => undefined, log: () => undefined },
    installation,
    env: { PATH: process.env['PATH'] ?? '' },
    cwd: folder,
    fileName: 'concise.py',
  });
}

/** Rows of a file, 1-based, that begin inside a string: their indentation is part of the program. */
function rowsInStrings(text: string): ReadonlySet<number> {
  const rows = new Set<number>();
  const visit = (node: Node): void => {
    if (node.type === 'string')
      for (let row = node.startPosition.row + 1; row <= node.endPosition.row; row += 1) rows.add(row + 1);
    else node.children.forEach(visit);
  };
  const tree = parser.parse(text);
  visit(tree.rootNode);
  tree.delete();
  return rows;
}

/** Lines of the gist that are not what their origin says. */
async function misplaced(repo: string, report: Report): Promise<readonly string[]> {
  const files = new Map<string, { lines: readonly string[]; inStrings: ReadonlySet<number> }>();
  const wrong: string[] = [];
  const lines = report.gist.text.split('\n');
  for (const [index, { origin }] of report.lines.entries()) {
    if (origin.kind === 'added') continue;
    let file = files.get(origin.file);
    if (file === undefined) {
      const text = (await readFile(path.join(repo, origin.file), 'utf8')).replaceAll(/\r\n?/g, '\n');
      files.set(origin.file, (file = { lines: text.split('\n'), inStrings: rowsInStrings(text) }));
    }
    const [line, source] = [lines[index] ?? '', file.lines[origin.line - 1]];
    const same = file.inStrings.has(origin.line) ? line === source : line.trim() === source?.trim();
    // A rewritten line must still come from a line that is there.
    if (source === undefined || (origin.kind === 'kept' && !same))
      wrong.push(`${index + 1} ${JSON.stringify(line)}: ${origin.file}:${origin.line} ${String(source)}`);
  }
  return wrong;
}

describe('every gist', () => {
  it.each(subjects)('$name', async (subject) => {
    const report = await makeReport(subject);
    reports.set(subject.name, report);
    expect({ problems: report.score.problems, verified: report.verified }, report.gist.text).toEqual({
      problems: [],
      verified: true,
    });
    expect(report.lines).toHaveLength(report.gist.text.split('\n').length - 1);
    expect(await misplaced(subject.repo, report)).toEqual([]);
  });

  // Linking the same trace again is compared for every sample by test/link; here the whole way is.
  it.each(subjects.filter((_, index) => index % 6 === 0))('$name again: the same bytes', async (subject) => {
    expect((await makeReport(subject)).gist.text).toBe(reports.get(subject.name)?.gist.text);
  });

  it('runs alone, by the lines that coverage.py counts', async () => {
    const asked: [string, string, string][] = [];
    for (const [index, { name, node }] of subjects.entries()) {
      const report = reports.get(name);
      if (report === undefined) continue;
      const place = path.join(folder, String(index));
      await mkdir(place);
      await writeFile(path.join(place, 'concise.py'), report.gist.text);
      asked.push([name, path.join(place, 'concise.py'), node.split('::').slice(1).join('::')]);
    }
    const found = await coverageOf(asked);
    const linesOf = ({ lines }: Report, ...kinds: string[]) =>
      lines.flatMap(({ ran }, index) => (kinds.includes(ran) ? [index + 1] : []));
    const reported = subjects.flatMap(({ name, status }) => {
      const report = reports.get(name);
      if (report === undefined) return [];
      const told = { status, statements: linesOf(report, 'yes', 'no'), executed: linesOf(report, 'yes') };
      expect(report.score.execution).toEqual({ hit: told.executed.length, total: told.statements.length });
      return [[name, told] as const];
    });
    expect(reported.length).toBeGreaterThanOrEqual(30);
    expect(found).toEqual(Object.fromEntries(reported));
    // Two runs under coverage.py for each of some sixty gists.
  }, 900_000);
});

async function coverageOf(asked: readonly (readonly [string, string, string])[]): Promise<unknown> {
  const script = path.join(import.meta.dirname, 'coverageOf.py');
  const env = {
    PATH: process.env['PATH'],
    PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1',
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const child = spawn(await testPython(), [script], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(asked));
  let text = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) text += String(chunk);
  return JSON.parse(text) as unknown;
}
