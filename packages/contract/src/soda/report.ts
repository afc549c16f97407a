import { z } from "zod";
import { Usage } from "../agent.ts";
import { GitCommit } from "../git.ts";
import { Timestamp } from "../ids.ts";
import { IterationOutcome } from "../iteration.ts";
import { WorkItemId } from "../work-item.ts";
import { ActOutput, ItemChange, RefusedChange, Regression, TaskOutcome, TaskReport, TestResult } from "./act.ts";
import { Claims } from "./claims.ts";
import { Decision, Orientation, OrientPattern } from "./orientation.ts";
import { SodaProject, Spec } from "./settings.ts";

export const SodaPhase = z.enum(["sense", "orient", "decide", "act"]);
export type SodaPhase = z.infer<typeof SodaPhase>;

/** One task of an iteration, with all there is to know about it. */
export const SodaTaskReport = z.object({
  id: WorkItemId,
  title: z.string(),
  report: TaskReport.nullable(),
  /** How many executors worked on it. */
  rounds: z.int().nonnegative(),
  test: TestResult.nullable(),
  regression: Regression.nullable(),
  /** The ref that keeps what was taken out of the tree. */
  setAside: z.string().nullable(),
  outcome: TaskOutcome.nullable(),
  reason: z.string().nullable(),
  commits: z.array(GitCommit),
});
export type SodaTaskReport = z.infer<typeof SodaTaskReport>;

/** One iteration, phase by phase; what has not happened yet is null. */
export const SodaIteration = z.object({
  iteration: z.int().positive(),
  /** Place in the journal where it begins. */
  seq: z.int().positive(),
  startedAt: Timestamp,
  completedAt: Timestamp.nullable(),
  outcome: IterationOutcome.nullable(),
  /** The phase it is in, or ended in. */
  phase: SodaPhase,
  claims: Claims.nullable(),
  orientation: Orientation.nullable(),
  pattern: OrientPattern.nullable(),
  plan: z.object({ intent: z.string(), approach: z.string() }).nullable(),
  changes: z.array(ItemChange),
  refused: z.array(RefusedChange),
  decision: Decision.nullable(),
  branch: z.string().nullable(),
  baseline: TestResult.nullable(),
  tasks: z.array(SodaTaskReport),
  /** The head of the milestone branch after the merge, or the files in conflict. */
  merged: z.union([z.object({ head: z.string() }), z.object({ conflict: z.array(z.string()) })]).nullable(),
  /** What ACT did in all; null before it ended. */
  act: ActOutput.nullable(),
  usage: Usage,
  error: z.string().nullable(),
});
export type SodaIteration = z.infer<typeof SodaIteration>;

/** A SODA loop as a person looks at it: GET /api/loops/:id/soda. */
export const SodaReport = z.object({
  spec: Spec.nullable(),
  project: SodaProject.nullable(),
  root: z.object({ id: WorkItemId, title: z.string() }).nullable(),
  /** Oldest first: the newest so many, see `SodaReportQuery`. */
  iterations: z.array(SodaIteration),
  /** The content of memory.md. */
  memory: z.string(),
  /** The newest summary. */
  summary: z.object({ path: z.string(), text: z.string(), at: Timestamp }).nullable(),
  /** Why it was started again by itself, and when; newest last, at most 20. */
  woken: z.array(z.object({ by: z.string(), note: z.string(), at: Timestamp })),
});
export type SodaReport = z.infer<typeof SodaReport>;
