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
import type { CodeLens, WorkspaceFolder } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Report } from '../model/report.js';
import { discoverTests } from '../python/discover.js';
import { createPythonParser } from '../python/parse.js';
import { isTestFile } from '../python/pytestNames.js';
import { lineHover } from '../view/lineHover.js';
import { commands, reportNotification, testsRequest } from '../view/protocol.js';
import type {
  InitializationOptions,
  ReportParams,
  RunTarget,
  ServerSettings,
  TestsParams,
  TestsResult,
} from '../view/protocol.js';
import { survivingLines } from '../view/survivingLines.js';
import { lensLine, lensText } from '../view/testLens.js';
import { codebaseOf } from '../engine/codebase.js';

interface LensData extends RunTarget {
  readonly parametrized: boolean;
}

const connection = createConnection(ProposedFeatures.all);
const documents = new TextDocuments(TextDocument);
const reports = new Map<string, Report>();
const parser = loadParser();
let folders: readonly string[] = [];
let showLenses = true;

connection.onInitialize((params) => {
  const options = params.initializationOptions as InitializationOptions | undefined;
  showLenses = options?.codeLens ?? true;
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
  showLenses = (settings as ServerSettings).codeLens;
  await connection.sendRequest(CodeLensRefreshRequest.type);
});

connection.onCodeLens(async ({ textDocument }) => {
  if (!showLenses) return [];
  const tests = await testsOf(textDocument.uri);
  return (tests?.items ?? []).map((item): CodeLens => {
    const position = { line: lensLine(item) - 1, character: 0 };
    const data: LensData = { repo: tests?.repo ?? '', nodeId: item.nodeId, parametrized: item.parametrized };
    return { range: { start: position, end: position }, data };
  });
});

connection.onCodeLensResolve((lens) => {
  const { repo, nodeId, parametrized } = lens.data as LensData;
  const target: RunTarget = { repo, nodeId };
  return {
    ...lens,
    command: { ...lensText(nodeId, parametrized), command: commands.run, arguments: [target] },
  };
});

connection.onHover(({ textDocument, position }) => {
  const report = reports.get(textDocument.uri);
  const document = documents.get(textDocument.uri);
  if (report === undefined || document === undefined) return null;
  const line = survivingLines(report.gist.text, document.getText())[position.line] ?? 0;
  const value = line === 0 ? null : lineHover(report, line);
  return value === null ? null : { contents: { kind: MarkupKind.Markdown, value } };
});

connection.onRequest(testsRequest, async ({ uri }: TestsParams) => testsOf(uri));

connection.onNotification(reportNotification, ({ uri, report }: ReportParams) => {
  if (report === null) reports.delete(uri);
  else reports.set(uri, report);
});

documents.listen(connection);
connection.listen();

/** The tests of an open document; null where pytest would not look for any in it, as in a gist. */
async function testsOf(uri: string): Promise<TestsResult | null> {
  const document = documents.get(uri);
  if (document === undefined || !uri.startsWith('file:') || reports.has(uri)) return null;
  const file = fileURLToPath(uri);
  const codebase = await codebaseOf(file, innermostFolder(file));
  const name = path.relative(codebase.root, file).split(path.sep).join('/');
  if (!isTestFile(name, codebase.names)) return null;
  const tree = (await parser).parse(document.getText());
  try {
    return { repo: codebase.root, items: discoverTests(tree, name, codebase.names) };
  } finally {
    tree.delete();
  }
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
