// What the program says and what the German bundles hold flow in: each message has its translation, with the same places to fill.
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '../..');

async function bundle(name: string): Promise<Readonly<Record<string, string>>> {
  return JSON.parse(await readFile(path.join(root, name), 'utf8')) as Record<string, string>;
}

/** The first argument of every call of `t` or `vscode.l10n.t` in the sources. */
async function messages(): Promise<readonly string[]> {
  const found = new Set<string>();
  const files = (await readdir(path.join(root, 'src'), { recursive: true })).filter((file) =>
    file.endsWith('.ts'),
  );
  for (const file of files) {
    const text = await readFile(path.join(root, 'src', file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && /^(vscode\.l10n\.)?t$/.test(node.expression.getText())) {
        const [message] = node.arguments;
        expect(message !== undefined && ts.isStringLiteralLike(message), `${file}: ${node.getText()}`).toBe(
          true,
        );
        if (message !== undefined && ts.isStringLiteralLike(message)) found.add(message.text);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return [...found].sort();
}

const places = (text: string): string =>
  [...text.matchAll(/\{\d+\}/g)]
    .map(([place]) => place)
    .sort()
    .join();

describe('translations', () => {
  test('every message of the program is in the German bundle, and no other', async () => {
    const german = await bundle('l10n/bundle.l10n.de.json');
    expect(Object.keys(german).sort()).toEqual(await messages());
  });

  test('every text of package.json is in both bundles, and no other', async () => {
    const manifest = await readFile(path.join(root, 'package.json'), 'utf8');
    const keys = [...new Set([...manifest.matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key))].sort();
    for (const name of ['package.nls.json', 'package.nls.de.json'])
      expect(Object.keys(await bundle(name)).sort(), name).toEqual(keys);
  });

  test('a translation fills the same places', async () => {
    const german = await bundle('l10n/bundle.l10n.de.json');
    for (const [message, translated] of Object.entries(german))
      expect(places(translated), message).toBe(places(message));
  });
});
