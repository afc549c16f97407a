import { z } from "zod";
import { event, iteration } from "../event-shape.ts";
import { TaskConfig } from "./config.ts";
import { StepResult, TaskHistoryEntry } from "./state.ts";
import { HandOffChoice, HandOffKind, TaskPlace, TaskStep, VaultProblem } from "./vault.ts";

/** What the agent that works on a step answers. */
export const StepReport = z.object({
  /** `partial`: it got on, and there is more to do. */
  result: StepResult,
  /** What it did, in a word or two: `write_code`, `run_tests`. */
  action: z.string().trim().min(1).max(80),
  summary: z.string().trim().min(1),
  /** Why it failed, or what is missing. */
  error: z.string().nullish(),
  next_action: z.string().nullish(),
});
export type StepReport = z.infer<typeof StepReport>;

/** A step as it is known while it is worked on; `text` cut to a few lines. */
export const KnownStep = TaskStep.omit({ depth: true });
export type KnownStep = z.infer<typeof KnownStep>;

/** At most so many steps of a task are known at a time; those before them that are done are left out first. */
export const knownStepsLimit = 500;

/** What a human put down for the next prompt (T-INJ). */
export const Injection = z.object({ text: z.string(), priority: z.string(), sha: z.string() });
export type Injection = z.infer<typeof Injection>;

/** A vault as it was found between two iterations. */
export const VaultLook = z.object({
  config: TaskConfig,
  place: TaskPlace,
  /** Where the task's file is now; null when it is gone. */
  path: z.string().nullable(),
  title: z.string(),
  /** A human marked it complete, or ticked the last box. */
  isDone: z.boolean(),
  /** At most `knownStepsLimit`; those that are ticked and not believed count as open. */
  steps: z.array(KnownStep),
  /**
   * The keys of steps that were ticked while an agent worked, and are open all the same: the one it said it was not
   * through with, and those whose check has not been run.
   */
  doubted: z.array(z.string()).default([]),
  /** Checks of steps that were put in other words while an agent worked on them: by the key of what took their place. */
  carried: z.record(z.string(), z.string()).default({}),
  /** It was marked complete while an agent worked, with steps open whose check has not passed: that does not end it. */
  isMarkDoubted: z.boolean().default(false),
  /** Why the file cannot be read now; what was known of it stays, and it is looked at again. */
  unreadable: z.string().nullable().default(null),
  /** How many steps without steps below them there are, and how many of those are done. */
  counts: z.object({ done: z.int().nonnegative(), all: z.int().nonnegative() }),
  stopHook: z
    .object({ path: z.string(), reason: z.string(), frontMatter: z.record(z.string(), z.unknown()) })
    .nullable(),
  problems: z.array(VaultProblem),
});
export type VaultLook = z.infer<typeof VaultLook>;

/** The same without its steps: what is told of it when they are as they were. */
export const VaultSight = VaultLook.omit({ steps: true });
export type VaultSight = z.infer<typeof VaultSight>;

export const StepCheck = z.object({
  command: z.string(),
  passed: z.boolean(),
  /** How it ended, in words: `it ended with 1`. */
  outcome: z.string(),
  /** The end of what it printed. */
  output: z.string(),
});
export type StepCheck = z.infer<typeof StepCheck>;

/** What happens in a loop of the strategy `task`, besides what happens in all loops. */
export const taskEvents = [
  /** The task was taken up. `runId`: what it is called in the vault; `stateSuffix`: its state file's, when others have one. */
  event("loop.task.opened", {
    runId: z.string(),
    /** The task's own id. */
    taskId: z.string(),
    stateSuffix: z.string().nullable(),
    /** The vault's root: absolute path. */
    vault: z.string(),
    /** Files of its name that lay among finished tasks already. */
    namesakes: z.array(z.object({ path: z.string(), sha: z.string() })).default([]),
  }),
  /**
   * Null: all is as it was. `steps` likewise; of steps that are the same but for being done, `toggled` has the keys.
   * `injection` was found; its file is removed by the time of the next of these.
   */
  event("loop.vault.looked", {
    look: VaultSight.nullable(),
    steps: z.array(KnownStep).nullable(),
    toggled: z.array(z.string()),
    injection: Injection.optional(),
  }),
  /** The step that the iteration is about. */
  event("loop.step.begun", { iteration, step: KnownStep }),
  event("loop.step.reported", { iteration, report: StepReport }),
  event("loop.step.verified", { iteration, check: StepCheck }),
  /** `missing`: a human took the step out, or reworded it. */
  event("loop.step.ticked", { iteration, outcome: z.enum(["ticked", "done", "missing"]) }),
  /** How the iteration went, as the state file tells it; the iteration ends with it. */
  event("loop.step.end", { iteration, step: z.string(), entry: TaskHistoryEntry }),
  /** A human is asked, by a file. */
  event("loop.handed_off", { kind: HandOffKind, path: z.string(), choices: z.array(HandOffChoice) }),
  /** A human chose: in the file (`path`), or elsewhere. */
  event("loop.chosen", { choice: HandOffChoice, path: z.string().nullable() }),
  /** The task's file was put where finished ones lie; `report`: the completion report. */
  event("loop.task.filed", { path: z.string(), place: TaskPlace, report: z.string().nullable() }),
] as const;
