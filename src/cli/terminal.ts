// Progress flows out to a person: one live line on a terminal, `progress …` lines for a program, plain lines else.
import type { Progress } from '../model/progress.js';

export type Loudness = 'quiet' | 'normal' | 'verbose';

/** What the options --quiet and --verbose ask for. */
export function loudnessOf(values: {
  readonly quiet?: boolean | undefined;
  readonly verbose?: boolean | undefined;
}): Loudness {
  return values.quiet === true ? 'quiet' : values.verbose === true ? 'verbose' : 'normal';
}

export interface Terminal {
  readonly progress: (progress: Progress) => void;
  readonly log: (line: string) => void;
  /** Clears the live line. */
  readonly end: () => void;
}

export function createTerminal(loudness: Loudness): Terminal {
  const { stderr } = process;
  const forProgram = process.env['GISTIFY_PROGRESS'] === 'lines';
  const live = stderr.isTTY && !forProgram && loudness !== 'quiet';
  let shown = '';
  const clear = () => {
    if (shown !== '') stderr.write('\r\u001b[K');
    shown = '';
  };
  return {
    progress({ fraction, stage, message }) {
      if (forProgram) stderr.write(`progress ${fraction.toFixed(2)} ${stage} ${message}\n`);
      else if (live) {
        clear();
        shown = `${String(Math.round(fraction * 100)).padStart(3)}% ${message}`.slice(
          0,
          (stderr.columns || 80) - 1,
        );
        stderr.write(shown);
      } else if (loudness === 'normal' && stage !== 'done') stderr.write(`${stage}: ${message}\n`);
      else if (loudness === 'verbose') stderr.write(`${stage}: ${message}\n`);
    },
    log(line) {
      if (loudness !== 'verbose') return;
      clear();
      stderr.write(`${line}\n`);
    },
    end: clear,
  };
}
