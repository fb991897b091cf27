// Text flows into a file whole or not at all: a run that is stopped never leaves half of one.
import { rename, writeFile } from 'node:fs/promises';

/** Writes beside the target first, then puts it in place. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const part = `${file}.part`;
  await writeFile(part, text);
  await rename(part, file);
}
