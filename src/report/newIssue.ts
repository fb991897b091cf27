// A repository's remote flows in, the address of its web pages and of a prefilled new issue flows out. What is too long
// for an address is told, so that the caller can lead to a gist instead.

/** What servers and browsers take for certain. */
const longest = 8000;

/** `git@host:owner/name.git` and the like as a web address, without user, token or port; null where it is none. */
export function webAddress(remote: string): string | null {
  const text = remote.trim();
  const scp = /^(?:[^@/\s]+@)?([\w.-]+):(?!\/\/)([^\s]+)$/.exec(text);
  const url = /^(?:https?|ssh|git):\/\/(?:[^@/\s]*@)?([\w.-]+)(?::\d+)?\/([^\s?#]+)/.exec(text);
  const [, host, path] = scp ?? url ?? [];
  if (host === undefined || path === undefined || !host.includes('.')) return null;
  return `https://${host}/${path.replace(/\/+$/, '').replace(/\.git$/, '')}`;
}

/** Address of a new-issue page with title and body filled in; null for other hosts and for what is too long. */
export function newIssueAddress(repository: string, title: string, body: string): string | null {
  const { host } = new URL(repository);
  const fields =
    host === 'github.com' || host.startsWith('github.')
      ? { page: '/issues/new', title: 'title', body: 'body' }
      : host === 'gitlab.com' || host.startsWith('gitlab.')
        ? { page: '/-/issues/new', title: 'issue[title]', body: 'issue[description]' }
        : null;
  if (fields === null) return null;
  const query = `${encodeURIComponent(fields.title)}=${encodeURIComponent(title)}&${encodeURIComponent(fields.body)}=${encodeURIComponent(body)}`;
  const address = `${repository}${fields.page}?${query}`;
  return address.length > longest ? null : address;
}
