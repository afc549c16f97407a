import { z } from "zod";
import { Priority, WorkItemId } from "../work-item.ts";

/**
 * What a run of the project's tests showed. `none`: nothing says how to run any. Counts and names are null where the
 * runner does not tell them; then the exit code alone counts.
 */
export const TestResult = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("none") }),
  z.object({
    kind: z.literal("ran"),
    command: z.string(),
    /** Null: it was ended, for it took too long. */
    exitCode: z.int().nullable(),
    passed: z.int().nonnegative().nullable(),
    failed: z.int().nonnegative().nullable(),
    /** Names of failing tests, at most 200; null when the runner does not name them. */
    failing: z.array(z.string()).nullable(),
    /** The end of what it printed. */
    tail: z.string(),
    durationMs: z.int().nonnegative(),
  }),
]);
export type TestResult = z.infer<typeof TestResult>;

/** What got worse since the baseline. Both empty: nothing. */
export const Regression = z.object({
  /** Tests that fail now and did not before. */
  tests: z.array(z.string()),
  /** What is worse where no names are known, in a sentence. */
  note: z.string().nullable(),
});
export type Regression = z.infer<typeof Regression>;

/** What the executor of one task reports when it is through. */
export const TaskReport = z.object({
  /** `partial`: something is done, and more is to do. */
  outcome: z.enum(["completed", "blocked", "partial"]),
  summary: z.string().min(1),
  /** Why it cannot go on, and what would free it. */
  blocked_reason: z.string().optional(),
  new_subtasks: z
    .array(
      z.object({
        title: z.string().min(1).max(300),
        description: z.string().default(""),
        priority: Priority.default(2),
      }),
    )
    .default([]),
  /** What the next one to work here should know. */
  learnings: z.array(z.string().min(1)).default([]),
});
export type TaskReport = z.infer<typeof TaskReport>;

/** How a task of an iteration ended. */
export const TaskOutcome = z.enum(["completed", "blocked", "partial"]);
export type TaskOutcome = z.infer<typeof TaskOutcome>;

/** What one ACT did. */
export const ActOutput = z.object({
  tasks_completed: z.array(WorkItemId),
  tasks_blocked: z.array(z.object({ id: WorkItemId, reason: z.string() })),
  task_comments: z.array(z.object({ id: WorkItemId, content: z.string() })),
  new_subtasks: z.array(z.object({ id: WorkItemId, parent: WorkItemId, title: z.string() })),
  learnings: z.array(z.string()),
  commits: z.array(z.object({ sha: z.string(), message: z.string() })),
});
export type ActOutput = z.infer<typeof ActOutput>;

/** A change the orchestrator made to a work item. `at`: the item's new `updatedAt`. */
export const ItemChange = z.object({
  id: WorkItemId,
  title: z.string(),
  what: z.enum(["created", "begun", "closed", "reopened", "blocked", "unblocked", "reprioritised", "commented"]),
  note: z.string().optional(),
  at: z.string(),
  /** Of a new item: what it belongs to and waits for, see `linksOf`. Absent in older journals. */
  links: z.string().optional(),
});
export type ItemChange = z.infer<typeof ItemChange>;

/** A change that an agent asked for and the orchestrator would not make. */
export const RefusedChange = z.object({ what: z.string(), why: z.string() });
export type RefusedChange = z.infer<typeof RefusedChange>;
