import type { OpencodeClient } from "@opencode-ai/sdk/v2/client";
import type { ModelRef } from "@ralpher/contract";

/**
 * Does opencode lack this model, as it is configured for the directory? opencode has no error of its own for it, so that
 * this is asked after one it cannot name.
 */
export async function lacksModel(
  { config }: OpencodeClient,
  directory: string,
  { providerID, modelID }: ModelRef,
): Promise<boolean> {
  const { data } = await config.providers({ directory });
  return data !== undefined && data.providers.find(({ id }) => id === providerID)?.models[modelID] === undefined;
}
