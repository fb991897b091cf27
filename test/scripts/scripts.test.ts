// The scripts behind the two commands: environments are made once and shared, faults are told in plain words.
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { basePython, capture, ensureVenv, tryVenv } from '../../scripts/pythonEnv.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'gistify-scripts-'));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

async function requirements(text: string): Promise<string> {
  const file = path.join(folder, 'requirements.txt');
  await writeFile(file, text);
  return file;
}

describe('Python environments', () => {
  it('are made once, also when asked for by several at a time', async () => {
    vi.stubEnv('XDG_CACHE_HOME', folder);
    const file = await requirements('# nothing\n');
    const base = await basePython();
    const made = await Promise.all([ensureVenv(file, base), ensureVenv(file, base)]);
    made.push(await ensureVenv(file, base));
    expect(new Set(made).size).toBe(1);
    const ran = await capture(made[0], ['-c', 'import sys; print(sys.prefix != sys.base_prefix)']);
    expect(ran.stdout.trim()).toBe('True');
    // One environment and the file that points to it.
    expect(await readdir(path.join(folder, 'gistify'))).toHaveLength(2);
  });

  it('that cannot be had say so in plain words and leave nothing half-made', async () => {
    vi.stubEnv('XDG_CACHE_HOME', folder);
    // An index with nothing in it stands for one that cannot be reached.
    vi.stubEnv('PIP_CONFIG_FILE', os.devNull);
    vi.stubEnv('PIP_FIND_LINKS', '');
    vi.stubEnv('PIP_NO_INDEX', '1');
    const file = await requirements('pytest==8.4.2\n');
    const made = await tryVenv(file, await basePython());
    expect(made.python).toBeNull();
    expect(made.reason).toContain('the package index cannot be reached, or does not hold them');
    expect(made.reason).toContain('pytest==8.4.2');
    expect(await readdir(path.join(folder, 'gistify'))).toEqual([expect.stringMatching(/^venv-.*\.failed$/)]);
  });

  it('need a Python, and say which variable names one', async () => {
    vi.stubEnv('GISTIFY_PYTHON', path.join(folder, 'no-such-python'));
    await expect(basePython()).rejects.toThrow(
      /No Python 3\.9 or newer was found \(tried .*no-such-python\)/,
    );
  });
});

describe('the layers', () => {
  const intruders: readonly (readonly [file: string, text: string, rules: readonly string[]])[] = [
    ['src/link/a.ts', "export * from '../engine/engine.js';", ['layer-link']],
    ['src/link/b.ts', "export * from '../prune/a.js';", ['layer-link']],
    ['src/cli/a.ts', "export * from '../server/a.js';", ['layer-cli']],
    ['src/prune/a.ts', "export * from 'node:fs';", ['pure-layer']],
    ['src/prune/b.ts', "export * from 'node:path/posix';", []],
    ['src/engine/engine.ts', "export * from 'node:fs';", []],
    ['src/server/a.ts', "export type { Uri } from 'vscode';", ['vscode-in-extension-only']],
    ['src/extension/a.ts', "export type { Uri } from 'vscode';", []],
    ['src/misc/a.ts', "export * from '../engine/engine.js';", ['known-layer']],
  ];

  it('are kept apart by rule', async () => {
    for (const name of ['tsconfig.json', 'package.json', 'dependency-cruiser.config.mjs']) {
      await cp(path.join(root, name), path.join(folder, name));
    }
    await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    for (const [file, text] of intruders) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), text);
    }
    const cruiser = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
    const args = [cruiser, '--config', 'dependency-cruiser.config.mjs', '--output-type', 'json', 'src'];
    const ran = await capture(process.execPath, args, process.env, folder);
    const { violations } = (JSON.parse(ran.stdout) as Cruise).summary;
    for (const [file, , rules] of intruders) {
      expect([
        file,
        violations.filter((found) => found.from === file).map((found) => found.rule.name),
      ]).toEqual([file, rules]);
    }
  });
});

interface Cruise {
  readonly summary: {
    readonly violations: readonly { readonly from: string; readonly rule: { readonly name: string } }[];
  };
}
