// A gist and its facts flow in, a file that runs anywhere flows out: its dependencies in a block that `uv run` reads
// (PEP 723), where it is from, what to expect, and a start of its own for plain `python`. The gist's lines stay as
// they are; names and messages of the codebase stand in comments of one line, as data.
import { testSelector } from '../base/testSelector.js';
import type { Gist } from '../model/gist.js';
import { originWords, type ReproFacts } from './reproFacts.js';

/** Text of a comment: one line, whatever it holds. */
function comment(text: string): string {
  return `# ${text.replaceAll(/\s+/g, ' ').trim()}`;
}

function script(facts: ReproFacts): readonly string[] {
  const [major = '3', minor = '8'] = facts.python.split('.');
  const pins = Object.entries(facts.packages).map(([name, version]) => `#     "${name}==${version}",`);
  return [
    '# /// script',
    `# requires-python = "==${major}.${minor}.*"`,
    ...(pins.length === 0 ? ['# dependencies = []'] : ['# dependencies = [', ...pins, '# ]']),
    '# ///',
  ];
}

function header(facts: ReproFacts): readonly string[] {
  const kind = facts.minimal ? 'Minimal repro' : 'Everything that ran';
  const data =
    facts.dataFiles.length === 0
      ? []
      : [comment(`Data files that the test reads, carried inside: ${facts.dataFiles.join(', ')}`)];
  return [
    comment(`${kind} of ${facts.nodeId}`),
    comment(`Origin: ${originWords(facts)}`),
    comment(
      `Made by Gistify ${facts.gistify}: ${facts.lines} lines of the codebase; verified in a fresh process with the codebase absent.`,
    ),
    comment(`Expected: ${facts.expected}`),
    comment(`Observed: ${facts.observed}`),
    ...data,
    comment(`Run it: python ${facts.fileName}, pytest ${facts.fileName} or uv run ${facts.fileName}`),
  ];
}

function start(facts: ReproFacts): readonly string[] {
  const test = JSON.stringify(`::${testSelector(facts.nodeId)}`);
  return [
    'if __name__ == "__main__":',
    '    import os, sys, pytest',
    '    here = os.path.abspath(__file__)',
    `    sys.exit(pytest.main(["-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", os.path.dirname(here), here + ${test}]))`,
  ];
}

/** The exported file. */
export function reproFile(gist: Gist, facts: ReproFacts): string {
  const lines = gist.text.split('\n').slice(0, -1);
  const first = lines.findIndex(
    (line) => line.trim() !== '' && !line.startsWith('#') && !line.startsWith('from __future__ import '),
  );
  const split = first === -1 ? lines.length : first;
  const head = lines.slice(0, split).filter((line) => line.startsWith('from __future__ import '));
  const comments = lines.slice(0, split).filter((line) => line.startsWith('#'));
  return [
    ...script(facts),
    '',
    ...header(facts),
    ...head,
    '',
    ...start(facts),
    '',
    ...comments,
    ...(facts.minimal ? marked(gist, split) : lines.slice(split)),
    '',
  ].join('\n');
}

/** Lines from `from` on, with a comment wherever they come from another file, and air before definitions. */
function marked(gist: Gist, from: number): readonly string[] {
  const lines = gist.text.split('\n').slice(0, -1);
  const out: string[] = [];
  let file = '';
  for (let index = from; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const origin = gist.origins[index];
    const source = origin === undefined || origin.kind === 'added' ? file : origin.file;
    if (source !== file && /^[A-Za-z_@]/.test(line)) {
      if (out.length > 0) out.push('');
      out.push(comment(source));
      file = source;
    }
    out.push(line);
  }
  return out;
}
