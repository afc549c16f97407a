import { z } from "zod";

const time = z.string();
const count = z.int().nonnegative();
export const StepResult = z.enum(["success", "failure", "partial"]);
export type StepResult = z.infer<typeof StepResult>;

/** An iteration in the state file. */
export const TaskHistoryEntry = z.object({
  iteration: z.int().positive(),
  timestamp: time,
  action: z.string(),
  result: StepResult,
  error: z.string().optional(),
  duration_seconds: z.number().nonnegative(),
});
export type TaskHistoryEntry = z.infer<typeof TaskHistoryEntry>;

/** How far a task has come, against its limits. */
export const TaskCounters = z.object({
  iterations: count,
  max_iterations: count,
  consecutive_failures: count,
  failure_threshold: count,
  total_successes: count,
  total_failures: count,
});
export type TaskCounters = z.infer<typeof TaskCounters>;

/** The state file of a task loop, as seed 003 has it. Times are UTC, ISO 8601 to the second. */
export const TaskState = z.object({
  /** `loop_20260215_103000` */
  loop_id: z.string().min(1),
  task_path: z.string(),
  task_id: z.string(),
  started_at: time,
  last_updated: time,
  status: z.enum(["running", "completed", "stopped", "failed", "max_iterations", "rejected", "timeout"]),
  counters: TaskCounters,
  current_state: z.object({
    current_task: z.string().nullable(),
    last_action: z.string().nullable(),
    last_result: StepResult.nullable(),
    next_action: z.string().nullable(),
  }),
  history: z.array(TaskHistoryEntry),
  checkpoints: z.object({
    last_successful_state: z.object({ iteration: z.int().positive(), task: z.string(), timestamp: time }).nullable(),
  }),
  metadata: z.object({
    config_file: z.string(),
    ralph_loop_version: z.string(),
    started_by: z.string(),
    can_resume: z.boolean(),
    /** The loop here whose state this is. */
    ralpher_loop: z.string().optional(),
  }),
  last_prompt_injection: z.object({ iteration: z.int().nonnegative(), timestamp: time, prompt: z.string() }).optional(),
});
export type TaskState = z.infer<typeof TaskState>;
