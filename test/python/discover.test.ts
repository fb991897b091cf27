// Each folder of `samples/discover/` holds one Python file and what is found in it; `vitest -u` writes the expectation anew.
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TestItem } from '../../src/model/testItem.js';
import { discoverTests } from '../../src/python/discover.js';
import { createPythonParser, type PythonParser } from '../../src/python/parse.js';
import { isTestFile, matchesName, pytestDefaults, readPytestNames } from '../../src/python/pytestNames.js';

const samples = path.join(import.meta.dirname, 'samples/discover');
const modules = path.join(import.meta.dirname, '../../node_modules');
let parser: PythonParser;

beforeAll(async () => {
  parser = await createPythonParser({
    runtime: await readFile(path.join(modules, 'web-tree-sitter/web-tree-sitter.wasm')),
    grammar: await readFile(path.join(modules, 'tree-sitter-python/tree-sitter-python.wasm')),
  });
});

/** `first line-def line-last line  flags  node id`, one line a test. */
function format(item: TestItem): string {
  const flags = [
    item.kind,
    item.parametrized ? 'parametrized' : '',
    item.isAsync ? 'async' : '',
    item.inheritedFrom === undefined ? '' : `from ${item.inheritedFrom}`,
  ].filter((flag) => flag !== '');
  return `${String(item.firstLine)}-${String(item.line)}-${String(item.lastLine)}  ${flags.join(' ')}  ${item.nodeId}`;
}

async function check(folder: string): Promise<void> {
  const files = await readdir(path.join(samples, folder));
  const file = files.find((name) => name.endsWith('.py'));
  if (file === undefined) throw new Error(`no Python file in ${folder}`);
  const names = files.includes('pytest.ini')
    ? readPytestNames('pytest.ini', await readFile(path.join(samples, folder, 'pytest.ini'), 'utf8'))
    : pytestDefaults;
  const text = await readFile(path.join(samples, folder, file), 'utf8');
  const items = discoverTests(parser.parse(text), `tests/${file}`, names ?? pytestDefaults);
  await expect(`${items.map(format).join('\n')}\n`).toMatchFileSnapshot(
    path.join(samples, folder, 'expected.txt'),
  );
}

describe('discovered tests', async () => {
  for (const folder of await readdir(samples)) test(folder, async () => check(folder));
});

describe('naming rules', () => {
  test('are read from every kind of configuration file', () => {
    const expected = { files: ['check_*.py', 'it.py'], functions: ['check'], classes: ['Test'] };
    expect(
      readPytestNames(
        'pytest.ini',
        '[pytest]\npython_files =\n    check_*.py\n    it.py\npython_functions = check ; no\n',
      )?.files,
    ).toEqual(expected.files);
    expect(
      readPytestNames(
        'tox.ini',
        '[tox]\nenvlist = py\n[pytest]\npython_files = check_*.py it.py\npython_functions=check\n',
      ),
    ).toEqual(expected);
    expect(
      readPytestNames(
        'setup.cfg',
        '[tool:pytest]\npython_files: check_*.py it.py\npython_functions: check\n[other]\npython_functions: no\n',
      ),
    ).toEqual(expected);
    const toml =
      '[tool.pytest.ini_options]\npython_files = [\n  "check_*.py", # a remark\n  \'it.py\',\n]\npython_functions = "check"\n[tool.black]\npython_functions = "no"\n';
    expect(readPytestNames('pyproject.toml', toml)).toEqual(expected);
    const dotted =
      '[tool.pytest]\nini_options.python_functions = ["check"]\nini_options.python_files = [ "check_*.py", "it.py" ]\n';
    expect(readPytestNames('pyproject.toml', dotted)).toEqual(expected);
  });

  test('a file without a pytest section is not taken, an empty pytest.ini is', () => {
    expect(readPytestNames('pyproject.toml', '[tool.black]\n')).toBeNull();
    expect(readPytestNames('setup.cfg', '[pytest]\n')).toBeNull();
    expect(readPytestNames('README.md', '[pytest]\n')).toBeNull();
    expect(readPytestNames('pytest.ini', '')).toEqual(pytestDefaults);
  });

  test('say which files hold tests', () => {
    expect(isTestFile('tests/test_a.py')).toBe(true);
    expect(isTestFile('a_test.py')).toBe(true);
    expect(isTestFile('tests/conftest.py')).toBe(false);
    expect(isTestFile('test_a.pyi')).toBe(false);
    const names = { ...pytestDefaults, files: ['tests/*.py', '[ab]?.py'] };
    expect(isTestFile('tests/unit/x.py', names)).toBe(true);
    expect(isTestFile('src/a1.py', names)).toBe(true);
    expect(isTestFile('src/c1.py', names)).toBe(false);
  });

  test('a pattern is a prefix, or a glob where it looks like one', () => {
    expect(matchesName('test_a', ['test'])).toBe(true);
    expect(matchesName('a_test', ['test'])).toBe(false);
    expect(matchesName('a_test', ['*_test'])).toBe(true);
  });
});
