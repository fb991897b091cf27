// The language server: open Python documents and reports of gists flow in; lenses above tests and hovers over gists flow out.
// It never runs Python and never writes.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CodeLensRefreshRequest,
  createConnection,
  MarkupKind,
  ProposedFeatures,
  TextDocuments,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node';
import type { CancellationToken, CodeLens, WorkspaceFolder } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Report } from '../model/report.js';
import { createPythonParser, type Tree } from '../python/parse.js';
import { definitionAround, removeStatement } from '../python/removeStatement.js';
import { lineHover } from '../view/lineHover.js';
import {
  commands,
  definitionRequest,
  removalRequest,
  reportNotification,
  testsRequest,
  workspaceTestsRequest,
} from '../view/protocol.js';
import type {
  InitializationOptions,
  LineParams,
  Removal,
  ReportParams,
  Rows,
  RunTarget,
  ServerSettings,
  TestsParams,
  TestsResult,
} from '../view/protocol.js';
import { survivingLines } from '../view/survivingLines.js';
import { lensText, testLenses, type TestLens } from '../view/testLens.js';
import { english, translator, type Translate } from '../base/translate.js';
import { codebaseOf } from '../engine/codebase.js';
import { testsIn, workspaceTests } from './workspaceTests.js';

interface LensData extends Omit<TestLens, 'line'> {
  readonly repo: string;
}

const connection = createConnection(ProposedFeatures.all);
const documents = new TextDocuments(TextDocument);
const reports = new Map<string, Report>();
const parser = loadParser();
let folders: readonly string[] = [];
let showLenses = true;
let trusted = true;
let translate: Translate = english;

connection.onInitialize((params) => {
  const options = params.initializationOptions as InitializationOptions | undefined;
  showLenses = options?.codeLens ?? true;
  trusted = options?.trusted ?? true;
  translate = translator(options?.messages ?? {});
  folders = pathsOf(params.workspaceFolders ?? []);
  return {
    capabilities: {
      textDocumentSync: TextDocumentSyncKind.Incremental,
      codeLensProvider: { resolveProvider: true },
      hoverProvider: true,
      workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
    },
  };
});

connection.onInitialized(() => {
  connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
    const gone = new Set(pathsOf(removed));
    folders = [...folders.filter((folder) => !gone.has(folder)), ...pathsOf(added)];
  });
});

connection.onDidChangeConfiguration(async ({ settings }) => {
  ({ codeLens: showLenses, trusted } = settings as ServerSettings);
  await connection.sendRequest(CodeLensRefreshRequest.type);
});

connection.onCodeLens(async ({ textDocument }) => {
  if (!showLenses) return [];
  const tests = await testsOf(textDocument.uri);
  if (tests === null) return [];
  return testLenses(tests.items).map(({ line, ...lens }): CodeLens => {
    const position = { line: line - 1, character: 0 };
    const data: LensData = { repo: tests.repo, ...lens };
    return { range: { start: position, end: position }, data };
  });
});

connection.onCodeLensResolve((lens) => {
  const { repo, ...data } = lens.data as LensData;
  const targets = data.nodeIds.map((nodeId): RunTarget => ({ repo, nodeId }));
  return {
    ...lens,
    command: { ...lensText(data, trusted, translate), command: commands.run, arguments: targets },
  };
});

connection.onHover(({ textDocument, position }) => {
  const report = reports.get(textDocument.uri);
  const document = documents.get(textDocument.uri);
  if (report === undefined || document === undefined) return null;
  const line = survivingLines(report.gist.text, document.getText())[position.line] ?? 0;
  const value = line === 0 ? null : lineHover(report, line, translate);
  return value === null ? null : { contents: { kind: MarkupKind.Markdown, value } };
});

connection.onRequest(testsRequest, async ({ uri }: TestsParams) => testsOf(uri));

connection.onRequest(workspaceTestsRequest, async (token: CancellationToken) => {
  const controller = new AbortController();
  token.onCancellationRequested(() => {
    controller.abort();
  });
  return workspaceTests(folders, await parser, controller.signal);
});

connection.onNotification(reportNotification, ({ uri, report }: ReportParams) => {
  if (report === null) reports.delete(uri);
  else reports.set(uri, report);
});

documents.listen(connection);
connection.listen();

connection.onRequest(removalRequest, async ({ uri, row }: LineParams): Promise<Removal | null> =>
  withTree(uri, (tree) => removeStatement(tree, row)),
);

connection.onRequest(definitionRequest, async ({ uri, row }: LineParams): Promise<Rows | null> =>
  withTree(uri, (tree) => definitionAround(tree, row)),
);

async function withTree<T>(uri: string, ask: (tree: Tree) => T): Promise<T | null> {
  const text = await textOf(uri);
  if (text === null) return null;
  const tree = (await parser).parse(text);
  try {
    return ask(tree);
  } finally {
    tree.delete();
  }
}

/** The text in the editor, else that on disk. */
async function textOf(uri: string): Promise<string | null> {
  const open = documents.get(uri);
  if (open !== undefined || !uri.startsWith('file:')) return open?.getText() ?? null;
  return readFile(fileURLToPath(uri), 'utf8').catch(() => null);
}

/** The tests of a file; null where pytest would not look for any in it, as in a gist. */
async function testsOf(uri: string): Promise<TestsResult | null> {
  if (!uri.startsWith('file:') || reports.has(uri)) return null;
  const file = fileURLToPath(uri);
  const text = await textOf(uri);
  if (text === null) return null;
  const codebase = await codebaseOf(file, innermostFolder(file));
  return testsIn(file, text, codebase, await parser);
}

function innermostFolder(file: string): string | null {
  const holding = folders.filter((folder) => file.startsWith(`${folder}${path.sep}`));
  return holding.sort((a, b) => b.length - a.length)[0] ?? null;
}

function pathsOf(given: readonly WorkspaceFolder[]): string[] {
  return given.filter(({ uri }) => uri.startsWith('file:')).map(({ uri }) => fileURLToPath(uri));
}

/** The grammar lies beside this bundle. */
async function loadParser(): ReturnType<typeof createPythonParser> {
  const beside = path.dirname(fileURLToPath(import.meta.url));
  const [runtime, grammar] = await Promise.all([
    readFile(path.join(beside, 'web-tree-sitter.wasm')),
    readFile(path.join(beside, 'tree-sitter-python.wasm')),
  ]);
  return createPythonParser({ runtime, grammar });
}
