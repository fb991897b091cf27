// The layer table of ARCHITECTURE.md, enforced: who may import whom, and what a pure layer may reach.

/** Folder of src/ -> the folders it may import. */
const mayImport = {
  base: [],
  model: ['base'],
  python: ['base', 'model'],
  sandbox: ['base', 'model'],
  trace: ['base', 'model', 'sandbox'],
  link: ['base', 'model', 'python'],
  prune: ['base', 'model', 'python'],
  score: ['base', 'model', 'python'],
  agent: ['base', 'model', 'sandbox'],
  report: ['base', 'model'],
  view: ['base', 'model'],
  engine: ['base', 'model', 'python', 'sandbox', 'trace', 'link', 'prune', 'score', 'agent', 'report'],
  bench: ['base', 'model', 'sandbox', 'engine', 'agent'],
  cli: ['base', 'model', 'python', 'sandbox', 'score', 'agent', 'report', 'view', 'engine', 'bench'],
  server: ['base', 'model', 'python', 'report', 'view', 'engine'],
  extension: ['base', 'model', 'agent', 'report', 'view', 'engine'],
  webview: ['base', 'model', 'view'],
};

const pureLayers = ['base', 'model', 'python', 'link', 'prune', 'score', 'report', 'view'];
const folders = Object.keys(mayImport).join('|');

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...Object.entries(mayImport).map(([folder, allowed]) => ({
      name: `layer-${folder}`,
      comment: `src/${folder} may import ${allowed.length > 0 ? allowed.join(', ') : 'no other layer'}.`,
      severity: /** @type {const} */ ('error'),
      from: { path: `^src/${folder}/` },
      to: { path: '^src/', pathNot: `^src/(${[folder, ...allowed].join('|')})/` },
    })),
    {
      name: 'known-layer',
      comment: 'Every file of src/ lies in a layer of the table.',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/(${folders})/` },
      to: {},
    },
    {
      name: 'pure-layer',
      comment: 'Pure layers do no input or output: of Node they know path/posix and assert.',
      severity: 'error',
      from: { path: `^src/(${pureLayers.join('|')})/` },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(path/posix|assert|assert/strict)$' },
    },
    {
      name: 'vscode-in-extension-only',
      comment: 'The engine runs without VS Code; only its own host knows it.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/extension/' },
      to: { path: '^vscode$|^vscode-languageclient|/@types/vscode/' },
    },
    {
      name: 'no-tests-in-product',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|scripts|sample)/' },
    },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'not-to-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^vscode$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // The build file has the name of the package it imports, and would be taken for it.
    exclude: { path: '/samples/|^esbuild\\.mjs$' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
