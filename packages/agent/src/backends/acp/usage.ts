import { type Usage, unknownUsage } from "@ralpher/contract";
import type { PromptResult } from "./messages.ts";

/** What turns of a session cost. Agents tell what the session has cost so far. */
export interface Spending {
  /** All of the session, as it was told last; null when it never was. */
  readonly total: number | null;
  /** A turn begins. */
  begin(): void;
  /** What the session has cost so far, in US dollars. */
  note(total: number): void;
  /** What this turn has cost; null when the agent does not say. */
  ofTurn(): number | null;
}

export function createSpending(): Spending {
  let total: number | null = null;
  let before = 0;
  let isTold = false;
  return {
    get total() {
      return total;
    },
    begin() {
      before = total ?? 0;
      isTold = false;
    },
    note(amount) {
      // Some agents begin to count anew in a new process.
      if (amount < before) before = 0;
      total = amount;
      isTold = true;
    },
    ofTurn() {
      const spent = (total ?? 0) - before;
      // Agents say 0 for models whose prices they do not know, and for subscriptions.
      return isTold && spent > 0 ? spent : null;
    },
  };
}

/** The tokens of a turn. Those read from or written to a cache are input, those of reasoning are output. */
export function tokensOf(usage: PromptResult["usage"]): Pick<Usage, "inputTokens" | "outputTokens"> {
  if (usage === undefined) return unknownUsage;
  const { inputTokens, outputTokens, thoughtTokens = 0, cachedReadTokens = 0, cachedWriteTokens = 0 } = usage;
  const input = Math.round(inputTokens + cachedReadTokens + cachedWriteTokens);
  const output = Math.round(outputTokens + thoughtTokens);
  if (input + output === 0) return unknownUsage;
  return { inputTokens: input, outputTokens: output };
}
