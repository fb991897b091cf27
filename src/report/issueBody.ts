// An exported repro and its facts flow in, the body of an issue flows out as maintainers ask for it: what happens, steps,
// the code, the full traceback, versions. Everything of the codebase stands in code, where Markdown reads nothing.
import { originWords, type ReproFacts } from './reproFacts.js';

/** A fence that its content cannot close. */
export function fenced(content: string, language: string): string {
  const longest = Math.max(0, ...[...content.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}${language}\n${content.replace(/\n*$/, '\n')}${fence}`;
}

/** Text as code within a line: no markup, no mentions, no line breaks. */
export function inlineCode(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const edge = line.startsWith('`') || line.endsWith('`') || line === '' ? ' ' : '';
  return `${fence}${edge}${line}${edge}${fence}`;
}

function cell(text: string): string {
  return inlineCode(text).replaceAll('|', '\\|');
}

export type CodePlace =
  | { readonly kind: 'inline'; readonly code: string }
  /** The code stands elsewhere; the body only leads there. */
  | { readonly kind: 'link'; readonly url: string };

/** The same body, whose code stands elsewhere. */
export function linkedBody(body: string, code: string, url: string): string {
  return body.replace(fenced(code, 'python'), () => codeWords({ kind: 'link', url }));
}

/** The body under its title, as one document. */
export function issueText(title: string, body: string): string {
  return `# ${title}\n\n${body}`;
}

function codeWords(place: CodePlace): string {
  return place.kind === 'inline' ? fenced(place.code, 'python') : `The file is here: <${place.url}>`;
}

/** A title of one line. */
export function issueTitle(facts: ReproFacts): string {
  const test = facts.nodeId.split('::').at(-1) ?? facts.nodeId;
  return `${test}: ${facts.observed}`.replaceAll(/\s+/g, ' ').slice(0, 120);
}

/** The body, in Markdown that GitHub and GitLab read alike. */
export function issueBody(place: CodePlace, facts: ReproFacts): string {
  const { fileName } = facts;
  const pins = Object.entries(facts.packages).map(([name, version]) => `${name}==${version}`);
  const code = codeWords(place);
  const versions = [
    ['Python', facts.python],
    ['Platform', facts.platform],
    ...Object.entries(facts.packages),
    ['Gistify', facts.gistify],
  ].map(([name = '', version = '']) => `| ${cell(name)} | ${cell(version)} |`);
  const data =
    facts.dataFiles.length === 0
      ? []
      : [
          '',
          `The test reads data files, which the file carries inside: ${facts.dataFiles.map(inlineCode).join(', ')}.`,
        ];
  return [
    '### What happens',
    '',
    `${inlineCode(facts.nodeId)} (${inlineCode(originWords(facts))}).`,
    '',
    `- **Expected:** ${inlineCode(facts.expected)}`,
    `- **Actual:** ${inlineCode(facts.observed)}`,
    '',
    '### Steps to reproduce',
    '',
    `1. Save the file below as ${inlineCode(fileName)} in an empty folder.`,
    `2. Run ${inlineCode(`uv run ${fileName}`)}, or ${inlineCode(`pip install ${pins.join(' ')}`)} and then ${inlineCode(`python ${fileName}`)}.`,
    '',
    code,
    ...data,
    '',
    '### Output, with the full traceback',
    '',
    '<details open><summary>pytest</summary>',
    '',
    fenced(facts.output, 'text'),
    '',
    '</details>',
    '',
    '### Versions',
    '',
    '<details><summary>Python and packages</summary>',
    '',
    '| package | version |',
    '| --- | --- |',
    ...versions,
    '',
    '</details>',
    '',
    `Made with Gistify: ${facts.lines} lines of the codebase, run in a fresh process with the codebase absent.`,
    '',
  ].join('\n');
}
