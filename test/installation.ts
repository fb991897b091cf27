// The files that a build lays beside its bundles, here straight from where they are kept.
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Installation } from '../src/engine/sources.js';

const root = fileURLToPath(new URL('../', import.meta.url));
const installed = [
  'node_modules/web-tree-sitter/web-tree-sitter.wasm',
  'node_modules/tree-sitter-python/tree-sitter-python.wasm',
  'src/trace/helper',
  'src/agent/prompts',
];

/** Makes an installation in a folder that is not there yet. */
export async function layInstallation(folder: string): Promise<Installation> {
  await mkdir(folder);
  for (const file of installed) await symlink(path.join(root, file), path.join(folder, path.basename(file)));
  return { root: folder, version: '0.0.0' };
}
