// What every test of agents needs once: an installation without a build, the interpreter, built-in gists of the sample
// codebase, and a run of an agent against a scripted server.
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { openModel } from '../../src/agent/openModel.js';
import { runAgent, type AgentResult, type AgentRunInput } from '../../src/engine/agentRun.js';
import { gistify } from '../../src/engine/gistify.js';
import type { Installation } from '../../src/engine/sources.js';
import { defaultAgentOptions, type AgentOptions } from '../../src/model/agentOptions.js';
import type { Report } from '../../src/model/report.js';
import type { Task } from '../../src/model/task.js';
import { layInstallation } from '../installation.js';
import { plainTask } from '../plainTask.js';
import { minimalPython } from '../pythonEnv.js';
import { startModelServer, type ModelServer, type Script } from './modelServer.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Laboratory {
  readonly folder: string;
  /** A copy of the sample codebase that nothing may write to. */
  readonly repo: string;
  readonly python: string;
  readonly installation: Installation;
  task(nodeId: string): Task;
  /** The built-in gist of a test of the sample codebase. */
  builtIn(nodeId: string): Promise<Report>;
  run(request: AgentRequest): Promise<Ran>;
  /** Every file of the codebase with a hash of its content. */
  contents(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface AgentRequest extends Partial<Omit<AgentRunInput, 'task' | 'agent' | 'model'>> {
  readonly nodeId: string;
  readonly agent: Partial<AgentOptions>;
  /** The server's answers; absent for command agents. */
  readonly script?: Script;
  readonly provider?: 'openai' | 'anthropic' | 'openai-compatible';
  readonly stream?: boolean;
  readonly signal?: AbortSignal;
  /** Another codebase than the sample. */
  readonly repo?: string;
}

export interface Ran extends AgentResult {
  readonly server: ModelServer | null;
}

const testKey = 'sk-test-0123456789abcdefghij';

export async function openLaboratory(): Promise<Laboratory> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'gistify-agents-')));
  const installation = await layInstallation(path.join(folder, 'installation'));
  const repo = path.join(folder, 'shop');
  await cp(path.join(root, 'sample'), repo, {
    recursive: true,
    filter: (file) => !/(__pycache__|\.pytest_cache)$/.test(file),
  });
  const python = await minimalPython();
  const task = (nodeId: string, codebase = repo): Task => plainTask({ repo: codebase, nodeId, python });
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: os.homedir(),
    OPENAI_API_KEY: testKey,
    ANTHROPIC_API_KEY: testKey,
  };
  const gists = new Map<string, Promise<Report>>();
  const host = (signal: AbortSignal) => ({ signal, progress: () => undefined, log: () => undefined });
  return {
    ...{ folder, repo, python, installation, task },
    builtIn(nodeId) {
      const known = gists.get(nodeId);
      if (known !== undefined) return known;
      const made = gistify({
        ...{ task: task(nodeId), host: host(new AbortController().signal), installation, env },
        ...{ cwd: folder, fileName: 'concise.py' },
      });
      gists.set(nodeId, made);
      return made;
    },
    async run({ nodeId, agent, script, provider = 'openai-compatible', stream = true, signal, ...rest }) {
      const server = script === undefined ? null : await startModelServer(script);
      try {
        const model =
          server === null
            ? null
            : await openModel(
                {
                  name: `${provider}/scripted`,
                  baseUrl: server.url,
                  stream,
                  temperature: null,
                  maxOutputTokens: null,
                },
                env,
              );
        const result = await runAgent({
          ...{ installation, env, cwd: folder, model, price: null },
          host: host(signal ?? new AbortController().signal),
          patience: { attempts: 3, firstWait: 0.02, longestWait: 0.1, perMinute: null },
          ...rest,
          task: task(nodeId, rest.repo),
          agent: { ...defaultAgentOptions, ...agent },
        });
        return { ...result, server };
      } finally {
        await server?.close();
      }
    },
    async contents() {
      const entries = await readdir(repo, { recursive: true, withFileTypes: true });
      const files = entries
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name));
      const lines = await Promise.all(
        files.map(
          async (file) =>
            `${file} ${createHash('sha256')
              .update(await readFile(file))
              .digest('hex')}`,
        ),
      );
      return lines.toSorted();
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
