// A dataset's repositories flow in, the same dataset flows out with every test measured or dropped for a reason.
// Where a repository has tasks already only those are looked at; else all tests that pytest finds.
import { isCommand } from '../base/command.js';
import type { Host } from '../model/progress.js';
import { surveyTests } from '../engine/surveyTests.js';
import type { Installation } from '../engine/sources.js';
import type { Dataset, DatasetTask, Repository } from './dataset.js';
import { runVariables } from './environment.js';

export interface CollectOptions {
  readonly slow: number;
  readonly timeout: number;
  readonly jobs: number;
  /** Files, folders or node ids that are looked at where a repository has no tasks yet. */
  readonly places: readonly string[];
  readonly host: Host;
  readonly installation: Installation;
  readonly env: Readonly<Record<string, string>>;
  readonly prepare: (repository: Repository) => Promise<{ readonly folder: string; readonly python: string }>;
}

/** Runs and measures the tests of all repositories, one repository after the other. */
export async function collect(dataset: Dataset, options: CollectOptions): Promise<Dataset> {
  const tasks: DatasetTask[] = [];
  const dropped: Dataset['dropped'] = [];
  for (const [index, repository] of dataset.repositories.entries()) {
    const { name } = repository;
    const { folder, python } = await options.prepare(repository);
    const all = dataset.tasks.filter((task) => task.repository === name);
    // Commands are as they are: pytest has nothing to say of them.
    const commands = all.filter(({ nodeId }) => isCommand(nodeId));
    tasks.push(...commands);
    const known = all.filter((task) => !commands.includes(task));
    if (commands.length > 0 && known.length === 0) continue;
    const survey = await surveyTests({
      repo: folder,
      python,
      sandbox: 'local',
      pytestArgs: repository.pytestArgs,
      places: known.length > 0 ? known.map(({ nodeId }) => nodeId) : options.places,
      slow: options.slow,
      timeout: options.timeout,
      jobs: options.jobs,
      host: {
        ...options.host,
        progress: ({ stage, message, fraction }) => {
          const whole = (index + fraction) / dataset.repositories.length;
          options.host.progress({ stage, message: `${name}: ${message}`, fraction: whole });
        },
      },
      installation: options.installation,
      env: runVariables(repository, folder, options.env),
      cwd: folder,
    });
    const marks = new Map(known.map(({ nodeId, hard }) => [nodeId, hard]));
    for (const test of survey.kept) {
      const hard = marks.get(test.nodeId);
      tasks.push({ repository: name, ...test, ...(hard === undefined ? {} : { hard }) });
    }
    for (const test of survey.dropped) dropped.push({ repository: name, ...test });
  }
  return { ...dataset, tasks, dropped };
}
