// Which agent makes a gist and within which limits; normalized once, like a Task. The defaults are those of the paper.

export const scaffoldNames = ['mini', 'swe-agent', 'copilot', 'static', 'command'] as const;
export type ScaffoldName = (typeof scaffoldNames)[number];

export const executionChoices = ['off', 'bash', 'edit', 'on'] as const;
/** `bash`: commands may run Python; `edit`: a tool that writes the file and runs it; `on`: both. */
export type ExecutionChoice = (typeof executionChoices)[number];

export const strategies = ['base', 'tracing', 'reading', 'test-body'] as const;
export type Strategy = (typeof strategies)[number];

export const globalTools = ['graph', 'trace'] as const;
export type GlobalTool = (typeof globalTools)[number];

export interface AgentOptions {
  readonly scaffold: ScaffoldName;
  /** Shell command of a `command` agent, else ''. */
  readonly command: string;
  readonly execution: ExecutionChoice;
  readonly strategy: Strategy;
  readonly globalTools: readonly GlobalTool[];
  readonly maxSteps: number;
  /** Tokens that one request and its reply may hold together. */
  readonly contextTokens: number;
  /** Tokens over the whole run, input and output; null for no cap. */
  readonly maxTokens: number | null;
  /** US dollars over the whole run; null for no cap. */
  readonly maxCost: number | null;
  /** Wall-clock limits in seconds: of one tool call, and of the whole run. */
  readonly stepSeconds: number;
  readonly totalSeconds: number;
  /** Names of environment variables that a command agent gets besides the harmless ones. */
  readonly passEnv: readonly string[];
}

export const defaultAgentOptions: AgentOptions = {
  scaffold: 'mini',
  command: '',
  execution: 'off',
  strategy: 'base',
  globalTools: [],
  maxSteps: 50,
  contextTokens: 128_000,
  maxTokens: null,
  maxCost: null,
  stepSeconds: 60,
  totalSeconds: 3600,
  passEnv: [],
};
