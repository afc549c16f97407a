import { z } from "zod";
import { event, iteration } from "../event-shape.ts";
import { WorkItemId } from "../work-item.ts";
import { ItemChange, RefusedChange, Regression, TaskOutcome, TaskReport, TestResult } from "./act.ts";
import { Claims } from "./claims.ts";
import { Decision, IterationPlan, Orientation, OrientPattern } from "./orientation.ts";
import { SodaProject, Spec } from "./settings.ts";

const seqs = z.array(z.int().positive());
/** Null: the baseline, before any task. */
const taskId = WorkItemId.nullable();

/** What happens in a loop of the strategy `soda`, besides what happens in all loops. */
export const sodaEvents = [
  /** The project has its id and its folder, the repository its first commit. `notes`: what was made for that. */
  event("loop.bootstrapped", { project: SodaProject, notes: z.array(z.string()) }),
  /** The milestone has its root work item. */
  event("loop.milestone", { root: z.object({ id: WorkItemId, title: z.string() }) }),
  /** The spec as it is from now on: at the start, and whenever its file was changed. */
  event("loop.spec", { spec: Spec }),
  event("loop.sensed", {
    iteration,
    claims: Claims,
    /** The seqs of the human words among the claims. */
    said: seqs,
    /** The latest time of any change or comment among the work items. */
    cursor: z.string(),
    /** Of each item that was not closed, by its id: see `linksOf`. Absent in older journals, and when none could be read. */
    links: z.record(WorkItemId, z.string()).optional(),
  }),
  event("loop.oriented", { iteration, orientation: Orientation, pattern: OrientPattern }),
  /**
   * ORIENT's changes are in the work items, and its plan is checked: real ids of tasks that can be done. `actionable` is
   * what was left of its word that there is work to do.
   */
  event("loop.planned", {
    iteration,
    plan: IterationPlan.extend({ tasks: z.array(z.object({ id: WorkItemId, title: z.string() })) }).nullable(),
    actionable: z.boolean(),
    changes: z.array(ItemChange),
    refused: z.array(RefusedChange),
  }),
  event("loop.decided", { iteration, decision: Decision }),
  event("loop.branch.started", { iteration, branch: z.string(), base: z.string() }),
  event("loop.tested", { iteration, taskId, result: TestResult, regression: Regression.optional() }),
  event("loop.task.reported", { iteration, taskId: WorkItemId, report: TaskReport }),
  /** Changes that make tests fail were put under a ref of their own, and taken out of the tree. */
  event("loop.set_aside", { iteration, taskId: WorkItemId, ref: z.string(), sha: z.string() }),
  event("loop.task.end", {
    iteration,
    taskId: WorkItemId,
    outcome: TaskOutcome,
    reason: z.string().optional(),
    changes: z.array(ItemChange),
    learnings: z.array(z.string()),
  }),
  /** `head` is null when there was a conflict: then the branch is kept, and an item tells of it. */
  event("loop.branch.merged", {
    iteration,
    branch: z.string(),
    head: z.string().nullable(),
    conflict: z.array(z.string()).optional(),
    changes: z.array(ItemChange),
  }),
  /** The orchestrator changed work items on the way. */
  event("loop.items.changed", { iteration, changes: z.array(ItemChange) }),
  /** A further prompt into the context of the turn under way. */
  event("loop.prompt", { iteration, text: z.string() }),
  event("loop.summarised", { path: z.string(), text: z.string() }),
  /** Something a stuck loop had waited for has happened; it is started again. */
  event("loop.woken", { by: z.enum(["answer", "comment", "task_update", "spec"]), note: z.string() }),
] as const;
