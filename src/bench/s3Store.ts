// Finished tasks flow into an S3-compatible store: a task counts as finished once its `result.json`, written last, is
// there. Endpoint, region and credentials are the environment's, as every AWS tool reads them.
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { ResultStore } from './resultStore.js';

/** Opens a prefix of a bucket. Bundled apart: what goes wrong here is named by `openStore`. */
export function s3Store(bucket: string, folder: string): ResultStore {
  const prefix = folder === '' ? '' : `${folder}/`;
  const env = process.env;
  const endpoint = env['AWS_ENDPOINT_URL_S3'] ?? env['AWS_ENDPOINT_URL'];
  const client = new S3Client({
    region: env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'] ?? 'us-east-1',
    // Buckets of other servers are seldom hosts of their own.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const put = (key: string, body: string | Uint8Array) =>
    client.send(new PutObjectCommand({ Bucket: bucket, Key: prefix + key, Body: body }));
  return {
    where: `s3://${bucket}/${folder}`,
    async list(below) {
      const keys: string[] = [];
      let token: string | undefined;
      do {
        const page = await client.send(
          new ListObjectsV2Command({
            Bucket: bucket,
            Prefix: `${prefix}${below}/`,
            ...(token === undefined ? {} : { ContinuationToken: token }),
          }),
        );
        for (const { Key } of page.Contents ?? []) if (Key !== undefined) keys.push(Key.slice(prefix.length));
        token = page.NextContinuationToken;
      } while (token !== undefined);
      return keys.toSorted();
    },
    async read(key) {
      const answer = await client
        .send(new GetObjectCommand({ Bucket: bucket, Key: prefix + key }))
        .catch((error: unknown) => {
          if (error instanceof NoSuchKey) return null;
          throw error;
        });
      return answer?.Body === undefined ? null : answer.Body.transformToString('utf8');
    },
    async write(key, text) {
      await put(key, text);
    },
    stage: () => mkdtemp(join(tmpdir(), 'gistify-task-')),
    async commit(staged, path) {
      const names = await readdir(staged);
      for (const name of names.filter((one) => one !== 'result.json').concat('result.json'))
        await put(`${path}/${name}`, await readFile(join(staged, name)));
      await rm(staged, { recursive: true, force: true });
    },
  };
}
