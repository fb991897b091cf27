// A run in words flows in, a manifest flows out that has an existing engine do its shards: a workflow with a matrix, or
// an indexed Job of Kubernetes. Each shard is the very command that a person would type.
import { stringify } from 'yaml';

export interface Deployment {
  /** The dataset as the shards find it. */
  readonly dataset: string;
  /** Arguments of `--agent`. */
  readonly agents: readonly string[];
  readonly shards: number;
  /** Where the results go: an S3-compatible store that all shards reach, or a folder. */
  readonly out: string;
  readonly image: string;
  readonly name: string;
  /** A secret whose entries become variables of the shards: credentials, endpoint. */
  readonly secret: string | null;
}

/** Written out in full: not every engine reads YAML's aliases. */
const write = (value: object) => stringify(value, { aliasDuplicateObjects: false });

const quote = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

function runWords({ dataset, agents, out }: Deployment): string {
  const words = ['bench', 'run', dataset, ...agents.flatMap((agent) => ['--agent', agent]), '--out', out];
  return words.map(quote).join(' ');
}

/** An indexed Job: a pod a shard; one that is lost is made again, and goes on where it was. */
export function kubernetesManifest(deployment: Deployment): string {
  const { name, image, shards, secret } = deployment;
  const command = `exec gistify ${runWords(deployment)} --shard "$((JOB_COMPLETION_INDEX + 1))/${shards}"`;
  return write({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: {
      completionMode: 'Indexed',
      completions: shards,
      parallelism: shards,
      backoffLimitPerIndex: 5,
      template: {
        spec: {
          restartPolicy: 'Never',
          containers: [
            {
              name: 'shard',
              image,
              command: ['/bin/sh', '-c', command],
              ...(secret === null ? {} : { envFrom: [{ secretRef: { name: secret } }] }),
              resources: { requests: { cpu: '2', memory: '4Gi' }, limits: { memory: '8Gi' } },
            },
          ],
        },
      },
    },
  });
}

/** A workflow with a shard a matrix entry, whose results are merged and reported by a last job. */
export function githubManifest(deployment: Deployment): string {
  const { name, shards } = deployment;
  const prepare = [
    { uses: 'actions/checkout@v4' },
    { uses: 'actions/setup-node@v4', with: { 'node-version': 20 } },
    { uses: 'actions/setup-python@v5', with: { 'python-version': '3.11' } },
    { run: 'npm ci --ignore-scripts && npm run build' },
  ];
  const indices = Array.from({ length: shards }, (_, at) => at + 1);
  return write({
    name,
    on: { workflow_dispatch: {} },
    jobs: {
      shard: {
        'runs-on': 'ubuntu-latest',
        'timeout-minutes': 360,
        strategy: { 'fail-fast': false, matrix: { shard: indices } },
        steps: [
          ...prepare,
          {
            run: `node dist/cli.js ${runWords({ ...deployment, out: 'results' })} --shard \${{ matrix.shard }}/${shards}`,
          },
          {
            if: 'always()',
            uses: 'actions/upload-artifact@v4',
            with: { name: 'shard-${{ matrix.shard }}', path: 'results' },
          },
        ],
      },
      report: {
        'runs-on': 'ubuntu-latest',
        needs: 'shard',
        if: 'always()',
        steps: [
          ...prepare,
          { uses: 'actions/download-artifact@v4', with: { path: 'shards' } },
          { run: `node dist/cli.js bench merge shards/* --out ${quote(deployment.out)}` },
          {
            run: `node dist/cli.js bench report ${quote(deployment.out)} --out report | tee -a "$GITHUB_STEP_SUMMARY"`,
          },
          { uses: 'actions/upload-artifact@v4', with: { name: 'report', path: 'report' } },
        ],
      },
    },
  });
}
