// A place in words flows in, the store there flows out; the library for object storage is loaded only where it is needed.
import { GistifyError } from '../base/gistifyError.js';
import { folderStore } from './folderStore.js';
import type { ResultStore } from './resultStore.js';

/** Opens `s3://bucket/prefix` or a folder. */
export async function openStore(where: string): Promise<ResultStore> {
  if (!where.startsWith('s3://')) return folderStore(where);
  const [, bucket, folder = ''] = /^s3:\/\/([^/]+)(?:\/+(.*?))?\/*$/.exec(where) ?? [];
  if (bucket === undefined)
    throw new GistifyError('usage', `${where} names no bucket`, 'Write s3://bucket/prefix.');
  const { s3Store } = await import('./s3Store.js');
  return withNamedFaults(s3Store(bucket, folder));
}

/** A store whose faults are told with what to do about them. */
function withNamedFaults(store: ResultStore): ResultStore {
  const { where } = store;
  const named = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw new GistifyError(
        'store-failed',
        `the store ${where} does not answer as it should`,
        'Look at AWS_ENDPOINT_URL, AWS_REGION and the credentials; finished tasks are kept, run the command again to go on.',
        error instanceof Error ? `${error.name}: ${error.message}` : String(error),
      );
    });
  return {
    where,
    list: (prefix) => named(store.list(prefix)),
    read: (key) => named(store.read(key)),
    write: (key, text) => named(store.write(key, text)),
    stage: () => store.stage(),
    commit: (staged, path) => named(store.commit(staged, path)),
  };
}
