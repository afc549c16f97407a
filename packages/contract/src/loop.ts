import { z } from "zod";
import { BackendType, ModelRef, SessionRef, Usage } from "./agent.ts";
import { GitCommit, WebUrl } from "./git.ts";
import { LoopId, Timestamp } from "./ids.ts";
import { IterationOutcome, IterationSummary } from "./iteration.ts";
import { SodaSettings } from "./soda/settings.ts";
import { TaskSettings } from "./task/config.ts";
import { TaskPlace } from "./task/vault.ts";

export const defaultStopPattern = "<promise>COMPLETE</promise>$";

export const BackendConfig = z.object({
  type: BackendType.default("opencode"),
  /** `spawn`: Ralpher starts and ends the agent's server; `connect`: it uses one that is already there. */
  mode: z.enum(["spawn", "connect"]).default("spawn"),
  hostname: z.string().min(1).optional(),
  port: z.int().min(1).max(65535).optional(),
  /** `acp` only: the agent's command line, program first. Default: `opencode acp`. */
  command: z.array(z.string().min(1)).min(1).optional(),
  /** `scripted` only: absolute path of the script it plays. */
  script: z.string().min(1).optional(),
});
export type BackendConfig = z.infer<typeof BackendConfig>;

export const GitConfig = z.object({
  enabled: z.boolean().default(true),
  branchPrefix: z.string().default("ralph/"),
  commitPrefix: z.string().default("[Ralph]"),
  /** `worktree`: a tree of its own, the checkout is never touched; `checkout`: work in place. */
  isolation: z.enum(["worktree", "checkout"]).default("worktree"),
});
export type GitConfig = z.infer<typeof GitConfig>;

/**
 * How a loop works. `ralph`: the same prompt until the promise; `soda`: SENSE, ORIENT, DECIDE, ACT over a spec; `task`: a
 * task file of a vault, step by step.
 */
export const Strategy = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ralph") }),
  SodaSettings,
  TaskSettings,
]);
export type Strategy = z.infer<typeof Strategy>;

export const StrategyType = z.enum(["ralph", "soda", "task"]);
export type StrategyType = z.infer<typeof StrategyType>;

/** What a person may set about a loop, with its defaults. */
export const LoopSettings = z.object({
  name: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^\P{Cc}*$/u, "control characters are not allowed"),
  /** Absolute path of the folder to work on. */
  directory: z.string().min(1),
  prompt: z
    .string()
    .max(1_000_000, "the prompt is longer than a million characters")
    .refine((text) => text.trim() !== "", "the prompt is empty"),
  strategy: Strategy.default({ type: "ralph" }),
  backend: BackendConfig.prefault({}),
  model: ModelRef.optional(),
  /** Absent means unlimited. */
  maxIterations: z.int().positive().optional(),
  /** RE2 regular expression, tried on the assistant's final text without trailing white space. */
  stopPattern: z.string().min(1).default(defaultStopPattern),
  /** So many failed iterations in a row end the loop as failed. */
  failureThreshold: z.int().positive().default(3),
  /** An agent that says nothing for so long counts as hung and is ended. */
  idleTimeoutSeconds: z.number().positive().default(900),
  git: GitConfig.prefault({}),
});
export type LoopSettings = z.infer<typeof LoopSettings>;

/** A loop's configuration on the wire (seed 004, §3.1). */
export const LoopConfig = LoopSettings.extend({ id: LoopId, createdAt: Timestamp, updatedAt: Timestamp });
export type LoopConfig = z.infer<typeof LoopConfig>;

export const LoopStatus = z.enum([
  "idle",
  "starting",
  "running",
  "waiting",
  "paused",
  "completed",
  "stopped",
  "failed",
  "max_iterations",
  "stuck",
  "accepted",
  "discarded",
]);
export type LoopStatus = z.infer<typeof LoopStatus>;

/** A status as it stands in a sentence: "a loop that is out of iterations". */
export function statusWord(status: LoopStatus): string {
  return status === "max_iterations" ? "out of iterations" : status;
}

