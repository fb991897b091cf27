// Exports flow in and are shown as documents that cannot be changed: each is the very text that leaves, and the lenses above
// it are the ways out. What was masked, and what looks like a secret, is said there too.
import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Exported } from '../engine/exportGist.js';
import { issueText, linkedBody } from '../report/issueBody.js';
import { newIssueAddress } from '../report/newIssue.js';
import { reproFiles, reproZip } from '../report/reproZip.js';
import type { Reporter } from './log.js';
import { createSecretGist } from './secretGist.js';

const t = vscode.l10n.t;

export type ExportForm = 'py' | 'md' | 'zip';

export interface ExportRequest {
  readonly gist: vscode.Uri;
  readonly form: ExportForm;
  readonly secrets: 'mask' | 'keep';
}

export interface Draft {
  readonly uri: vscode.Uri;
  readonly request: ExportRequest;
  readonly exported: Exported;
  /** Exactly what leaves; of an archive all its files, one below the other. */
  readonly text: string;
  /** What an issue says. */
  readonly body: string;
}

export interface ExportDrafts {
  dispose(): void;
  show(request: ExportRequest, exported: Exported): Promise<void>;
  /** The draft of a document, for tests. */
  get(uri: vscode.Uri): Draft | undefined;
}

export interface DraftHost {
  readonly reporter: Reporter;
  /** Makes the export anew. */
  readonly redo: (request: ExportRequest) => Promise<void>;
}

const scheme = 'gistify-export';
const action = (name: string): string => `gistify.export.${name}`;

export function createExportDrafts({ reporter, redo }: DraftHost): ExportDrafts {
  const drafts = new Map<string, Draft>();
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const lensesChanged = new vscode.EventEmitter<void>();

  const put = (draft: Draft): void => {
    drafts.set(draft.uri.toString(), draft);
    changed.fire(draft.uri);
    lensesChanged.fire();
  };

  const register = (name: string, act: (draft: Draft, given: unknown) => Promise<void>): vscode.Disposable =>
    vscode.commands.registerCommand(action(name), async (uri: vscode.Uri, given: unknown) => {
      const draft = drafts.get(uri.toString());
      if (draft === undefined) return;
      try {
        await act(draft, given);
      } catch (error) {
        reporter.fail(`Gistify: ${error instanceof Error ? error.message : String(error)}`);
      }
    });

  const listeners = [
    ...[changed, lensesChanged],
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: (uri) => drafts.get(uri.toString())?.text ?? '',
    }),
    vscode.languages.registerCodeLensProvider(
      { scheme },
      {
        onDidChangeCodeLenses: lensesChanged.event,
        provideCodeLenses(document) {
          const draft = drafts.get(document.uri.toString());
          return draft === undefined ? [] : lensesOf(draft);
        },
      },
    ),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => drafts.delete(uri.toString())),
    register('save', async (draft, given) => save(draft, given instanceof vscode.Uri ? given : undefined)),
    register('copy', async ({ text }) => {
      await vscode.env.clipboard.writeText(text);
      vscode.window.setStatusBarMessage(`$(clippy) ${t('Copied')}`, 3000);
    }),
    register('details', async (draft) => {
      await vscode.window.showQuickPick([...findings(draft)], { placeHolder: t('What was masked') });
    }),
    register('secrets', async ({ request }) => {
      await redo({ ...request, secrets: request.secrets === 'mask' ? 'keep' : 'mask' });
    }),
    register('gist', async (draft) => {
      const url = await createSecretGist(
        { [`repro.${draft.request.form}`]: draft.text },
        draft.exported.title,
      );
      if (url === null) return;
      await vscode.env.clipboard.writeText(url);
      await openOutside(url);
    }),
    register('issue', async (draft) => openIssue(draft, put)),
  ];

  return {
    get: (uri) => drafts.get(uri.toString()),
    async show(request, exported) {
      const { title, body } = exported;
      const texts: Record<ExportForm, () => string> = {
        py: () => exported.text,
        md: () => issueText(title, body),
        zip: () => listing(reproFiles(exported)),
      };
      const name = { py: 'repro.py', md: 'ISSUE.md', zip: 'repro.zip.txt' }[request.form];
      const uri = vscode.Uri.from({ scheme, path: `/${name}`, query: request.gist.fsPath });
      put({ uri, request, exported, text: texts[request.form](), body });
      await vscode.window.showTextDocument(uri, { preview: false });
    },
    dispose() {
      for (const each of listeners) each.dispose();
    },
  };
}

