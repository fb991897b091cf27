// A codebase and lines of it that a test runs flow in, one-line faults flow out that make the test fail, drawn by a seed.
// A fault is made into a minimal repro, which must fail for the same reason, and pass once the fault is undone in it.
import { spawn } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** @typedef {{ readonly file: string, readonly line: number, readonly before: string, readonly after: string }} Fault */
/** @typedef {{ readonly repo: string, readonly python: string, readonly path?: string, readonly test: string }} Subject */
/** @typedef {{ readonly type: string, readonly message: string, readonly line: string }} Failure */
/** @typedef {{ readonly tests: readonly { readonly phases: readonly { readonly failure: Failure | null }[] }[] }} Outcome */
/** @typedef {{ readonly ran: string, readonly origin: { readonly kind: string, readonly file?: string, readonly line?: number } }} Line */
/** @typedef {{ readonly lines: readonly Line[], readonly original: Outcome, readonly observed: Outcome }} Report */
/**
 * @typedef {{ readonly fault: Fault, readonly failure: string, readonly lines: number | null, readonly sameReason: boolean,
 *   readonly kept: boolean, readonly undone: boolean, readonly beyond: boolean, readonly note: string }} Verdict
 */

/**
 * What a slip of the hand does to a line: a pattern, and what takes its place. The line goes on reading what it read:
 * where a fault cuts off what a line needs, a small repro rightly has it no more, and cannot be mended by that line.
 */
const slips = /** @type {const} */ ([
  [/(?<![=!<>])==(?!=)/, '!='],
  [/!=/, '=='],
  [/(?<![<>])<=/, '<'],
  [/(?<![<>])>=/, '>'],
  [/(?<=\w\s)<(?=\s)/, '>'],
  [/(?<=\w\s)>(?=\s)/, '<'],
  [/\bis not\b/, 'is'],
  [/\bnot in\b/, 'in'],
  [/\bnot (?!in\b)/, ''],
  [/\band\b/, 'or'],
  [/\bor\b/, 'and'],
  [/\bTrue\b/, 'False'],
  [/\bFalse\b/, 'True'],
  [/(?<=[\w)\]] )\+(?= )/, '-'],
  [/(?<=[\w)\]] )-(?= )/, '+'],
  [/(?<=[\w)\]] )\*(?= )/, '+'],
  [/(?<![\w.])0(?![\w.])/, '1'],
  [/(?<![\w.])1(?![\w.])/, '2'],
]);

/**
 * Faults of one line. Lines that define, decorate or import are left alone, and so are strings and conditions: what runs
 * only when a condition is right is in no gist of a run in which it was wrong.
 * @param {string} text
 */
function slipsOf(text) {
  if (/^\s*(?:def|class|async def|import|from|if|elif|while|assert|@|#|$)/.test(text) || /["']{3}/.test(text))
    return [];
  const hidden = text.replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|#.*$/g, (part) =>
    '~'.repeat(part.length),
  );
  return slips.flatMap(([pattern, put]) => {
    const found = pattern.exec(hidden);
    if (found === null) return [];
    return [text.slice(0, found.index) + put + text.slice(found.index + found[0].length)];
  });
}

/**
 * @param {readonly string[]} argv
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ readonly code: number, readonly output: string }>}
 */
function run([command = '', ...args], cwd, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 600_000 });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
        output = (output + text).slice(-200_000);
      });
    child.on('error', reject).on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** pytest's own line on why a test failed. @param {string} output */
function summaryOf(output) {
  return /^FAILED \S.*? - (.*)$/m.exec(output)?.[1] ?? '';
}

/** Without what differs between any two runs: addresses, whole or cut. @param {string} text */
function steady(text) {
  return text
    .replaceAll(/0x[0-9a-f]+|\.\.\.[0-9a-f]+(?=>)/gi, '0x')
    .replaceAll(/<[\w.]+\.(?=\w+ object)/g, '<');
}

/** The failure that a report holds. @param {Outcome} outcome */
function failureIn({ tests }) {
  return tests.flatMap(({ phases }) => phases.flatMap(({ failure }) => failure ?? []))[0] ?? null;
}

/**
 * The text with the faulty line as it was; null where that line is not in it.
 * @param {string} text
 * @param {Pick<Report, 'lines'>} report
 * @param {Fault} fault
 */
function mend(text, report, { file, line, before }) {
  const index = report.lines.findIndex(({ origin }) => origin.file === file && origin.line === line);
  const rows = text.split('\n');
  const row = rows[index];
  return row === undefined
    ? null
    : rows.with(index, (/^\s*/.exec(row)?.[0] ?? '') + before.trim()).join('\n');
}

/**
 * Seeds faults into what a test runs and makes each a repro. `cli` is the program, `folder` is for files of its own.
 * @param {Subject} subject
 * @param {{ readonly seed: number, readonly faults: number, readonly budget: number, readonly cli: string, readonly folder: string }} options
 * @returns {Promise<readonly Verdict[]>}
 */
