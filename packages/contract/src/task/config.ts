import { z } from "zod";
import { BackendType, parseModelRef } from "../agent.ts";
import { taskLimits } from "./limits.ts";

const positive = z.int().positive();

/** A path of the vault: one that begins with `/` is meant from the vault's root, like any other. */
const VaultPath = z.string().trim().min(1);

/**
 * `autonomous_loop` in `/Control/autonomous_loop_config.yaml`: the keys of seed 003 with their defaults, then ours. An
 * unknown key or a wrong type is refused with its line; a change takes effect at the next iteration.
 */
export const TaskConfig = z.strictObject({
  max_iterations: positive.default(taskLimits.max_iterations),
  failure_threshold: positive.default(taskLimits.failure_threshold),
  timeout_minutes: z.number().positive().default(120),
  iteration_interval_seconds: z.number().nonnegative().default(5),
  backoff_on_failure: z.boolean().default(true),
  backoff_multiplier: z.number().min(1).default(2),
  max_backoff_seconds: z.number().nonnegative().default(60),
  state_file: VaultPath.default(".state/autonomous_loop_state.json"),
  save_state_every_n_iterations: positive.default(1),
  state_retention_days: z.number().nonnegative().default(30),
  stop_hook_file: VaultPath.default("/Control/STOP_AUTONOMOUS_LOOP"),
  check_stop_hook_every_iteration: z.boolean().default(true),
  reinject_prompt_file: VaultPath.default("/Control/reinject_prompt.md"),
  check_reinject_every_n_iterations: positive.default(5),
  log_file: VaultPath.default("Logs/autonomous_loop.log"),
  log_level: z.enum(["DEBUG", "INFO", "WARNING", "ERROR"]).default("INFO"),
  log_every_iteration: z.boolean().default(true),
  notify_on_completion: z.boolean().default(true),
  notify_on_failure: z.boolean().default(true),
  notify_on_max_iterations: z.boolean().default(true),

  /** A human is needed for another reason, or stopped it. */
  notify_on_stop: z.boolean().default(true),
  /** How: on the desktop (notify-send, osascript), to this address by POST, by this command without a shell. */
  notify_desktop: z.boolean().default(false),
  notify_webhook: z.url({ protocol: /^https?$/ }).optional(),
  notify_command: z.string().trim().min(1).optional(),
  /** The folders of the vault. */
  specs_folder: VaultPath.default("/Specs"),
  done_folder: VaultPath.default("/Done"),
  rejected_folder: VaultPath.default("/Rejected"),
  needs_action_folder: VaultPath.default("/Needs_Action"),
  logs_folder: VaultPath.default("/Logs"),
  /** `task watch`: so many tasks at once. */
  max_parallel_tasks: positive.default(2),
  /** In a vault that is in git: a commit for each finished step. */
  commit_steps: z.boolean().default(true),
  /** A step's check that takes longer is ended, and has failed. */
  verify_timeout_seconds: positive.default(600),
  agent: BackendType.optional(),
  /** `provider/model` */
  model: z
    .string()
    .trim()
    .refine((text) => parseModelRef(text) !== null, "it is not of the form provider/model")
    .optional(),
});
export type TaskConfig = z.infer<typeof TaskConfig>;

/**
 * What a person may set about a task loop beyond what all loops have. Its folder is the vault; `maxIterations`, given by
 * hand, counts more than the vault's config.
 */
export const TaskSettings = z.object({
  type: z.literal("task"),
  /** The task file as it was taken up, from the vault's root: `/Specs/auth_feature/tasks.md`. */
  file: z.string().min(1),
  /** Given by hand, it counts more than the vault's config; a task loop's `failureThreshold` means nothing. */
  failureThreshold: positive.optional(),
  startedBy: z.enum(["human", "watch"]).default("human"),
});
export type TaskSettings = z.infer<typeof TaskSettings>;