/** The ways a run of a loop ends by itself or by a stop. */
export const EndStatus = LoopStatus.extract(["completed", "stopped", "failed", "max_iterations", "stuck"]);
export type EndStatus = z.infer<typeof EndStatus>;

export const LoopError = z.object({ message: z.string(), iteration: z.int().nonnegative(), timestamp: Timestamp });
export type LoopError = z.infer<typeof LoopError>;

/** A human's words that wait for the next turn; `seq` names them. */
export const QueuedWords = z.object({ seq: z.int().positive(), at: Timestamp, text: z.string() });
export type QueuedWords = z.infer<typeof QueuedWords>;

/** A loop's state on the wire (seed 004, §3.2). Lists hold the newest entries only; the counts are of all. */
export const LoopState = z.object({
  id: LoopId,
  status: LoopStatus,
  /** What a human asked of a running loop that it will do next. */
  asked: z.enum(["pause", "stop"]).optional(),
  /** Why it ended or what it waits for, in a sentence. */
  reason: z.string().optional(),
  waitingUntil: Timestamp.optional(),
  currentIteration: z.int().nonnegative(),
  startedAt: Timestamp.optional(),
  completedAt: Timestamp.optional(),
  lastActivityAt: Timestamp.optional(),
  session: SessionRef.optional(),
  error: LoopError.optional(),
  git: z
    .object({
      originalBranch: z.string(),
      workingBranch: z.string(),
      worktree: z.string(),
      baseSha: z.string(),
      commits: z.array(GitCommit),
      commitCount: z.int().nonnegative(),
      mergeCommit: z.string().optional(),
    })
    .optional(),
  /** How long agents have worked on it in turns that are over, in milliseconds. */
  workedMs: z.int().nonnegative().optional(),
  /** What was said to the loop and waits for the next turn. */
  queued: z.array(QueuedWords).optional(),
  pullRequest: WebUrl.optional(),
  recentIterations: z.array(IterationSummary),
  usage: Usage,
  /** The first line of what the agent said last. */
  lastText: z.string().optional(),
});
export type LoopState = z.infer<typeof LoopState>;

export const Loop = z.object({ config: LoopConfig, state: LoopState });
export type Loop = z.infer<typeof Loop>;

/** A row of the list of loops, in the seed's shape: enough for a line on the screen, never the whole loop. */
export const LoopSummary = z.object({
  config: LoopConfig.pick({ id: true, name: true, directory: true, maxIterations: true, createdAt: true }).extend({
    backend: BackendType,
    /** The first line of the prompt, cut to a line on the screen. Absent in lines stored by older versions. */
    goal: z.string().optional(),
    /** Absent in lines stored by older versions: `ralph`. */
    strategy: StrategyType.optional(),
    /** Of a task: where its file was last seen in the vault, which is the directory. */
    file: z.string().optional(),
  }),
  state: LoopState.pick({
    status: true,
    asked: true,
    reason: true,
    waitingUntil: true,
    currentIteration: true,
    startedAt: true,
    completedAt: true,
    lastActivityAt: true,
    usage: true,
    lastText: true,
  }).extend({
    /** It has commits that could be accepted. */
    mergeable: z.boolean(),
    /** It came from elsewhere and has not been started here: of its work nothing is here but the record. */
    elsewhere: z.boolean().optional(),
    /** The file in its vault that asks a human, and waits for an answer. */
    handOff: z.string().optional(),
    /** Of a task: how many of its steps are done, and all; and where its file was put, once it was. */
    steps: z.object({ done: z.int().nonnegative(), all: z.int().nonnegative() }).optional(),
    filed: TaskPlace.optional(),
    /** Of a task: the step that is worked on. */
    step: z.string().optional(),
    /** The newest iterations, newest last: outcome and duration in milliseconds. */
    outcomes: z.array(z.tuple([IterationOutcome, z.int().nonnegative()])),
  }),
});
export type LoopSummary = z.infer<typeof LoopSummary>;
