// Every folder of `samples/` through one check. `holding.json` names the cases that hold, which must go on holding, and
// why each other one does not yet; GISTIFY_CASES=all, or ids parted by commas, runs those too and tells what differs.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { basePython, tryVenv } from '../../scripts/pythonEnv.mjs';
import { furtherPythons, testPython } from '../pythonEnv.js';
import { readCase, type CaseFile } from './caseFile.js';
import { checkCase } from './checkCase.js';

interface Holding {
  readonly holds: readonly string[];
  /** Id of a case that does not hold yet: why. */
  readonly open: Readonly<Record<string, string>>;
}

const samples = path.join(import.meta.dirname, 'samples');
const folders = readdirSync(samples).sort();
const ids = folders.map((folder) => folder.slice(0, 3));
const { holds, open } = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'holding.json'), 'utf8'),
) as Holding;
const asked = process.env['GISTIFY_CASES'];
const chosen = new Set(asked === 'all' ? ids : (asked?.split(',') ?? holds));

type Chosen = { readonly python: string } | { readonly reason: string };

const base = await basePython();
// Most cases want nothing beside pytest, and without its plugins each run takes half the time.
const bare = await tryVenv(fileURLToPath(new URL('../requirements-minimal.txt', import.meta.url)), base);
const further = await furtherPythons();

async function pythonFor(facts: CaseFile): Promise<Chosen> {
  const { also, python, requires } = facts;
  if (also?.requirements !== undefined) {
    return chosenOf(await tryVenv(fileURLToPath(new URL(also.requirements, import.meta.url)), base));
  }
  // The cases for 3.11 run on any later base Python as well.
  if (python === base.version || (python === '3.11' && Number(base.version.slice(2)) > 11)) {
    return requires.length > 0 ? { python: await testPython() } : chosenOf(bare);
  }
  const found = further.find(({ version }) => version === python);
  if (found === undefined) return { reason: `no Python ${python} on this machine` };
  return requires.length > 0 ? { reason: `no ${requires.join(', ')} for Python ${python}` } : chosenOf(found);
}

function chosenOf(made: { readonly python: string | null; readonly reason: string }): Chosen {
  return made.python === null ? { reason: firstLine(made.reason) } : { python: made.python };
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}

/** Results by folder, two cases at a time; a test waits for its own. */
function startAll(
  cases: readonly { readonly folder: string; readonly python: string }[],
): (folder: string) => Promise<readonly string[]> {
  const results = new Map<string, Promise<readonly string[]>>();
  const lanes: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()];
  for (const [index, { folder, python: interpreter }] of cases.entries()) {
    const lane = index % lanes.length;
    const result = (lanes[lane] ?? Promise.resolve()).then(() =>
      checkCase(path.join(samples, folder), interpreter),
    );
    lanes[lane] = result.catch(() => undefined);
    results.set(folder, result);
    result.catch(() => undefined);
  }
  return async (folder) => results.get(folder) ?? [];
}

const found = await Promise.all(
  folders
    .filter((folder) => chosen.has(folder.slice(0, 3)))
    .map(async (folder) => ({ folder, ...(await pythonFor(await readCase(path.join(samples, folder)))) })),
);
const runnable = found.flatMap((one) => ('python' in one ? [one] : []));
const skipped = found.flatMap((one) => ('reason' in one ? [one] : []));
const resultOf = startAll(runnable);

const state = `${holds.length} user cases hold, ${Object.keys(open).length} do not yet`;
const told = [state, ...skipped.map(({ folder, reason }) => `${folder} is skipped: ${reason}`)];
process.stdout.write(`${told.join('\n')}\n`);

describe(state, () => {
  it.each(runnable)('$folder', { timeout: 900_000 }, async ({ folder }) => {
    expect(await resultOf(folder)).toEqual([]);
  });

  for (const { folder, reason } of skipped) it.skip(`${folder}: ${reason}`, () => undefined);

  it('names every case once', () => {
    expect([...holds, ...Object.keys(open)].sort()).toEqual(ids);
  });
});
