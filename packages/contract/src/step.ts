import type { IterationOutcome } from "./iteration.ts";
import type { EndStatus } from "./loop.ts";
import type { TaskOutcome } from "./soda/act.ts";
import type { Decision } from "./soda/orientation.ts";
import type { KnownStep } from "./task/event.ts";

/** The next thing to do for a loop. A strategy chooses it; the engine performs it; what happened becomes events. */
export type Step =
  /** Give the project its id and folder, and the repository a first commit. */
  | { do: "bootstrap" }
  /** Make or find the tree to work in. */
  | { do: "workspace" }
  /** Give the prompt to a fresh agent session and see it through. */
  | { do: "turn"; iteration: number; attempt: number; prompt: string; said: number[] }
  /** Make or find the work item that holds all the others. */
  | { do: "milestone" }
  /** Gather what the systems claim. */
  | { do: "sense"; iteration: number }
  /** Have an agent judge the claims and plan. */
  | { do: "orient"; iteration: number; attempt: number; said: number[] }
  /** Put ORIENT's changes into the work items, and check its plan. */
  | { do: "plan"; iteration: number }
  | { do: "decide"; iteration: number; decision: Decision }
  /** Begin a branch for the iteration's work. */
  | { do: "branch"; iteration: number }
  /** Run the project's tests: for the baseline (null), or after work on a task. */
  | { do: "test"; iteration: number; taskId: string | null }
  /** Have an agent work on a task; `round` from 1, later ones mend what got worse. */
  | { do: "execute"; iteration: number; attempt: number; taskId: string; round: number; said: number[] }
  /** Take a task's changes out of the tree, and keep them under a ref. */
  | { do: "set-aside"; iteration: number; taskId: string }
  /** Tell the work items how a task ended. */
  | { do: "settle"; iteration: number; taskId: string; outcome: TaskOutcome; reason: string | null }
  /** Bring the iteration's branch into the loop's. */
  | { do: "merge"; iteration: number }
  /** Take a vault's task up. */
  | { do: "open-task" }
  /** Write down in the vault what happened, and look what humans changed in it. */
  | { do: "look" }
  /** Have an agent work on a step of the task. */
  | { do: "work"; iteration: number; attempt: number; step: KnownStep; said: number[] }
  /** Run the step's check. */
  | { do: "verify"; iteration: number; command: string }
  /** Tick the step. */
  | { do: "tick"; iteration: number; key: string }
  /** Record how the step went. */
  | { do: "close-step"; iteration: number; outcome: IterationOutcome }
  /** Put changes into git: the iteration's, or those of one of its tasks. */
  | { do: "commit"; iteration: number; message: string; taskId?: string }
  /** Record how the iteration went. */
  | { do: "close"; iteration: number; outcome: IterationOutcome }
  /** Let time pass, until then or until somebody asks for something. */
  | { do: "wait"; until: string; reason: string }
  | { do: "pause" }
  | { do: "finish"; as: EndStatus; reason: string };
