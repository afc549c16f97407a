import type { ToolAccess } from "@ralpher/contract";

/**
 * Look, do not touch: the agent reads, searches, and runs these commands (the tests, say) as they stand or with plain
 * arguments behind them. What a command itself changes is not held back.
 */
export function readOnly(commands: string[] = []): ToolAccess {
  return { kinds: ["read", "search"], commands };
}

/** Everything that the user's own set-up of the agent allows or would ask about. */
export const full = undefined;