export async function seedFaults(subject, { seed, faults, budget, cli, folder }) {
  const { python, test } = subject;
  const repo = path.join(folder, 'codebase');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await cp(subject.repo, repo, {
    recursive: true,
    filter: (source) => !['.git', '__pycache__', 'node_modules'].includes(path.basename(source)),
  });
  const bare = {
    ...process.env,
    PYTHONHASHSEED: '0',
    PYTHONDONTWRITEBYTECODE: '1',
    COLUMNS: '4000',
    PYTHONPATH: '',
  };
  const env = { ...bare, PYTHONPATH: path.join(repo, subject.path ?? '.') };
  const selector = test.split('::').slice(1).join('::');
  const pytest = [python, '-m', 'pytest', '-q', '-x', '-p', 'no:cacheprovider', '-rf'];
  const common = [process.execPath, cli, 'run', test, '--repo', repo, '--python', python, '-q'];
  const gist = path.join(folder, 'gist.py');
  const report = path.join(folder, 'report.json');
  const plain = await run([...common, '--out', gist, '--report', report], folder, env);
  if (plain.code !== 0)
    throw new Error(`${test} has no verified gist (${String(plain.code)}): ${plain.output.slice(-500)}`);
  /** @type {Report} */
  const { lines } = JSON.parse(await readFile(report, 'utf8'));
  /** @type {Fault[]} */
  const possible = [];
  for (const { ran, origin } of lines) {
    const { kind, file, line } = origin;
    if (kind !== 'kept' || ran === 'none' || file === undefined || line === undefined) continue;
    if (file === test.split('::')[0] || path.basename(file) === 'conftest.py') continue;
    const before = (await readFile(path.join(repo, file), 'utf8')).split('\n')[line - 1] ?? '';
    for (const after of slipsOf(before)) possible.push({ file, line, before, after });
  }
  const random = xoroshiro128plus(seed);
  /** @type {Verdict[]} */
  const verdicts = [];
  while (
    possible.length > 0 &&
    verdicts.filter(({ beyond }) => !beyond).length < faults &&
    verdicts.length < 3 * faults
  ) {
    const [fault] = possible.splice(uniformInt(random, 0, possible.length - 1), 1);
    if (
      fault === undefined ||
      verdicts.some((one) => one.fault.file === fault.file && one.fault.line === fault.line)
    )
      continue;
    const place = path.join(repo, fault.file);
    const whole = await readFile(place, 'utf8');
    await writeFile(
      place,
      whole
        .split('\n')
        .with(fault.line - 1, fault.after)
        .join('\n'),
    );
    const failing = await run([...pytest, test], repo, env);
    const reason = summaryOf(failing.output);
    if (failing.code === 1 && reason !== '') verdicts.push(await check(fault, reason));
    await writeFile(place, whole);
  }
  return verdicts;

  /** @param {Fault} fault @param {string} failure @returns {Promise<Verdict>} */
  async function check(fault, failure) {
    const no = { fault, failure, lines: null, sameReason: false, kept: false, undone: false, beyond: false };
    const made = await run(
      [...common, '--reduce', 'minimal', '--budget', String(budget), '--out', gist, '--report', report],
      folder,
      env,
    );
    if (made.code !== 0)
      return {
        ...no,
        note: `exit status ${String(made.code)}: ${made.output.trim().split('\n').at(-1) ?? ''}`,
      };
    /** @type {Report} */
    const told = JSON.parse(await readFile(report, 'utf8'));
    const text = await readFile(gist, 'utf8');
    const [original, observed] = [failureIn(told.original), failureIn(told.observed)];
    const empty = path.join(folder, 'empty');
    await rm(empty, { recursive: true, force: true });
    await mkdir(empty);
    /** @param {string} content */
    const outcome = async (content) => {
      await writeFile(path.join(empty, 'repro.py'), content);
      return run([...pytest, `repro.py::${selector}`], empty, bare);
    };
    const alone = await outcome(text);
    const sameReason =
      alone.code === 1 &&
      original !== null &&
      original.type === observed?.type &&
      steady(original.message) === steady(observed.message) &&
      original.line === observed.line &&
      steady(summaryOf(alone.output)) === steady(failure);
    const mended = mend(text, told, fault);
    const after = mended === null ? null : await outcome(mended);
    // Where not even the whole gist passes with the fault undone, passing takes code that the failing test never runs.
    let beyond = false;
    if (after?.code !== 0) {
      const whole = await run([...common, '--out', gist, '--report', report], folder, env);
      /** @type {Report | null} */
      const all = whole.code === 0 ? JSON.parse(await readFile(report, 'utf8')) : null;
      const healed = all === null ? null : mend(await readFile(gist, 'utf8'), all, fault);
      beyond = healed === null || (await outcome(healed)).code !== 0;
    }
    return {
      fault,
      failure,
      lines: text.split('\n').filter((line) => line.trim() !== '').length,
      sameReason,
      kept: mended !== null,
      undone: after?.code === 0,
      beyond,
      note: sameReason
        ? after === null || after.code === 0
          ? ''
          : summaryOf(after.output)
        : `fails with: ${summaryOf(alone.output)}`,
    };
  }
}
