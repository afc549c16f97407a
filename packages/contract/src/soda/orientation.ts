import { z } from "zod";
import { Priority } from "../work-item.ts";

/** Is it so? `unverifiable`: it cannot be found out from here. */
export const Verdict = z.union([z.boolean(), z.literal("unverifiable")]);
export type Verdict = z.infer<typeof Verdict>;

/** What a verdict stands on. */
export const Evidence = z.object({
  file: z.string().optional(),
  line: z.int().positive().optional(),
  /** The name of a test. */
  test: z.string().optional(),
  /** What was seen: a line or a few of output or code. */
  output: z.string().optional(),
});
export type Evidence = z.infer<typeof Evidence>;

/** One acceptance criterion of the spec, judged by itself (O-4). */
export const CriterionVerdict = z.object({
  /** The criterion in the spec's own words, shortened where it is long. */
  criterion: z.string().min(1),
  satisfied: Verdict,
  evidence: z.array(Evidence).default([]),
  note: z.string().optional(),
});
export type CriterionVerdict = z.infer<typeof CriterionVerdict>;

/** A change of one work item, with the reason as a comment (O-1, O-2, O-5). */
export const TaskUpdate = z.object({
  id: z.string().min(1),
  /** `close`: verified; `reopen`: closed but not so; `unblock`: what stood in the way is gone. */
  action: z.enum(["close", "reopen", "block", "unblock", "reprioritise", "comment"]),
  /** For `reprioritise`: 0 is the most urgent, 4 the least. */
  priority: Priority.optional(),
  comment: z.string().min(1),
});
export type TaskUpdate = z.infer<typeof TaskUpdate>;

export const NewTask = z.object({
  /** Names the task in this answer: `new-1`. */
  ref: z.string().min(1),
  title: z.string().min(1).max(300),
  description: z.string().default(""),
  priority: Priority.default(2),
  /** An id or a ref; absent: directly under the root. */
  parent: z.string().optional(),
  /** An id or a ref. */
  depends_on: z.string().optional(),
  /** `investigation`: find out why something comes back without progress (O-7). */
  kind: z.enum(["task", "investigation"]).default("task"),
});
export type NewTask = z.infer<typeof NewTask>;

export const Gap = z.object({
  description: z.string().min(1),
  severity: z.enum(["critical", "major", "minor"]),
  criterion: z.string().optional(),
});
export type Gap = z.infer<typeof Gap>;

export const IterationPlan = z.object({
  /** What this iteration is to achieve, in a sentence. */
  intent: z.string().min(1),
  approach: z.string().default(""),
  /** Ids and refs of tasks that nothing blocks, in the order they are to be done. */
  tasks: z.array(z.string().min(1)),
});
export type IterationPlan = z.infer<typeof IterationPlan>;

export const Learning = z.object({
  text: z.string().min(1),
  /** `deprecate`: this learning of memory.md contradicts what is (O-3). */
  action: z.enum(["add", "deprecate"]).default("add"),
});
export type Learning = z.infer<typeof Learning>;

/** What ORIENT answers (O-8). */
export const Orientation = z.object({
  summary: z.string().min(1),
  criteria: z.array(CriterionVerdict),
  spec_satisfied: Verdict,
  actionable_work_exists: z.boolean(),
  /** From 0, a guess, to 1, certain. */
  confidence: z.number().min(0).max(1),
  task_updates: z.array(TaskUpdate).default([]),
  new_tasks: z.array(NewTask).default([]),
  gaps: z.array(Gap).default([]),
  /** Null when there is nothing to do or nothing that can be done. */
  iteration_plan: IterationPlan.nullable().default(null),
  learnings: z.array(Learning).default([]),
});
export type Orientation = z.infer<typeof Orientation>;

/** How the conversation with ORIENT is led, by the size of the claims (O-8). */
export const OrientPattern = z.enum(["narrow", "walk", "bookend"]);
export type OrientPattern = z.infer<typeof OrientPattern>;

/** What DECIDE says (seed 001): why a human is needed, or what was reached. */
export const Decision = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("DONE"), summary: z.string() }),
  z.object({ outcome: z.literal("STUCK"), reason: z.string() }),
  z.object({ outcome: z.literal("CONTINUE") }),
]);
export type Decision = z.infer<typeof Decision>;
