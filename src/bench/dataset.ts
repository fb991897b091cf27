// A dataset file flows in, a checked Dataset flows out: which repositories, how each is had and run, which tests.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { isCommand } from '../base/command.js';
import { GistifyError } from '../base/gistifyError.js';
import { dropReasons } from '../engine/surveyTests.js';

const source = z
  .union([
    z.strictObject({
      git: z.string().min(1).describe('Address that `git clone` understands.'),
      commit: z.string().regex(/^[0-9a-f]{7,64}$/),
    }),
    z.strictObject({
      package: z
        .string()
        .regex(/^[\w.-]+==[\w.+!-]+$/)
        .describe('A release of the package index whose wheel ships its tests, as name==version.'),
    }),
    z.strictObject({ folder: z.string().min(1).describe('A folder, relative to the dataset file.') }),
  ])
  .describe('Where the codebase is had from. `--root DIR` lets DIR/<name> stand in.');

const environment = z
  .strictObject({
    python: z
      .string()
      .regex(/^3\.\d+$/)
      .optional()
      .describe('Version of the interpreter, for example 3.11.'),
    packages: z.array(z.string().min(1)).optional().describe('Requirements as pip takes them.'),
    dockerfile: z.string().min(1).optional().describe('Relative to the dataset file.'),
    image: z.string().min(1).optional().describe('A container image that has all that is needed.'),
  })
  .describe('What the tests run in.');

const name = z.string().regex(/^[A-Za-z0-9][\w.-]*$/);

const repository = z.strictObject({
  name,
  source,
  environment: environment.default({}),
  pythonPath: z.array(z.string()).default([]).describe('Folders of the codebase that are put on PYTHONPATH.'),
  variables: z
    .record(z.string(), z.string())
    .default({})
    .describe(
      'Environment variables of every run: seeds that the codebase takes from there, time zone, locale.',
    ),
  pytestArgs: z.array(z.string()).default([]),
});

const task = z.strictObject({
  repository: name,
  nodeId: z
    .string()
    .refine((id) => isCommand(id) || /^[^:]+(::[^:]+)+$/.test(id), 'neither a node id nor a command')
    .describe('pytest node id without parameters, or a command: python -m module …, python script.py ….'),
  instances: z.int().positive().optional(),
  calls: z.int().nonnegative().optional().describe('Trace length: calls of functions of the codebase.'),
  files: z.int().nonnegative().optional().describe('Files of the codebase of which a statement ran.'),
  seconds: z.number().nonnegative().optional(),
  hard: z
    .array(z.enum(['calls', 'files']))
    .optional()
    .describe('By which axis the task is among the hardest.'),
});

const dataset = z
  .strictObject({
    $schema: z.string().optional(),
    schema: z.literal(1),
    name,
    seed: z.int().nullable().default(null).describe('What the tasks were sampled with; null: not sampled.'),
    repositories: z.array(repository).min(1),
    tasks: z.array(task),
    dropped: z
      .array(
        z.strictObject({
          repository: name,
          nodeId: z.string(),
          reason: z.enum(dropReasons),
          words: z.string(),
        }),
      )
      .default([])
      .describe('Tests that were left out while collecting, each with its reason.'),
  })
  .describe('Tests of repositories that agents are to gistify.');

export type Dataset = z.output<typeof dataset>;
export type Repository = Dataset['repositories'][number];
export type DatasetTask = Dataset['tasks'][number];

/** The JSON schema of dataset files. */
export function datasetJsonSchema(): object {
  return z.toJSONSchema(dataset, { io: 'input' });
}

/** Checks what was read, naming each place that is wrong. */
export function parseDataset(value: unknown, where: string): Dataset {
  const parsed = dataset.safeParse(value);
  if (!parsed.success)
    throw new GistifyError(
      'usage',
      `${where} is not a dataset`,
      'Its schema is printed by `gistify bench schema dataset`.',
      z.prettifyError(parsed.error),
    );
  const problems: string[] = [];
  const names = new Set<string>();
  for (const { name: one } of parsed.data.repositories) {
    if (names.has(one)) problems.push(`two repositories are called ${one}`);
    names.add(one);
  }
  const seen = new Set<string>();
  for (const { repository: one, nodeId } of parsed.data.tasks) {
    if (!names.has(one)) problems.push(`${nodeId} is of ${one}, which is none of the repositories`);
    if (seen.has(`${one} ${nodeId}`)) problems.push(`${nodeId} of ${one} stands there twice`);
    seen.add(`${one} ${nodeId}`);
  }
  if (problems.length > 0)
    throw new GistifyError(
      'usage',
      `${where} does not agree with itself`,
      'Mend the file.',
      problems.join('\n'),
    );
  return parsed.data;
}

/** Reads a dataset file. */
export async function readDataset(file: string): Promise<Dataset> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null)
    throw new GistifyError(
      'file-not-found',
      `there is no dataset file ${file}`,
      'Make one with `gistify bench collect`.',
    );
  return parseDataset(parseJson(text, file), file);
}

/** Parses JSON, saying which file is none. */
export function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new GistifyError('usage', `${where} is not JSON`, 'Mend the file.', String(error));
  }
}

/** What tells two datasets apart: all that decides what a task is, however the file is laid out. */
export function datasetHash({ repositories, tasks }: Dataset): string {
  const essence = {
    repositories,
    tasks: tasks.map(({ repository: one, nodeId }) => [one, nodeId]),
  };
  return createHash('sha256').update(JSON.stringify(essence)).digest('hex').slice(0, 16);
}
