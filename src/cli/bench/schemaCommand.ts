// `gistify bench schema NAME`: the JSON schema of a file that bench reads or writes.
import { GistifyError } from '../../base/gistifyError.js';
import { agentsJsonSchema } from '../../bench/agents.js';
import { datasetJsonSchema } from '../../bench/dataset.js';
import { manifestJsonSchema, sessionJsonSchema } from '../../bench/runManifest.js';
import { resultJsonSchema } from '../../bench/taskResult.js';

const schemas: Readonly<Record<string, () => object>> = {
  dataset: datasetJsonSchema,
  agents: agentsJsonSchema,
  run: manifestJsonSchema,
  session: sessionJsonSchema,
  result: resultJsonSchema,
};

export function schemaCommand([name = '', ...extra]: readonly string[]): Promise<number> {
  const schema = schemas[name];
  if (schema === undefined || extra.length > 0)
    throw new GistifyError('usage', 'which schema?', `The schemas are ${Object.keys(schemas).join(', ')}.`);
  process.stdout.write(`${JSON.stringify(schema(), null, 1)}\n`);
  return Promise.resolve(0);
}
