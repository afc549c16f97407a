import { z } from "zod";
import { Usage } from "./agent.ts";
import { Timestamp } from "./ids.ts";

/**
 * How an iteration ended. `continue`: there is more to do; `complete`: the promise was made; `error`: its turn failed;
 * `interrupted`: a human stopped it.
 */
export const IterationOutcome = z.enum(["continue", "complete", "error", "interrupted"]);
export type IterationOutcome = z.infer<typeof IterationOutcome>;

/** One finished iteration (seed 004, §3.2, and what a timeline needs). */
export const IterationSummary = z.object({
  iteration: z.int().positive(),
  startedAt: Timestamp,
  completedAt: Timestamp,
  messageCount: z.int().nonnegative(),
  toolCallCount: z.int().nonnegative(),
  outcome: IterationOutcome,
  usage: Usage,
  commits: z.int().nonnegative(),
});
export type IterationSummary = z.infer<typeof IterationSummary>;
