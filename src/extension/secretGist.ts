// Files that were looked at flow to GitHub as a secret gist, with the session that VS Code itself keeps; the gist's address
// flows back. No token is kept here.
import * as vscode from 'vscode';

const t = vscode.l10n.t;

/** Null where the user does not sign in. */
export async function createSecretGist(
  files: Readonly<Record<string, string>>,
  description: string,
): Promise<string | null> {
  let session: vscode.AuthenticationSession;
  try {
    session = await vscode.authentication.getSession('github', ['gist'], { createIfNone: true });
  } catch (error) {
    // That is how VS Code tells of a "no".
    if (error instanceof Error && /did not consent|cancelled/i.test(error.message)) return null;
    throw error;
  }
  return postGist('https://api.github.com', session.accessToken, files, description);
}

/** One request to GitHub's interface; throws an Error with GitHub's own words where it refuses. */
export async function postGist(
  api: string,
  token: string,
  files: Readonly<Record<string, string>>,
  description: string,
): Promise<string> {
  const contents = Object.entries(files).map(([name, content]) => [name, { content }] as const);
  const answer = await fetch(`${api}/gists`, {
    method: 'POST',
    headers: {
      Accept: 'application/vnd.github+json',
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'X-GitHub-Api-Version': '2022-11-28',
    },
    body: JSON.stringify({ description, public: false, files: Object.fromEntries(contents) }),
    signal: AbortSignal.timeout(30_000),
  });
  const said = (await answer.json().catch(() => ({}))) as {
    readonly html_url?: string;
    readonly message?: string;
  };
  if (answer.status !== 201 || said.html_url === undefined)
    throw new Error(t('GitHub made no gist: {0}', `${answer.status} ${said.message ?? answer.statusText}`));
  return said.html_url;
}
