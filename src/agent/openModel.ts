// The user's choice of a model flows in, the model flows out. The SDK is a bundle of its own, loaded here and nowhere else,
// so that a run without a model does not pay for it.
import type { ChatModel } from './chatModel.js';
import { hostModel } from './hostModel.js';
import { modelSpec, type ModelChoice } from './modelSpec.js';
import { replayModel } from './replayModel.js';

/** Name of the provider whose model answers as a recorded run did: `replay/FILE`. */
const replayPrefix = 'replay/';
/** And of a model of VS Code, by its id there. */
const hostPrefix = 'vscode/';

/** Opens a model. Throws GistifyError (`usage`) where the choice cannot be met. */
export async function openModel(
  choice: ModelChoice,
  env: Readonly<Record<string, string>>,
): Promise<ChatModel> {
  if (choice.name.startsWith(replayPrefix))
    return replayModel(choice.name, choice.name.slice(replayPrefix.length));
  if (choice.name.startsWith(hostPrefix)) return hostModel(choice.name, choice.name.slice(hostPrefix.length));
  const spec = modelSpec(choice, env);
  const { createSdkModel } = await import('./sdkModel.js');
  return createSdkModel(spec);
}
