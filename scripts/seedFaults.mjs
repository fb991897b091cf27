// `node scripts/seedFaults.mjs SUBJECTS.json [--seed N] [--per-test N] [--budget S] [--out FILE]`: seeds one-line faults
// into what real tests run, makes a minimal repro of each failure, and prints a table: whether it fails for the same
// reason, and whether undoing the fault in it makes it pass. SUBJECTS.json as for compareReducers.mjs.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { seedFaults } from './faults.mjs';
import { root, runMain, say, SetupError } from './setup.mjs';

/** @param {string} text */
function cell(text) {
  return `\`${text.trim().slice(0, 90).replaceAll('|', '\\|').replaceAll('`', "'")}\``;
}

await runMain(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: 'string' },
      'per-test': { type: 'string' },
      budget: { type: 'string' },
      out: { type: 'string' },
    },
  });
  const [file] = positionals;
  if (file === undefined)
    throw new SetupError('which tests? Give a JSON file: [{ "repo", "python", "path", "tests" }].');
  /** @type {readonly { readonly repo: string, readonly python: string, readonly path?: string, readonly tests: readonly string[] }[]} */
  const subjects = JSON.parse(await readFile(file, 'utf8'));
  const folder = await mkdtemp(path.join(os.tmpdir(), 'faults-'));
  const rows = [
    '| test | place | before | fault | fails with | lines | same reason | undone: passes |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
  ];
  let [made, same, undone, beyond] = [0, 0, 0, 0];
  try {
    for (const { tests, ...subject } of subjects)
      for (const test of tests) {
        const verdicts = await seedFaults(
          { ...subject, test },
          {
            seed: Number(values.seed ?? '1'),
            faults: Number(values['per-test'] ?? '2'),
            budget: Number(values.budget ?? '60'),
            cli: path.join(root, 'dist/cli.js'),
            folder: path.join(folder, 'one'),
          },
        ).catch((/** @type {unknown} */ error) => {
          say(String(error));
          return [];
        });
        for (const one of verdicts) {
          const { fault } = one;
          if (one.beyond) {
            beyond += 1;
            continue;
          }
          made += 1;
          same += Number(one.sameReason);
          undone += Number(one.undone);
          const cells = [
            `${path.basename(subject.repo)} ${test.split('::').slice(1).join('::')}`,
            `${fault.file}:${String(fault.line)}`,
            cell(fault.before),
            cell(fault.after),
            cell(one.failure),
            String(one.lines ?? '–'),
            one.sameReason ? 'yes' : 'NO',
            one.undone
              ? 'yes'
              : one.kept
                ? `NO ${one.note === '' ? '' : cell(one.note)}`
                : `NO (not in it) ${one.note}`,
          ];
          rows.push(`| ${cells.join(' | ')} |`);
          say(rows.at(-1) ?? '');
          if (values.out !== undefined) await writeFile(values.out, `${rows.join('\n')}\n`);
        }
      }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  rows.push(
    '',
    `${String(made)} faults: ${String(same)} fail for the same reason, ${String(undone)} pass once the fault is undone.`,
    `${String(beyond)} more were left out: passing takes code that their failing runs never reach, so no gist of them can.`,
  );
  if (values.out !== undefined) await writeFile(values.out, `${rows.join('\n')}\n`);
  process.stdout.write(`${rows.join('\n')}\n`);
  return made > 0 && same === made && undone === made ? 0 : 1;
});
