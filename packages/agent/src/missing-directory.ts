import { stat } from "node:fs/promises";
import type { TurnFailure } from "@ralpher/contract";

/**
 * What a turn must fail with where the folder that the agent is to work in is not there; null where it is. Agents
 * themselves either crash over it, which looks as if it could pass, or work on in no folder at all.
 */
export async function missingDirectory(directory: string): Promise<TurnFailure | null> {
  const found = await stat(directory).catch(() => null);
  if (found?.isDirectory() === true) return null;
  return { reason: "missing", message: `There is no folder ${directory}.` };
}
