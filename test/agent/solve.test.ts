// Every scaffold with every option, solved by a script through the real tools over a real connection: the gist that comes
// out is scored like anyone's, and the user's tree is as it was.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentOptions } from '../../src/model/agentOptions.js';
import { defaultAgentOptions } from '../../src/model/agentOptions.js';
import { openLaboratory, type Laboratory } from './laboratory.js';
import { solve } from './solvers.js';

const node = 'tests/test_checkout.py::test_total_of_a_cart';

let lab: Laboratory;
let before: readonly string[];
beforeAll(async () => {
  lab = await openLaboratory();
  before = await lab.contents();
});
afterAll(async () => {
  expect(await lab.contents()).toEqual(before);
  await lab.close();
});

interface Case {
  readonly agent: Partial<AgentOptions>;
  readonly provider: 'openai' | 'anthropic' | 'openai-compatible';
  readonly stream: boolean;
  readonly node?: string;
}

const providers = ['openai-compatible', 'anthropic', 'openai'] as const;
const strategies = ['tracing', 'reading', 'test-body'] as const;
const agents: readonly Partial<AgentOptions>[] = [
  // Every scaffold with every choice of execution tools, and with every strategy and all global tools.
  ...(['mini', 'swe-agent', 'copilot'] as const).flatMap(
    (scaffold, index): readonly Partial<AgentOptions>[] => [
      ...(['off', 'bash', 'edit', 'on'] as const).map((execution) => ({ scaffold, execution })),
      { scaffold, strategy: strategies[index] ?? 'base', globalTools: ['graph', 'trace'] },
    ],
  ),
  { scaffold: 'static' },
  { scaffold: 'static', strategy: 'test-body', globalTools: ['trace'] },
];
const cases: readonly Case[] = [
  // In turn over the services, streamed and whole.
  ...agents.map((agent, index): Case => ({
    agent,
    provider: providers[index % 3] ?? 'openai',
    stream: index % 2 === 0,
  })),
  // Another kind of test: a class and output, parameters, a failure.
  {
    agent: { scaffold: 'mini' },
    ...{ provider: 'openai', stream: true, node: 'tests/test_receipt.py::TestText::test_receipt' },
  },
  {
    agent: { scaffold: 'swe-agent', execution: 'on' },
    ...{ provider: 'openai', stream: true, node: 'tests/test_money.py::test_percent' },
  },
  {
    agent: { scaffold: 'copilot' },
    ...{ provider: 'anthropic', stream: true, node: 'tests/test_bug_report.py::test_split_loses_no_cent' },
  },
];

function title({ agent, provider, stream, node: other }: Case): string {
  const { scaffold = '', execution = 'off', strategy = 'base', globalTools = [] } = agent;
  const words = [
    scaffold,
    `execution ${execution}`,
    strategy,
    ...globalTools,
    provider,
    stream ? 'streamed' : 'whole',
  ];
  return [...words, ...(other === undefined ? [] : [other])].join(', ');
}

describe('solved', () => {
  it.each(cases.map((given) => [title(given), given] as const))('%s', async (_title, given) => {
    const nodeId = given.node ?? node;
    const options = { ...defaultAgentOptions, ...given.agent };
    const built = await lab.builtIn(nodeId);
    expect(built.verified).toBe(true);
    const { gist, report, summary, server } = await lab.run({
      ...{ nodeId, agent: given.agent, provider: given.provider, stream: given.stream },
      script: solve({ gist: built.gist.text, nodeId, options }),
    });
    const problems = summary.trajectory.flatMap((event) =>
      event.type === 'tool' && event.status !== 'ok'
        ? [`${event.name} ${JSON.stringify(event.input).slice(0, 80)}: ${event.output.slice(0, 300)}`]
        : [],
    );
    expect(
      { end: summary.end, detail: summary.detail, failure: summary.failure },
      problems.join('\n'),
    ).toEqual({
      ...{ end: 'submitted', detail: '', failure: 'none' },
    });
    expect(gist).toBe(built.gist.text);
    expect(report?.verified).toBe(true);
    expect(report?.score).toEqual(built.score);
    expect(report?.agent).toEqual(summary);

    // One request a reply, one answer a call; what was refused is what the options turn off, and nothing else went wrong.
    const replies = summary.trajectory.filter(({ type }) => type === 'reply');
    expect(server?.requests).toHaveLength(replies.length);
    expect(summary.steps).toBe(replies.length);
    const refused = problems.filter((problem) => problem.includes('no code may be run'));
    expect(refused).toHaveLength(
      options.scaffold === 'mini' && ['off', 'edit'].includes(options.execution) ? 1 : 0,
    );
    const expected = [/^submit .*not there yet/, /no code may be run/, /^bash .*no_such_name/];
    if (nodeId.includes('test_bug_report')) return;
    expect(problems.filter((problem) => !expected.some((pattern) => pattern.test(problem)))).toEqual([]);
  });
});
