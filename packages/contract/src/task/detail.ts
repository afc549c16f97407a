import { z } from "zod";
import { LoopId, Timestamp } from "../ids.ts";
import { LoopStatus, type LoopSummary } from "../loop.ts";
import { TaskConfig } from "./config.ts";
import { StepCheck, StepReport } from "./event.ts";
import { TaskCounters, TaskHistoryEntry } from "./state.ts";
import { HandOffChoice, HandOffKind, TaskPlace, TaskStep, VaultProblem } from "./vault.ts";

const count = z.int().nonnegative();

/** The stop hook of a vault, as a person sees it. */
export const StopHookNote = z.object({ path: z.string(), reason: z.string() });

/** A loop of the strategy `task` as a person looks at it: GET /api/loops/:id/task. */
export const TaskDetail = z.object({
  /** The vault's root: absolute path. */
  vault: z.string(),
  /** As it was taken up. */
  file: z.string(),
  place: TaskPlace,
  /** Where the file is now; null when it is gone. */
  path: z.string().nullable(),
  title: z.string(),
  /** The file as it is now; null when it is gone or cannot be read (`problems`). */
  text: z.string().nullable(),
  steps: z.array(TaskStep),
  /** The key of the step that is worked on now. */
  working: z.string().nullable(),
  /** What the iteration under way has come to so far. */
  report: StepReport.nullable(),
  check: StepCheck.nullable(),
  counters: TaskCounters,
  /** When its time is over; null while it does not run. */
  timeoutAt: Timestamp.nullable(),
  /** Oldest first, the newest 500; `step`: what it worked on. */
  history: z.array(TaskHistoryEntry.extend({ step: z.string() })),
  handOff: z
    .object({
      kind: HandOffKind,
      path: z.string(),
      at: Timestamp,
      choices: z.array(HandOffChoice),
      /** What became of it; null while it waits. */
      answer: z.union([HandOffChoice, z.literal("by hand")]).nullable(),
      /** The file as it is now; null when it is gone. */
      text: z.string().nullable(),
    })
    .nullable(),
  /** What waits in the vault for the next prompt; null when nothing. `afterIteration`: when it is read. */
  waitingPrompt: z.object({ text: z.string(), afterIteration: count }).nullable(),
  /** What was last put into a prompt that way. */
  injected: z.object({ iteration: count, at: Timestamp, text: z.string() }).nullable(),
  stopHook: StopHookNote.nullable(),
  completionReport: z.object({ path: z.string(), text: z.string() }).nullable(),
  stateFile: z.string(),
  logFile: z.string(),
  problems: z.array(VaultProblem),
});
export type TaskDetail = z.infer<typeof TaskDetail>;

/** A task of a vault, with the loop that has it, if any. */
export const VaultTask = z.object({
  path: z.string(),
  modifiedAt: Timestamp,
  title: z.string(),
  /** Steps that are done, and all; null where that was not read. */
  steps: z.object({ done: count, all: count }).nullable(),
  loop: z.object({ id: LoopId, status: LoopStatus, iterations: count }).nullable(),
  /** Why it cannot be worked on; null where nothing is known against it. */
  problem: z.string().nullable(),
});
export type VaultTask = z.infer<typeof VaultTask>;

/** A vault with its tasks by folder: GET /api/vaults. Newest first, at most 1,000 each. */
export const VaultBoard = z.object({
  root: z.string(),
  /** Null when it cannot be used; then `problems` say why. */
  config: TaskConfig.nullable(),
  open: z.array(VaultTask),
  done: z.array(VaultTask),
  rejected: z.array(VaultTask),
  /** Hand-offs that wait for a human. */
  needsAction: z.array(
    z.object({ path: z.string(), modifiedAt: Timestamp, loop: z.object({ id: LoopId, title: z.string() }).nullable() }),
  ),
  stopHook: StopHookNote.nullable(),
  waitingPrompt: z.string().nullable(),
  /** A process takes up what is put into the specs folder. */
  isWatched: z.boolean(),
  problems: z.array(VaultProblem),
});
export type VaultBoard = z.infer<typeof VaultBoard>;

/** What a person can tell a vault, and so all loops in it. */
export const VaultCommand = z.discriminatedUnion("type", [
  /** Stop after the iteration under way: writes the stop hook (T-END-4). */
  z.strictObject({ type: z.literal("stop"), reason: z.string().trim().min(1).max(2_000).optional() }),
  /** Take the stop hook away; `loop`: for this one to go on, which need not have stopped. */
  z.strictObject({ type: z.literal("lift"), loop: LoopId.optional() }),
  /** Put words down for a later prompt (T-INJ-1). */
  z.strictObject({
    type: z.literal("inject"),
    text: z.string().trim().min(1, "there is nothing to say").max(100_000),
    priority: z.enum(["normal", "high"]).optional(),
  }),
]);
export type VaultCommand = z.infer<typeof VaultCommand>;

/** Is it a task of this vault? */
export function sameVault({ config }: Pick<LoopSummary, "config">, root: string): boolean {
  return config.strategy === "task" && config.directory === root;
}
