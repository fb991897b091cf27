// What a service or the network said flows in, the kind of fault flows out: it decides whether to wait, to stop or to
// tell the user what to do.
import type { FaultKind, ModelFault } from './chatModel.js';

export interface FaultFacts {
  /** HTTP status; null where there was no answer. */
  readonly status: number | null;
  readonly name: string;
  readonly message: string;
  readonly body: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

const contextWords =
  /context.{0,20}(length|window|limit)|too many tokens|prompt is too long|maximum.{0,20}tokens|input length.{0,30}exceed/i;
const quotaWords = /insufficient_quota|billing|credit balance|quota.{0,20}exceeded/i;
const malformedNames =
  /^AI_(JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody|NoContentGenerated|NoOutputGenerated)Error$/;

function kindOf({ status, name, message, body }: FaultFacts): FaultKind {
  const words = `${message} ${body}`;
  if (status === null) {
    if (/overloaded/i.test(words)) return 'overloaded';
    if (/rate.?limit/i.test(words)) return 'rate-limit';
    if (contextWords.test(words)) return 'context';
    return malformedNames.test(name) ? 'malformed' : name === 'stream' ? 'server' : 'network';
  }
  if (status === 401) return 'auth';
  if (status === 402 || quotaWords.test(words)) return 'quota';
  if (status === 403) return 'permission';
  if (status === 404) return 'not-found';
  if (status === 408 || status === 409) return 'network';
  if (status === 413 || (status === 400 && contextWords.test(words))) return 'context';
  if (status === 429) return 'rate-limit';
  if (status === 529 || status === 503) return 'overloaded';
  if (status >= 500) return 'server';
  if (status >= 400) return 'bad-request';
  // An answer that was no fault, and could not be read.
  return 'malformed';
}

/** Seconds that `retry-after` headers ask for: a number, milliseconds, or a date. */
function retryAfter(headers: FaultFacts['headers'], now: number): number | null {
  const milliseconds = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (Number.isFinite(milliseconds)) return Math.max(0, milliseconds / 1000);
  const given = headers['retry-after'];
  if (given === undefined) return null;
  const seconds = Number(given);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const date = Date.parse(given);
  return Number.isNaN(date) ? null : Math.max(0, (date - now) / 1000);
}

/** The fault with the service's own words, cut to what a person reads. */
export function faultOf(facts: FaultFacts, now: number = Date.now()): ModelFault {
  const status = facts.status === null ? '' : `status ${facts.status}: `;
  const message = (status + facts.message).replaceAll(/\s+/g, ' ').trim().slice(0, 500);
  return { kind: 'fault', fault: kindOf(facts), message, retryAfter: retryAfter(facts.headers, now) };
}

/** What the user can do about it. */
export const faultHints: Readonly<Record<FaultKind, string>> = {
  auth: 'Check the API key of this provider.',
  permission: 'The key or account may not use this model, or you have not agreed to its use.',
  'not-found': 'Check the name of the model and the base URL.',
  quota: 'The account has no credit left for this provider.',
  'rate-limit': 'Wait, or ask less often with --rpm.',
  overloaded: 'The service is overloaded: try again later.',
  server: 'The service failed: try again later.',
  network: 'Check the network and the base URL.',
  context: 'The history does not fit the model: choose a larger one.',
  blocked: 'The provider refused to answer this request.',
  'bad-request': 'The service does not accept the request: check model and options.',
  malformed: 'The service answered in a form that cannot be read: is the base URL right?',
};
