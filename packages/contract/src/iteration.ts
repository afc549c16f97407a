import { z } from "zod";
import { TurnFailure, Usage } from "./agent.ts";
import { GitCommit } from "./git.ts";
import { Timestamp } from "./ids.ts";
import { StepReport } from "./task/event.ts";

/**
 * How an iteration ended. `continue`: there is more to do; `partial`: what
 * it was about is not done yet; `complete`: the promise was made; `error`: it failed;
 * `interrupted`: a human stopped it; `stuck`: only a human can help it on.
 */
export const IterationOutcome = z.enum(["continue", "partial", "complete", "error", "interrupted", "stuck"]);
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
  /** How many times a human had said something to it. */
  said: z.int().nonnegative().optional(),
});
export type IterationSummary = z.infer<typeof IterationSummary>;

/** An iteration with all there is to know about it, the one under way included. */
export const IterationDetail = IterationSummary.extend({
  /** Place in the journal where it begins: jump there. */
  seq: z.int().positive(),
  /** Absent while it is under way. */
  completedAt: Timestamp.optional(),
  outcome: IterationOutcome.optional(),
  /** What the agent read at its last attempt; null before the first. */
  prompt: z.string().nullable(),
  attempts: z.int().nonnegative(),
  commits: z.array(GitCommit),
  failure: TurnFailure.optional(),
  lastText: z.string().optional(),
  /** Of a task: the step it was about, and what the agent said of that. */
  step: z.string().optional(),
  report: StepReport.optional(),
});
export type IterationDetail = z.infer<typeof IterationDetail>;
