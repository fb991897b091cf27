// Prompts are text files beside this one; their places `{{name}}` are filled with values. A name without a value is a
// fault of ours and never reaches a model.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GistifyError } from '../base/gistifyError.js';

/** The text of a prompt file, by its name without `.md`, with its places filled. */
export type Prompts = (name: string, values?: Readonly<Record<string, string>>) => string;

/** Reads every prompt of a folder. */
export async function loadPrompts(folder: string): Promise<Prompts> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.md'));
  const texts = new Map(
    await Promise.all(
      files.map(
        async (file) =>
          [file.replace(/\.md$/, ''), (await readFile(join(folder, file), 'utf8')).trim()] as const,
      ),
    ),
  );
  return (name, values = {}) => {
    const text = texts.get(name);
    if (text === undefined) throw new GistifyError('internal', `there is no prompt ${name}`);
    return text
      .replaceAll(/\{\{(\w+)\}\}/g, (_place, key: string) => {
        const value = values[key];
        if (value === undefined) throw new GistifyError('internal', `prompt ${name}: ${key} has no value`);
        return value;
      })
      .replaceAll(/\n{3,}/g, '\n\n');
  };
}
