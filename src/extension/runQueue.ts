// Pieces of work flow in, each with a key; so many as the setting allows run at once, the others wait their turn.
// Each shows its progress and can be cancelled alone, also while it waits.
import * as vscode from 'vscode';

export interface Job {
  readonly title: string;
  readonly controller: AbortController;
  readonly state: 'waiting' | 'running';
}

export type Progress = vscode.Progress<{ message?: string; increment?: number }>;

export interface RunQueue {
  dispose(): void;
  /** What waits and runs, oldest first. */
  readonly jobs: ReadonlyMap<string, Job>;
  /** Does the work when its turn has come; resolves when it has ended or was cancelled. */
  run(
    key: string,
    title: string,
    work: (signal: AbortSignal, progress: Progress) => Promise<void>,
  ): Promise<void>;
}

/** @param parallel how many may run at once, asked at each turn */
export function createRunQueue(parallel: () => number): RunQueue {
  const jobs = new Map<string, Job>();
  const waiting: { readonly key: string; readonly start: () => void }[] = [];

  const running = (): number => [...jobs.values()].filter(({ state }) => state === 'running').length;

  const next = (): void => {
    while (waiting.length > 0 && running() < Math.max(1, parallel())) {
      const first = waiting.shift();
      const job = first === undefined ? undefined : jobs.get(first.key);
      if (first === undefined || job === undefined) continue;
      jobs.set(first.key, { ...job, state: 'running' });
      first.start();
    }
  };

  const turn = async (key: string, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      waiting.push({ key, start: resolve });
      signal.addEventListener('abort', () => {
        const place = waiting.findIndex((one) => one.key === key);
        if (place !== -1) waiting.splice(place, 1);
        resolve();
      });
      next();
    });

  return {
    jobs,
    async run(key, title, work) {
      const controller = new AbortController();
      const { signal } = controller;
      jobs.set(key, { title, controller, state: 'waiting' });
      const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
      try {
        await vscode.window.withProgress(options, async (progress, token) => {
          token.onCancellationRequested(() => {
            controller.abort();
          });
          const started = turn(key, signal);
          if (jobs.get(key)?.state === 'waiting')
            progress.report({ message: vscode.l10n.t('waits for its turn') });
          await started;
          if (!signal.aborted) await work(signal, progress);
        });
      } finally {
        jobs.delete(key);
        next();
      }
    },
    dispose() {
      for (const { controller } of jobs.values()) controller.abort();
    },
  };
}
