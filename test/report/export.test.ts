// The parts of an export: what leaves is masked, secrets are found, and nothing of a codebase reads as markup.
import { expect, it } from 'vitest';
import { fenced, inlineCode, issueBody, issueTitle } from '../../src/report/issueBody.js';
import { mask } from '../../src/report/mask.js';
import { newIssueAddress, webAddress } from '../../src/report/newIssue.js';
import type { ReproFacts } from '../../src/report/reproFacts.js';
import { reproFile } from '../../src/report/reproFile.js';
import { reproZip } from '../../src/report/reproZip.js';
import { findSecrets, maskSecrets } from '../../src/report/secrets.js';

const facts: ReproFacts = {
  nodeId: 'tests/test_a.py::TestA::test_b',
  fileName: 'repro.py',
  repository: 'https://github.com/o/r',
  commit: 'abc',
  dirty: true,
  python: '3.11.7',
  platform: 'Linux x86_64',
  packages: { pytest: '8.4.2' },
  gistify: '0.1.0',
  lines: 3,
  minimal: true,
  expected: 'the test passes',
  observed: 'ValueError: `x` | @someone\n# ///\n</details>',
  output: '```\n</details> @someone\n```',
  dataFiles: ['data/a.txt'],
};

it('masks paths before the folders that hold them, and names only as words', () => {
  const { text, changes } = mask('/home/zoe/app/x.py /home/zoe/.netrc zoe zoes ZOE_KEY pc-zoe', [
    { what: 'home folder', value: '/home/zoe' },
    { what: 'codebase', value: '/home/zoe/app' },
    { what: 'user name', value: 'zoe' },
  ]);
  expect(text).toBe('/repo/x.py /home/user/.netrc user zoes ZOE_KEY pc-zoe');
  expect(changes).toEqual([
    { what: 'codebase', count: 1 },
    { what: 'home folder', count: 1 },
    { what: 'user name', count: 1 },
  ]);
});

it('leaves names alone that are words of code', () => {
  const places = [{ what: 'user name', value: 'root' } as const, { what: 'codebase', value: '/x' } as const];
  expect(mask('root = "/x"', places).text).toBe('root = "/x"');
});

it('finds secrets by rule and by randomness, and masks them in place', async () => {
  const token = ['ghp', '_', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('');
  const random = 'q8Zt4xLw9Rk2VbN7mYc3HsJ6dGfP1aTe';
  const text = `TOKEN = "${token}"\nkey = "${random}"\nname = "test_total_of_a_cart_with_rounding"\npath = "/usr/lib/python3/dist-packages/x"\n`;
  const found = await findSecrets(text, 'repro.py');
  expect(found.map(({ line }) => line)).toEqual([1, 2]);
  expect(found[0]?.rule).toBe('github');
  expect(found[1]?.rule).toBe('high-entropy');
  const clean = maskSecrets(text, found);
  expect(clean).not.toContain(token);
  expect(clean).not.toContain(random);
  expect(clean.length).toBe(text.length);
  expect(await findSecrets(clean, 'repro.py')).toEqual([]);
});

it('does not report data that Gistify put there', async () => {
  expect(await findSecrets('data = "q8Zt4xLw9Rk2VbN7mYc3HsJ6dGfP1aTe"\n', 'repro.py', new Set([1]))).toEqual(
    [],
  );
});

it('writes a fence and inline code that their content cannot close', () => {
  expect(fenced('a\n````\nb', 'python')).toBe('`````python\na\n````\nb\n`````');
  expect(inlineCode('a ``b`` c')).toBe('```a ``b`` c```');
  expect(inlineCode('`a')).toBe('`` `a ``');
});

it('keeps content of the codebase out of markup', () => {
  const body = issueBody({ kind: 'inline', code: 'x = "````"\n' }, facts);
  const outside = body.replaceAll(/(`{3,})\w*\n[\s\S]*?\n\1\n/g, '').replaceAll(/(`+)[^\n]*?\1/g, '');
  expect(outside).not.toContain('@someone');
  expect(outside.match(/<details/g)?.length).toBe(outside.match(/<\/details>/g)?.length);
  expect(issueTitle(facts)).not.toContain('\n');
});

it('writes a file with its dependencies, a start, and one-line comments', () => {
  const text = 'from __future__ import annotations\nimport a\ndef test_b():\n    assert a\n';
  const kept = (file: string, line: number) => ({ kind: 'kept', file, line }) as const;
  const gist = {
    text,
    origins: [kept('a.py', 1), kept('a.py', 2), kept('tests/test_a.py', 1), kept('tests/test_a.py', 2)],
  };
  const lines = reproFile(gist, facts).split('\n');
  const end = lines.indexOf('# ///');
  expect(lines.slice(0, end)).toEqual([
    '# /// script',
    '# requires-python = "==3.11.*"',
    '# dependencies = [',
    '#     "pytest==8.4.2",',
    '# ]',
  ]);
  expect(lines.indexOf('# ///', end + 1)).toBe(-1);
  const code = lines.filter((line) => line !== '' && !line.startsWith('#'));
  expect(code[0]).toBe('from __future__ import annotations');
  expect(code[1]).toBe('if __name__ == "__main__":');
  expect(lines.join('\n')).toContain('here + "::TestA::test_b"');
  expect(lines.join('\n')).toContain('# tests/test_a.py\ndef test_b');
});

it('turns remotes into web addresses without credentials', () => {
  expect(webAddress('git@github.com:o/r.git')).toBe('https://github.com/o/r');
  expect(webAddress('https://user:token@gitlab.com/g/s/r.git\n')).toBe('https://gitlab.com/g/s/r');
  expect(webAddress('ssh://git@gitlab.example.com:2222/g/r')).toBe('https://gitlab.example.com/g/r');
  expect(webAddress('/srv/git/r.git')).toBeNull();
});

it('prefills new issues where the host has such a page, and tells what is too long', () => {
  expect(newIssueAddress('https://github.com/o/r', 'a b', 'c&d')).toBe(
    'https://github.com/o/r/issues/new?title=a%20b&body=c%26d',
  );
  expect(newIssueAddress('https://gitlab.com/o/r', 'a', 'b')).toBe(
    'https://gitlab.com/o/r/-/issues/new?issue%5Btitle%5D=a&issue%5Bdescription%5D=b',
  );
  expect(newIssueAddress('https://example.com/o/r', 'a', 'b')).toBeNull();
  expect(newIssueAddress('https://github.com/o/r', 'a', 'b'.repeat(9000))).toBeNull();
});

it('gives the same archive for the same files', () => {
  const files = { 'repro.py': 'x = 1\n', 'data/a.txt': 'a' };
  expect(Buffer.from(reproZip(files)).equals(Buffer.from(reproZip(files)))).toBe(true);
  expect(Buffer.from(reproZip(files)).subarray(0, 2).toString()).toBe('PK');
});
