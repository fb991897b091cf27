// What came of one task, as it stands in `result.json` of its folder: written once, read by every report.
import { z } from 'zod';
import { GistifyError } from '../base/gistifyError.js';
import type { FailureKind } from '../model/score.js';
import { parseJson } from './dataset.js';

const failures = [
  'none',
  'no-file',
  'syntax-error',
  'test-missing',
  'test-changed',
  'codebase-import',
  'import-error',
  'pytest-error',
  'wrong-outcome',
  'wrong-output',
  'timeout',
] as const satisfies readonly FailureKind[];

/** Limits of steps, tokens, cost or time; a service that failed for good. */
const stops = ['limit-reached', 'model-fault'] as const;

const ratio = z.strictObject({ hit: z.int().nonnegative(), total: z.int().nonnegative() });

const taskResult = z.strictObject({
  schema: z.literal(1),
  agent: z.string(),
  repository: z.string(),
  nodeId: z.string(),
  /** `scored`: there are measures; `no-gist`: the agent gave none; `original-failed`: nothing to compare with; `crashed`: a fault of ours. */
  status: z.enum(['scored', 'no-gist', 'original-failed', 'crashed']),
  /** Why, in words, where the status is not `scored`. */
  words: z.string(),
  score: z
    .strictObject({
      fidelity: z.union([z.literal(0), z.literal(1)]),
      failure: z.enum(failures),
      problems: z.array(z.string()),
      execution: ratio.nullable(),
      existence: ratio,
      testF1: z.number().min(0).max(1).nullable(),
    })
    .nullable(),
  /** What ended the agent's work before it was done. */
  stopped: z.enum(stops).nullable().default(null),
  gist: z.strictObject({ lines: z.int().nonnegative(), sha256: z.string() }).nullable(),
  /** What a model took, where the agent told. */
  usage: z.strictObject({
    steps: z.int().nonnegative().nullable(),
    inputTokens: z.int().nonnegative().nullable(),
    outputTokens: z.int().nonnegative().nullable(),
    cost: z.number().nonnegative().nullable(),
  }),
  seconds: z.strictObject({ agent: z.number().nonnegative(), score: z.number().nonnegative() }),
  versions: z.strictObject({
    gistify: z.string(),
    code: z.string(),
    python: z.string(),
    codebase: z.string(),
  }),
  /** Files of the folder besides this one. */
  files: z.array(z.string()),
});

export type TaskResult = z.output<typeof taskResult>;

export const noUsage: TaskResult['usage'] = {
  steps: null,
  inputTokens: null,
  outputTokens: null,
  cost: null,
};

/** The JSON schema of `result.json`. */
export function resultJsonSchema(): object {
  return z.toJSONSchema(taskResult);
}

/** Reads one `result.json`. */
export function parseResult(text: string, where: string): TaskResult {
  const parsed = taskResult.safeParse(parseJson(text, where));
  if (parsed.success) return parsed.data;
  throw new GistifyError(
    'usage',
    `${where} is not a result of a task`,
    'Was it made by another version?',
    z.prettifyError(parsed.error),
  );
}

/** Fidelity of a result: nothing that was not scored is faithful. */
export function fidelityOf({ score }: TaskResult): 0 | 1 {
  return score?.fidelity ?? 0;
}
