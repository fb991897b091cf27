// `gistify tests`: paths in, the tests they hold out, found by reading alone.
import { readFile, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { GistifyError } from '../base/gistifyError.js';
import { codebaseOf } from '../engine/codebase.js';
import { loadParser } from '../engine/sources.js';
import { pythonFilesIn } from '../engine/testFiles.js';
import type { TestItem } from '../model/testItem.js';
import { discoverTests } from '../python/discover.js';
import { isTestFile } from '../python/pytestNames.js';
import { normalizeNewlines } from '../python/syntax.js';
import { installation } from './installation.js';
import { parseOptions } from './parseOptions.js';

export async function testsCommand(args: readonly string[], signal: AbortSignal): Promise<number> {
  const { values, positionals } = parseOptions(args, { repo: { type: 'string' }, json: { type: 'boolean' } });
  const cwd = process.cwd();
  const base = values.repo === undefined ? cwd : resolve(cwd, values.repo);
  const exists = await stat(base).catch(() => null);
  if (exists?.isDirectory() !== true)
    throw new GistifyError('repo-not-found', `there is no folder ${base}`, 'Give the codebase with --repo.');
  const { root, names } = await codebaseOf(join(base, 'x'), values.repo === undefined ? null : base);
  const parser = await loadParser(installation());
  const items: TestItem[] = [];
  const read = async (file: string): Promise<void> => {
    signal.throwIfAborted();
    const tree = parser.parse(normalizeNewlines(await readFile(file, 'utf8')));
    items.push(...discoverTests(tree, relative(root, file).split(sep).join('/'), names));
    tree.delete();
  };
  const walk = async (folder: string): Promise<void> => {
    for await (const file of pythonFilesIn(folder, signal))
      if (isTestFile(relative(root, file).split(sep).join('/'), names)) await read(file);
  };
  for (const path of positionals.length === 0 ? [root] : positionals) {
    const full = [resolve(base, path), resolve(cwd, path)];
    const found = (
      await Promise.all(full.map(async (one) => ({ one, info: await stat(one).catch(() => null) })))
    ).find(({ info }) => info !== null);
    if (found?.info === undefined || found.info === null)
      throw new GistifyError(
        'file-not-found',
        `there is no file or folder ${path}`,
        'Paths are relative to --repo or to the current folder.',
      );
    await (found.info.isDirectory() ? walk(found.one) : read(found.one));
  }
  process.stdout.write(
    values.json === true
      ? `${JSON.stringify(items, null, 1)}\n`
      : items.map((item) => `${item.nodeId}\n`).join(''),
  );
  return 0;
}
