// A shell command flows in; where Python may not be run, the reason why this one is refused flows out. The rule is part
// of the task (understanding without running), and its words are what the model can act on.

/** What the model reads where Python is turned off; also printed by the stand-ins on the PATH. */
export const refusal =
  'Refused: in this task no code may be run (python, pytest and the like are turned off). Read the code instead, and write the file by what you have read.';

/** Exit status of a stand-in. */
export const refusedStatus = 126;

/** Programs that run Python; each has a stand-in on the PATH where Python is turned off. */
export const pythonPrograms: readonly string[] = [
  ...['python', 'python2', 'python3', 'pypy', 'pypy3', 'ipython', 'ipython3', 'bpython'],
  ...[
    'pytest',
    'py.test',
    'nosetests',
    'coverage',
    'tox',
    'nox',
    'uv',
    'uvx',
    'pipx',
    'poetry',
    'pdm',
    'hatch',
  ],
];

const program = String.raw`(?:[^\s;&|()<>'"]*/)?(?:python|pypy|ipython)[\d.]*|(?:[^\s;&|()<>'"]*/)?(?:pytest|py\.test|coverage|tox|nox|uvx?|pipx|poetry|pdm|hatch)`;
const before = String.raw`(?:^|[;&|(\x60\n{!]|\b(?:then|do|else|env|exec|nohup|time|xargs|sudo|command|nice|timeout|-exec|-execdir)\b)`;
/** Options and settings that may stand between a program that starts another and that other. */
const between = String.raw`(?:\s+(?:-\S+|\d+[smh]?|\w+=\S*))*\s*(?:\w+=\S*\s+)*`;
const runsPython = new RegExp(`${before}${between}(?:${program})(?=$|[\\s;&|)<>\\x60])`, 'm');

/** The command without what a shell does not run: bodies of here-documents, quoted texts, comments. */
function commandWords(command: string): string {
  const lines = command.split('\n');
  const kept: string[] = [];
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] ?? '';
    kept.push(line);
    for (const [, dash = '', , word = ''] of line.matchAll(/<<(-?)\s*(["']?)([\w.-]+)\2/g)) {
      const ends = (text: string) => (dash === '-' ? text.replace(/^\t+/, '') : text) === word;
      i += 1;
      while (i < lines.length && !ends(lines[i] ?? '')) i += 1;
    }
  }
  return kept
    .join('\n')
    .replaceAll(/'[^']*'/g, "''")
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) => (/\$\(|`/.test(text) ? text.slice(1, -1) : '""'))
    .replaceAll(/(^|\s)#.*$/gm, '$1');
}

/** Scripts that a shell is handed as a text: `sh -c '…'`, `eval "…"`. */
function innerScripts(command: string): readonly string[] {
  return Array.from(
    command.matchAll(/\b(?:(?:ba|da|z|k)?sh\s+(?:-\w+\s+)*-\w*c|eval)\s+(?:'([^']*)'|"((?:[^"\\]|\\.)*)")/g),
    (match) => match[1] ?? match[2] ?? '',
  );
}

/** Why the command is refused, null where it is not. */
export function refuseExecution(command: string): string | null {
  if (runsPython.test(commandWords(command))) return refusal;
  return innerScripts(command).some((script) => refuseExecution(script) !== null) ? refusal : null;
}
