// One-line faults seeded into the bundled sample codebase: each minimal repro fails for the same reason as the test, and
// passes once the fault is undone in it. `scripts/seedFaults.mjs` does the same with any codebase.
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { seedFaults } from '../../scripts/faults.mjs';
import { minimalPython } from '../pythonEnv.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

it('a repro of a seeded fault fails as the test does, and passes without the fault', async () => {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'gistify-faults-')));
  try {
    const verdicts = await seedFaults(
      {
        repo: path.join(root, 'sample'),
        python: await minimalPython(),
        test: 'tests/test_money.py::test_order',
      },
      {
        seed: 3,
        faults: 2,
        budget: 60,
        cli: path.join(root, 'dist/cli.js'),
        folder: path.join(folder, 'one'),
      },
    );
    const kept = verdicts.filter(({ beyond }) => !beyond);
    expect(kept.length, JSON.stringify(verdicts)).toBeGreaterThan(0);
    for (const one of kept)
      expect(one, JSON.stringify(one)).toMatchObject({ sameReason: true, kept: true, undone: true });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
