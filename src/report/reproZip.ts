// Files of an export flow in, one archive flows out; the same files give the same bytes.
import { strToU8, zipSync } from 'fflate';

/** A zip archive of text files by name. */
export function reproZip(files: Readonly<Record<string, string>>): Uint8Array {
  const entries = Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const mtime = new Date(Date.UTC(1980, 0, 2));
  return zipSync(Object.fromEntries(entries.map(([name, text]) => [name, strToU8(text)])), {
    level: 9,
    mtime,
  });
}
