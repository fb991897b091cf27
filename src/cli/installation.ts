// Where this bundle's own files are, and its version.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Installation } from '../engine/sources.js';

/** The folder that holds the bundle, the wasm files and the Python helper. */
export function installation(): Installation {
  const root = dirname(fileURLToPath(import.meta.url));
  const { version } = JSON.parse(readFileSync(join(root, '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  return { root, version };
}
