import type { ModelUsage, SDKResultMessage } from "@anthropic-ai/claude-agent-sdk";
import { type Usage, unknownUsage } from "@ralpher/contract";

/** What each model was used for in a session so far, as Claude Code tells it with every result. */
export type Totals = SDKResultMessage["modelUsage"];

/** The tokens of one answer, as they come over the wire: in parts, the later ones replacing the earlier. */
export interface AnswerUsage {
  input_tokens?: number | null;
  cache_read_input_tokens?: number | null;
  cache_creation_input_tokens?: number | null;
  output_tokens?: number | null;
}

/**
 * What was used between two results, subagents and compactions included. Tokens read from or written to a cache are
 * input. Null when the totals do not continue each other.
 *
 * The cost is Claude Code's own estimate at list prices. It has no other for subscribers, so for them it is what the API
 * would have taken, not what they pay. For a model whose price it does not know it guesses, and says so: that is unknown.
 */
export function usageBetween(before: Totals, after: Totals): Usage | null {
  let input = 0;
  let output = 0;
  let cost: number | null = 0;
  for (const [model, total] of Object.entries(after)) {
    const former = before[model];
    const inputTokens = inputOf(total) - inputOf(former);
    const outputTokens = total.outputTokens - (former?.outputTokens ?? 0);
    const costUsd = total.costUSD - (former?.costUSD ?? 0);
    if (inputTokens < 0 || outputTokens < 0 || costUsd < 0) return null;
    if (inputTokens + outputTokens > 0 && total.costBasis === "unknown") cost = null;
    input += inputTokens;
    output += outputTokens;
    if (cost !== null) cost += costUsd;
  }
  if (Object.keys(before).some((model) => after[model] === undefined)) return null;
  if (input + output === 0) return unknownUsage;
  // The differences of sums of decimal fractions have a long tail.
  return { inputTokens: input, outputTokens: output, costUsd: cost === null ? null : Number(cost.toFixed(9)) };
}

/** The tokens of answers together. Their cost is told with a turn's result only. */
export function sumAnswers(answers: readonly AnswerUsage[]): Usage {
  let input = 0;
  let output = 0;
  for (const answer of answers) {
    input +=
      (answer.input_tokens ?? 0) + (answer.cache_read_input_tokens ?? 0) + (answer.cache_creation_input_tokens ?? 0);
    output += answer.output_tokens ?? 0;
  }
  if (input + output === 0) return unknownUsage;
  return { inputTokens: input, outputTokens: output, costUsd: null };
}

function inputOf(total: ModelUsage | undefined): number {
  if (total === undefined) return 0;
  return total.inputTokens + total.cacheReadInputTokens + total.cacheCreationInputTokens;
}
