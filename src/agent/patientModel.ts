// A model flows in, the same model with patience flows out: it waits for its turn under a rate limit and asks again,
// later each time, where a fault may pass. Waiting ends at once with the signal.
import { isRetryable, type ChatModel, type ModelFault } from './chatModel.js';

export interface Patience {
  /** Attempts for one reply, the first included. */
  readonly attempts: number;
  /** Seconds before the second attempt; doubled for each further one. */
  readonly firstWait: number;
  readonly longestWait: number;
  /** Requests a minute; null for no limit of our own. */
  readonly perMinute: number | null;
}

export const defaultPatience: Patience = { attempts: 6, firstWait: 1, longestWait: 60, perMinute: null };

/** Hands out turns so that no more than so many requests start in any minute; shared by all that use one account. */
export interface Turns {
  /** Seconds until the next free turn, which is taken with this call. */
  take(): number;
}

/** Turns at even distances. */
export function createTurns(perMinute: number | null): Turns {
  let next = 0;
  return {
    take() {
      if (perMinute === null) return 0;
      const now = performance.now() / 1000;
      const at = Math.max(now, next);
      next = at + 60 / perMinute;
      return at - now;
    },
  };
}

/** Resolves after so many seconds, rejects with the signal. */
function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1000);
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** The same model with retries; `onRetry` is told of each wait before it begins. */
export function patientModel(
  model: ChatModel,
  patience: Patience,
  turns: Turns,
  onRetry: (fault: ModelFault, wait: number) => void,
): ChatModel {
  return {
    name: model.name,
    async reply(request, signal, onText) {
      for (let attempt = 1; ; attempt += 1) {
        const turn = turns.take();
        if (turn > 0) await pause(turn, signal);
        const answer = await model.reply(request, signal, onText);
        if (answer.kind === 'reply' || !isRetryable(answer) || attempt >= patience.attempts) return answer;
        const backOff = Math.min(patience.longestWait, patience.firstWait * 2 ** (attempt - 1));
        // What the service asks for counts, and a little chance keeps many runs from asking at once.
        const wait = Math.max(answer.retryAfter ?? 0, backOff * (0.75 + Math.random() / 2));
        onRetry(answer, wait);
        await pause(wait, signal);
      }
    },
  };
}
