// Files of an export flow in, one archive flows out; the same files give the same bytes.
import { strToU8, zipSync } from 'fflate';
import { issueText } from './issueBody.js';

/** What an archive is made of. */
export interface ReproParts {
  readonly fileName: string;
  readonly text: string;
  readonly title: string;
  readonly body: string;
  readonly requirements: string;
  readonly data: Readonly<Record<string, string>>;
}

/** The files of the archive, by name. */
export function reproFiles(parts: ReproParts): Readonly<Record<string, string>> {
  const data = Object.entries(parts.data).map(([file, content]) => [`data/${file}`, content] as const);
  return {
    'README.md': readme(parts),
    [parts.fileName]: parts.text,
    'requirements.txt': parts.requirements,
    'ISSUE.md': issueText(parts.title, parts.body),
    ...Object.fromEntries(data),
  };
}

function readme({ title, fileName, data }: ReproParts): string {
  return [
    `# ${title}`,
    '',
    `- ${fileName}: the repro; it needs nothing else of this archive`,
    '- requirements.txt: what to install for it',
    '- ISSUE.md: the text of an issue',
    ...Object.keys(data).map(
      (file) => `- data/${file}: a file that the test reads, to look at; the repro carries its own copy`,
    ),
    '',
  ].join('\n');
}

/** A zip archive of text files by name. */
export function reproZip(files: Readonly<Record<string, string>>): Uint8Array {
  const entries = Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const mtime = new Date(Date.UTC(1980, 0, 2));
  return zipSync(Object.fromEntries(entries.map(([name, text]) => [name, strToU8(text)])), {
    level: 9,
    mtime,
  });
}
