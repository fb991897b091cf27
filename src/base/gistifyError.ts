// Faults of the environment or of the request flow up as one error type; it must always say what to do next.

/** Exit status of the command line for each way a run can end. */
export const exitStatus = {
  verified: 0,
  unverified: 1,
  usage: 2,
  refused: 3,
  originalFailed: 4,
  cancelled: 130,
} as const;

export type ErrorCode =
  | 'usage'
  | 'repo-not-found'
  | 'file-not-found'
  | 'test-not-found'
  | 'python-not-found'
  | 'pytest-missing'
  | 'no-engine'
  | 'engine-permission'
  | 'engine-failed'
  | 'image-missing'
  | 'image-unfit'
  | 'build-failed'
  | 'disk-full'
  | 'not-allowed'
  | 'which-configuration'
  | 'collection-error'
  | 'nothing-ran'
  | 'ended-early'
  | 'flaky'
  | 'timeout'
  | 'refused'
  | 'cancelled'
  | 'helper-crashed'
  | 'syntax-error'
  | 'store-failed'
  | 'model-failed'
  | 'internal';

const statusOf: Record<ErrorCode, number> = {
  usage: exitStatus.usage,
  'repo-not-found': exitStatus.usage,
  'file-not-found': exitStatus.usage,
  'test-not-found': exitStatus.originalFailed,
  'python-not-found': exitStatus.usage,
  'pytest-missing': exitStatus.originalFailed,
  'no-engine': exitStatus.originalFailed,
  'engine-permission': exitStatus.originalFailed,
  'engine-failed': exitStatus.originalFailed,
  'image-missing': exitStatus.originalFailed,
  'image-unfit': exitStatus.originalFailed,
  'build-failed': exitStatus.originalFailed,
  'disk-full': exitStatus.originalFailed,
  'not-allowed': exitStatus.usage,
  'which-configuration': exitStatus.usage,
  'collection-error': exitStatus.originalFailed,
  'nothing-ran': exitStatus.originalFailed,
  'ended-early': exitStatus.originalFailed,
  flaky: exitStatus.originalFailed,
  timeout: exitStatus.originalFailed,
  refused: exitStatus.refused,
  cancelled: exitStatus.cancelled,
  'helper-crashed': exitStatus.originalFailed,
  'syntax-error': exitStatus.originalFailed,
  'store-failed': exitStatus.originalFailed,
  'model-failed': exitStatus.originalFailed,
  internal: exitStatus.originalFailed,
};

/** A fault that ends a run: `code` for machines, `message` for people, `hint` for what to do next. */
export class GistifyError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
  readonly details: string;

  constructor(code: ErrorCode, message: string, hint = '', details = '') {
    super(message);
    this.name = 'GistifyError';
    this.code = code;
    this.hint = hint;
    this.details = details;
  }

  get exitStatus(): number {
    return statusOf[this.code];
  }
}
