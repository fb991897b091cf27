// The user's environment flows in, the folder where Gistify keeps what makes the next run fast flows out.
import { isAbsolute, join, sep } from 'node:path';

/** By the XDG rules; null where there is no home, or where it would lie in the codebase, which is not written to. */
export function cacheFolder(env: Readonly<Record<string, string>>, repo: string): string | null {
  const given = env['XDG_CACHE_HOME'] ?? '';
  const home = env['HOME'] ?? env['USERPROFILE'] ?? '';
  const base = isAbsolute(given) ? given : isAbsolute(home) ? join(home, '.cache') : null;
  if (base === null) return null;
  const folder = join(base, 'gistify', 'code');
  return folder.startsWith(repo + sep) ? null : folder;
}
