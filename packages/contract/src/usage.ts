import type { Usage } from "./agent.ts";

// Apart from the schema, so that the fold can be used where Zod is too heavy: in the dashboard.

export const unknownUsage: Usage = { inputTokens: null, outputTokens: null, costUsd: null };

/** Sum two usages; known + unknown keeps what is known. */
export function addUsage(a: Usage, b: Usage): Usage {
  const sum = (x: number | null, y: number | null) => (x === null ? y : y === null ? x : x + y);
  return {
    inputTokens: sum(a.inputTokens, b.inputTokens),
    outputTokens: sum(a.outputTokens, b.outputTokens),
    costUsd: sum(a.costUsd, b.costUsd),
  };
}