function listing(files: Readonly<Record<string, string>>): string {
  return Object.entries(files)
    .map(([name, text]) => `════ ${name}\n\n${text.replace(/\n*$/, '\n')}`)
    .join('\n');
}

function lensesOf(draft: Draft): vscode.CodeLens[] {
  const { uri, request, exported } = draft;
  const { masked, secrets, facts } = exported;
  const lens = (title: string, name: string, tooltip = ''): vscode.CodeLens =>
    new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
      title,
      tooltip,
      command: action(name),
      arguments: [uri],
    });
  const kept = request.secrets === 'keep';
  const looksSecret =
    secrets.length === 0 || kept ? [] : [`${t('what looks like a secret')} ×${secrets.length}`];
  const all = [...masked.map(({ what, count }) => `${what} ×${count}`), ...looksSecret];
  return [
    lens(`$(save) ${t('Save…')}`, 'save', t('Save exactly this')),
    ...(request.form === 'zip'
      ? []
      : [
          lens(`$(clippy) ${t('Copy')}`, 'copy', t('Copy exactly this')),
          lens(
            `$(github) ${t('Secret GitHub Gist')}`,
            'gist',
            t('Send exactly this to GitHub, as a secret gist'),
          ),
        ]),
    ...(request.form === 'md' && facts.repository !== null
      ? [
          lens(
            `$(issues) ${t('New Issue')}`,
            'issue',
            t('Open a new issue of {0} with this filled in', facts.repository),
          ),
        ]
      : []),
    ...(secrets.length === 0
      ? []
      : [
          lens(
            `$(key) ${kept ? t('Mask What Looks Like a Secret') : t('Keep What Looks Like a Secret')}`,
            'secrets',
          ),
        ]),
    lens(
      `$(shield) ${all.length === 0 ? t('nothing was masked') : t('masked: {0}', all.join(', '))}`,
      'details',
    ),
  ];
}

function findings({ exported, request }: Draft): readonly vscode.QuickPickItem[] {
  const kept = request.secrets === 'keep';
  return [
    ...exported.masked.map(({ what, count }) => ({
      label: `$(shield) ${what}`,
      description: t('{0} places', count),
    })),
    ...exported.secrets.map(({ rule, line, message }) => ({
      label: `$(key) ${message}`,
      description: `${rule}, ${kept ? t('kept, line {0}', line) : t('masked, line {0} of the gist', line)}`,
    })),
  ];
}

/** @param given where to, where that is known; else it is asked for */
async function save(draft: Draft, given: vscode.Uri | undefined): Promise<void> {
  const { request, exported, text } = draft;
  const defaultUri = vscode.Uri.file(path.join(os.homedir(), `repro.${request.form}`));
  const target = given ?? (await vscode.window.showSaveDialog({ defaultUri, title: t('Save the Export') }));
  if (target === undefined) return;
  await writeFile(target.fsPath, request.form === 'zip' ? reproZip(reproFiles(exported)) : text);
  vscode.window.setStatusBarMessage(`$(save) ${target.fsPath}`, 5000);
}

/** What is too long for an address goes into a secret gist first, and the issue leads there: the draft shows that. */
async function openIssue(draft: Draft, put: (draft: Draft) => void): Promise<void> {
  const { exported, body } = draft;
  const { title, facts, text, fileName } = exported;
  if (facts.repository === null) return;
  const address = newIssueAddress(facts.repository, title, body);
  if (address !== null) {
    await openOutside(address);
    return;
  }
  const copy = t('Copy the Text and Open the Page');
  const gist = t('Put the File into a Secret Gist');
  const question = t('The issue is too long for an address.');
  const answer = await vscode.window.showWarningMessage(question, { modal: true }, copy, gist);
  if (answer === copy) {
    await vscode.env.clipboard.writeText(body);
    await openOutside(newIssueAddress(facts.repository, title, '') ?? facts.repository);
  } else if (answer === gist) {
    const url = await createSecretGist({ [fileName]: text }, title);
    if (url === null) return;
    const shorter = linkedBody(body, text, url);
    put({ ...draft, body: shorter, text: issueText(title, shorter) });
  }
}

/** As text: a parsed address would be encoded anew, and its parameters with it. */
async function openOutside(address: string): Promise<void> {
  await vscode.env.openExternal(address as unknown as vscode.Uri);
}
