// Bundles each host's entry into one file of dist/ and lays the files it reads at run time beside it.
// Only the extension's bundle leaves `vscode` out, so a stray import of it breaks every other build.
import { build } from 'esbuild';
import { chmod, copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(fileURLToPath(import.meta.url));
const dist = path.join(root, 'dist');

/** @type {readonly { entry: string, out: string, external: string[], executable: boolean }[]} */
const hosts = [
  { entry: 'src/cli/main.ts', out: 'cli.js', external: [], executable: true },
  { entry: 'src/server/main.ts', out: 'server.js', external: [], executable: false },
  { entry: 'src/extension/main.ts', out: 'extension.cjs', external: ['vscode'], executable: false },
];

/** Files that a bundle reads at run time, by their path in dist/. */
async function runtimeFiles() {
  const helper = path.join(root, 'src/trace/helper');
  const python = existsSync(helper) ? (await readdir(helper)).filter((name) => name.endsWith('.py')) : [];
  return [
    { from: 'node_modules/web-tree-sitter/web-tree-sitter.wasm', to: 'web-tree-sitter.wasm' },
    { from: 'node_modules/tree-sitter-python/tree-sitter-python.wasm', to: 'tree-sitter-python.wasm' },
    ...python.map((name) => ({ from: `src/trace/helper/${name}`, to: `helper/${name}` })),
  ];
}

/** @param {typeof hosts[number]} host */
async function bundle(host) {
  // CommonJS, because VS Code 1.91 loads nothing else; `import.meta.url` is given its meaning back.
  const shebang = host.executable ? '#!/usr/bin/env node\n' : '';
  await build({
    absWorkingDir: root,
    entryPoints: [host.entry],
    outfile: path.join(dist, host.out),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: host.external,
    define: { 'import.meta.url': 'bundleUrl' },
    banner: { js: `${shebang}const bundleUrl = require('node:url').pathToFileURL(__filename).href;` },
    sourcemap: true,
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'warning',
  });
  if (host.executable) await chmod(path.join(dist, host.out), 0o755);
}

// Only what could go stale is removed: a gistify that is running keeps its bundle until it is written over.
await rm(path.join(dist, 'helper'), { recursive: true, force: true });
await mkdir(path.join(dist, 'helper'), { recursive: true });
// The package is made of ES modules; what is bundled here is not, and says so.
await writeFile(path.join(dist, 'package.json'), '{ "type": "commonjs" }\n');
await Promise.all([
  ...hosts.filter((host) => existsSync(path.join(root, host.entry))).map(bundle),
  ...(await runtimeFiles()).map((file) => copyFile(path.join(root, file.from), path.join(dist, file.to))),
]);
