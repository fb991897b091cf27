// `provider/model` as the user wrote it and the environment flow in; where to ask, with which key, flows out. Names of
// models are free: nothing here knows any.
import { GistifyError } from '../base/gistifyError.js';

export type ProviderKind = 'anthropic' | 'openai' | 'openai-compatible';

export interface ModelSpec {
  /** As the user wrote it. */
  readonly name: string;
  readonly provider: ProviderKind;
  readonly model: string;
  /** Null for the provider's own. */
  readonly baseUrl: string | null;
  readonly key: string | null;
  readonly stream: boolean;
  readonly temperature: number | null;
  readonly maxOutputTokens: number | null;
}

export interface ModelChoice {
  readonly name: string;
  readonly baseUrl: string | null;
  readonly stream: boolean;
  readonly temperature: number | null;
  readonly maxOutputTokens: number | null;
}

interface Provider {
  readonly kind: ProviderKind;
  /** Environment variable of the key; servers of one's own need none. */
  readonly keyVariable: string;
  readonly needsKey: boolean;
  readonly urlVariable: string;
  readonly url: string | null;
}

const providers: Readonly<Record<string, Provider>> = {
  anthropic: {
    kind: 'anthropic',
    keyVariable: 'ANTHROPIC_API_KEY',
    needsKey: true,
    urlVariable: 'ANTHROPIC_BASE_URL',
    url: null,
  },
  openai: {
    kind: 'openai',
    keyVariable: 'OPENAI_API_KEY',
    needsKey: true,
    urlVariable: 'OPENAI_BASE_URL',
    url: null,
  },
  ollama: local('OLLAMA', 'http://127.0.0.1:11434/v1'),
  vllm: local('VLLM', 'http://127.0.0.1:8000/v1'),
  lmstudio: local('LMSTUDIO', 'http://127.0.0.1:1234/v1'),
  'openai-compatible': local('OPENAI_COMPATIBLE', null),
};

function local(prefix: string, url: string | null): Provider {
  return {
    kind: 'openai-compatible',
    keyVariable: `${prefix}_API_KEY`,
    needsKey: false,
    urlVariable: `${prefix}_BASE_URL`,
    url,
  };
}

/** Where and how to ask the model. Throws GistifyError (`usage`) where the name or a key is missing. */
export function modelSpec(choice: ModelChoice, env: Readonly<Record<string, string>>): ModelSpec {
  const at = choice.name.indexOf('/');
  const providerName = choice.name.slice(0, Math.max(at, 0));
  const model = choice.name.slice(at + 1);
  const provider = providers[providerName];
  const known = Object.keys(providers).join(', ');
  if (provider === undefined || model === '')
    throw new GistifyError(
      'usage',
      `${JSON.stringify(choice.name)} names no model`,
      `A model is given as provider/name; the providers are ${known}.`,
    );
  const key = env[provider.keyVariable] ?? null;
  if (provider.needsKey && (key === null || key === ''))
    throw new GistifyError(
      'usage',
      `there is no key for ${providerName}`,
      `Set the environment variable ${provider.keyVariable}.`,
    );
  const baseUrl = choice.baseUrl ?? env[provider.urlVariable] ?? provider.url;
  if (provider.kind === 'openai-compatible' && baseUrl === null)
    throw new GistifyError(
      'usage',
      `where is the server of ${choice.name}?`,
      'Give its address with --base-url, for example --base-url http://127.0.0.1:8080/v1.',
    );
  if (baseUrl !== null && !/^https?:\/\//.test(baseUrl))
    throw new GistifyError(
      'usage',
      `${JSON.stringify(baseUrl)} is no web address`,
      'It begins with http:// or https://.',
    );
  return {
    ...choice,
    model,
    provider: provider.kind,
    baseUrl,
    key: key === '' ? null : key,
  };
}
