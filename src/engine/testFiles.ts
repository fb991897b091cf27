// A folder flows in, the Python files under it flow out in order of their names; folders of tools and environments are passed over.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const skipped = new Set([
  ...['.git', '.hg', '.tox', '.nox', '.venv', 'venv', 'node_modules', 'site-packages', '__pycache__'],
  ...['.mypy_cache', '.pytest_cache', '.eggs', 'build', 'dist'],
]);

/** Absolute paths; links are not followed. */
export async function* pythonFilesIn(folder: string, signal: AbortSignal): AsyncGenerator<string> {
  signal.throwIfAborted();
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const full = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!skipped.has(entry.name)) yield* pythonFilesIn(full, signal);
    } else if (entry.isFile() && entry.name.endsWith('.py')) yield full;
  }
}
