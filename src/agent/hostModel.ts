// A model of the program that started this one, VS Code's above all: requests go to it over the process's own channel, and
// so do questions for keys. Where no host said that it answers, there is none.
import process from 'node:process';
import { GistifyError } from '../base/gistifyError.js';
import { hostVariable, type EngineMessage, type HostMessage } from '../model/hostMessages.js';
import type { ChatModel, ChatReply, ChatRequest, ModelFault } from './chatModel.js';

type Message = HostMessage<ChatReply | ModelFault>;

function hasHost(): boolean {
  return process.connected && process.env[hostVariable] !== undefined;
}

function isMessage(given: unknown): given is Message {
  return typeof given === 'object' && given !== null && 'gistify' in given;
}

/** Does nothing where there is no host. */
export function tellHost(message: EngineMessage<ChatRequest>): void {
  // One that has just hung up is told nothing more.
  if (hasHost()) process.send?.(message, undefined, undefined, () => undefined);
}

let asked = 0;

/** The model with this id of the host's. */
export function hostModel(name: string, model: string): ChatModel {
  if (!hasHost())
    throw new GistifyError(
      'usage',
      `${name} is a model of VS Code, and this run was not started there`,
      'Choose a model by its provider: anthropic/…, openai/…, ollama/….',
    );
  return {
    name,
    reply(request, signal, onText) {
      signal.throwIfAborted();
      asked += 1;
      const id = asked;
      return new Promise((resolve, reject) => {
        const settle = (): void => {
          process.off('message', hear);
          process.off('disconnect', hangUp);
          signal.removeEventListener('abort', stop);
        };
        const hear = (given: unknown): void => {
          if (!isMessage(given) || given.gistify === 'keys' || given.id !== id) return;
          if (given.gistify === 'text') {
            onText(given.delta);
            return;
          }
          settle();
          resolve(given.answer);
        };
        const stop = (): void => {
          settle();
          tellHost({ gistify: 'drop', id });
          reject(signal.reason as Error);
        };
        const hangUp = (): void => {
          settle();
          resolve({ kind: 'fault', fault: 'network', message: 'VS Code has hung up', retryAfter: null });
        };
        process.on('message', hear).on('disconnect', hangUp);
        signal.addEventListener('abort', stop, { once: true });
        tellHost({ gistify: 'ask', id, model, request });
      });
    },
  };
}

/** Keys that the host keeps, by environment variable; none where there is no host. */
export function hostKeys(): Promise<Readonly<Record<string, string>>> {
  if (!hasHost()) return Promise.resolve({});
  return new Promise((resolve) => {
    const finish = (keys: Readonly<Record<string, string>>): void => {
      process.off('message', hear);
      process.off('disconnect', hangUp);
      resolve(keys);
    };
    const hear = (given: unknown): void => {
      if (isMessage(given) && given.gistify === 'keys') finish(given.keys);
    };
    const hangUp = (): void => finish({});
    process.on('message', hear).on('disconnect', hangUp);
    tellHost({ gistify: 'keys' });
  });
}
