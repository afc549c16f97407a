import { z } from "zod";

/** A step of a task file: a check box, or the whole file when it has none. */
export const TaskStep = z.object({
  /**
   * What the step is called by: its text without the box, its number kept (`1.2 Implement login`). Where the same words
   * stand in several places, what it belongs to comes before them (`2. Billing › Write tests`); only the same words in the
   * same place get a number. It stays the same when other lines change.
   */
  key: z.string(),
  text: z.string(),
  /** The text of the steps above it that it belongs to, outermost first. */
  path: z.array(z.string()),
  /** How many steps of the file have the same words and path, itself included: one of several may be taken for another. */
  twins: z.int().positive().default(1),
  /** From 1; where it stands now. */
  line: z.int().positive(),
  depth: z.int().nonnegative(),
  done: z.boolean(),
  /** It has boxes below it: it is done when they are. */
  isParent: z.boolean(),
  /** A command that must end with 0 before the step counts as done; from the step, else from the front matter. */
  verify: z.string().nullable(),
});
export type TaskStep = z.infer<typeof TaskStep>;

/** A task file as it was read. */
export const TaskFile = z.object({
  /** From the vault's root, with a leading slash. */
  path: z.string(),
  /** SHA-256 of its bytes, in hex: what it was when it was read. */
  sha: z.string(),
  /**
   * The `task_id` of the front matter, else the file's name without its ending; its folder's for a file whose name says
   * nothing (`tasks.md`, `task.md`, `todo.md`, `plan.md`, `index.md`, `readme.md`).
   */
  id: z.string(),
  /** The `title` of the front matter, else the first heading, else the file's name. */
  title: z.string(),
  text: z.string(),
  frontMatter: z.record(z.string(), z.unknown()),
  /** A human said so in the front matter: `status: done|complete|completed` or `completed: true`. */
  markedComplete: z.boolean(),
  steps: z.array(TaskStep),
});
export type TaskFile = z.infer<typeof TaskFile>;

/** Where a task's file is now. `gone`: nowhere in the vault. */
export const TaskPlace = z.enum(["open", "done", "rejected", "gone"]);
export type TaskPlace = z.infer<typeof TaskPlace>;

/** A file with front matter that a human put down to steer. */
export const ControlFile = z.object({
  path: z.string(),
  frontMatter: z.record(z.string(), z.unknown()),
  content: z.string(),
});
export type ControlFile = z.infer<typeof ControlFile>;

/** Something in the vault that could not be read, for the log and the dashboard. `line` and `column` from 1. */
export const VaultProblem = z.object({
  path: z.string(),
  line: z.int().positive().optional(),
  column: z.int().positive().optional(),
  message: z.string(),
});
export type VaultProblem = z.infer<typeof VaultProblem>;

export const HandOffKind = z.enum(["escalation", "error_report", "stop_report"]);
export type HandOffKind = z.infer<typeof HandOffKind>;

/** What a human can choose by ticking a box in a hand-off. */
export const HandOffChoice = z.enum(["retry", "more_iterations", "skip_step", "complete", "reject"]);
export type HandOffChoice = z.infer<typeof HandOffChoice>;
