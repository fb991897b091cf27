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

// The client of container engines is loaded only where one is used, and without the parts that build images and speak
// ssh themselves: @devcontainers/cli does the one, the user's own ssh the other.
const unused = ['@grpc/grpc-js', '@grpc/proto-loader', 'protobufjs', 'ssh2'];

/** @type {import('esbuild').Plugin} */
const dockerodeBeside = {
  name: 'dockerode-beside',
  setup(bundling) {
    bundling.onResolve({ filter: /^dockerode$/ }, () => ({ path: './dockerode.js', external: true }));
  },
};

/** @type {import('esbuild').Plugin} */
const withoutUnused = {
  name: 'without-unused',
  setup(bundling) {
    bundling.onResolve({ filter: new RegExp(`^(${unused.join('|')})$`) }, ({ path: name }) => ({
      path: name,
      namespace: 'unused',
    }));
    bundling.onLoad({ filter: /./, namespace: 'unused' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** What runs in a browser: the script of the report's webview, and the extension where there is no machine. */
async function bundleForBrowsers() {
  const common = { absWorkingDir: root, bundle: true, target: 'es2022' };
  /** @type {import('esbuild').BuildOptions} */
  const shared = { ...common, platform: 'browser', legalComments: 'none', logLevel: 'warning' };
  const webview = path.join(dist, 'webview', 'report.js');
  await build({ ...shared, entryPoints: ['src/webview/report.ts'], outfile: webview, format: 'iife' });
  const web = { outfile: path.join(dist, 'web.cjs'), external: ['vscode'] };
  await build({ ...shared, ...web, entryPoints: ['src/extension/web.ts'], format: 'cjs' });
}

/** Our own files that are imported by `import()`: each is a bundle of its own, which is loaded only where it is needed. */
const late = /** @type {Set<string>} */ (new Set());
/** @type {import('esbuild').Plugin} */
const lateBundles = {
  name: 'late-bundles',
  setup(bundler) {
    bundler.onResolve({ filter: /^\.\.?\// }, ({ kind, path: file, resolveDir }) => {
      if (kind !== 'dynamic-import' || !resolveDir.startsWith(path.join(root, 'src'))) return undefined;
      late.add(path.join(resolveDir, file.replace(/\.js$/, '.ts')));
      return { path: `./${path.basename(file)}`, external: true };
    });
  },
};

/** Files that a bundle reads at run time, by their path in dist/. */
async function runtimeFiles() {
  const helper = path.join(root, 'src/trace/helper');
  const prompts = await readdir(path.join(root, 'src/agent/prompts'));
  const python = existsSync(helper) ? (await readdir(helper)).filter((name) => name.endsWith('.py')) : [];
  return [
    { from: 'node_modules/web-tree-sitter/web-tree-sitter.wasm', to: 'web-tree-sitter.wasm' },
    { from: 'node_modules/tree-sitter-python/tree-sitter-python.wasm', to: 'tree-sitter-python.wasm' },
    { from: 'src/sandbox/helper/gistify_inside.py', to: 'sandbox/gistify_inside.py' },
    ...prompts.map((name) => ({ from: `src/agent/prompts/${name}`, to: `prompts/${name}` })),
    ...[
      'devcontainer.js',
      'package.json',
      'LICENSE.txt',
      'ThirdPartyNotices.txt',
      'scripts/updateUID.Dockerfile',
    ].map((name) => ({ from: `node_modules/@devcontainers/cli/${name}`, to: `devcontainers/${name}` })),
    {
      from: 'node_modules/@devcontainers/cli/dist/spec-node/devContainersSpecCLI.js',
      to: 'devcontainers/dist/spec-node/devContainersSpecCLI.js',
    },
    ...python.map((name) => ({ from: `src/trace/helper/${name}`, to: `helper/${name}` })),
  ];
}

/** @param {typeof hosts[number]} host */
async function bundle(host) {
  // CommonJS, which every VS Code loads; `import.meta.url` is given its meaning back.
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
    plugins: [dockerodeBeside, lateBundles],
    // Its other form looks for its parts at run time.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    define: { 'import.meta.url': 'bundleUrl' },
    banner: { js: `${shebang}const bundleUrl = require('node:url').pathToFileURL(__filename).href;` },
    sourcemap: true,
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'warning',
  });
  if (host.executable) await chmod(path.join(dist, host.out), 0o755);
}

async function bundleDockerode() {
  await build({
    absWorkingDir: root,
    entryPoints: ['node_modules/dockerode/lib/docker.js'],
    outfile: path.join(dist, 'dockerode.js'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    plugins: [withoutUnused],
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
}

// Only what could go stale is removed: a gistify that is running keeps its bundle until it is written over.
for (const folder of ['helper', 'prompts']) {
  await rm(path.join(dist, folder), { recursive: true, force: true });
  await mkdir(path.join(dist, folder), { recursive: true });
}
for (const folder of ['sandbox', 'devcontainers/scripts', 'devcontainers/dist/spec-node'])
  await mkdir(path.join(dist, folder), { recursive: true });
// The package is made of ES modules; what is bundled here is not, and says so.
await writeFile(path.join(dist, 'package.json'), '{ "type": "commonjs" }\n');
await Promise.all([
  bundleForBrowsers(),
  ...hosts.filter((host) => existsSync(path.join(root, host.entry))).map(bundle),
  bundleDockerode(),
  ...(await runtimeFiles()).map((file) => copyFile(path.join(root, file.from), path.join(dist, file.to))),
]);
// What is loaded late may load more, later still.
const bundled = /** @type {Set<string>} */ (new Set());
for (;;) {
  const next = [...late].filter((file) => !bundled.has(file));
  if (next.length === 0) break;
  await Promise.all(
    next.map((file) => {
      bundled.add(file);
      const out = `${path.basename(file, '.ts')}.js`;
      return bundle({ entry: path.relative(root, file), out, external: [], executable: false });
    }),
  );
}
