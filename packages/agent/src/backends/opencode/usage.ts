import type { AssistantMessage } from "@opencode-ai/sdk/v2/client";
import { type Usage, unknownUsage } from "@ralpher/contract";

/**
 * What messages used up together. Tokens read from or written to a cache are input, reasoning is output. opencode
 * reports no tokens for answers that never came, and a cost of 0 for models whose prices it does not know and for
 * subscriptions: both are unknown.
 */
export function sumUsage(messages: Iterable<Pick<AssistantMessage, "tokens" | "cost">>): Usage {
  let input = 0;
  let output = 0;
  let cost = 0;
  for (const { tokens, cost: spent } of messages) {
    input += tokens.input + tokens.cache.read + tokens.cache.write;
    output += tokens.output + tokens.reasoning;
    cost += spent;
  }
  if (input + output === 0) return unknownUsage;
  return { inputTokens: Math.round(input), outputTokens: Math.round(output), costUsd: cost > 0 ? cost : null };
}
