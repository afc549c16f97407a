import type { LoopStatus, StrategyType } from "@ralpher/contract";

export type ActionName =
  | "start"
  | "pause"
  | "resume"
  | "stop"
  /** Of a vault: all its tasks stop after their iteration. */
  | "stop-vault"
  | "extend"
  | "accept"
  | "update-branch"
  | "push"
  | "pull-request"
  | "discard"
  | "restore"
  | "delete";

export interface Action {
  name: ActionName;
  label: string;
  body?: { now?: boolean; squash?: boolean; resetFailures?: boolean };
}

const start = (label: string): Action => ({ name: "start", label });
const pause: Action = { name: "pause", label: "Pause" };
const resume: Action = { name: "resume", label: "Resume" };
const stop: Action = { name: "stop", label: "Stop" };
const accept: Action = { name: "accept", label: "Accept" };
const discard: Action = { name: "discard", label: "Discard" };
const remove: Action = { name: "delete", label: "Delete" };
/** Give a loop at its limit more iterations, and start it. */
const extend: Action = { name: "extend", label: "Go on" };
/** Undo a discard. */
export const restore: Action = { name: "restore", label: "Restore" };

const keepRunning: Action = { name: "resume", label: "Keep running" };
const pauseNow: Action = { name: "pause", label: "Pause now", body: { now: true } };

/** What one may do with a loop's branch besides; each asks what it needs to know. */
export const branchActions = {
  updateBranch: { name: "update-branch", label: "Update branch" },
  push: { name: "push", label: "Push" },
  pullRequest: { name: "pull-request", label: "Pull request" },
} as const satisfies Record<string, Action>;

const underWay = [pause, stop];
const byStatus: Record<LoopStatus, Action[]> = {
  idle: [start("Start"), remove],
  starting: underWay,
  running: underWay,
  waiting: underWay,
  paused: [resume, stop, discard, remove],
  completed: [accept, start("Start again"), discard, remove],
  stopped: [start("Start again"), accept, discard, remove],
  failed: [start("Try again"), accept, discard, remove],
  // No start: it would be refused until the limit is raised.
  max_iterations: [extend, accept, discard, remove],
  stuck: [start("Start again"), accept, discard, remove],
  accepted: [remove],
  discarded: [restore, remove],
};

const taskUnderWay: Action[] = [{ name: "stop-vault", label: "Stop" }, pause, { name: "stop", label: "Stop now" }];
/** A task is filed when it is done: there is nothing to accept, and nothing to throw away. */
const taskByStatus: Partial<Record<LoopStatus, Action[]>> = {
  starting: taskUnderWay,
  running: taskUnderWay,
  waiting: taskUnderWay,
  paused: [resume, stop, remove],
  completed: [remove],
  stopped: [start("Resume"), remove],
  // With the failures it has it would end at once.
  failed: [{ name: "start", label: "Try again", body: { resetFailures: true } }, remove],
  max_iterations: [extend, remove],
  stuck: [start("Resume"), remove],
};

/**
 * What a person would do with a loop, the best first. Only an offer: the server decides, and its refusal is shown.
 * `asked` is what was already asked of it and not yet done; `mergeable` is false when it is known to have no commits.
 */
export function actionsFor(
  status: LoopStatus,
  {
    asked,
    mergeable = true,
    strategy,
    calledOff = false,
  }: {
    asked?: "pause" | "stop" | undefined;
    mergeable?: boolean;
    strategy?: StrategyType | undefined;
    calledOff?: boolean | undefined;
  } = {},
): Action[] {
  if (asked === "stop") return [];
  if (calledOff) return [remove];
  if (asked === "pause") return [keepRunning, pauseNow, stop];
  const own = strategy === "task" ? taskByStatus[status] : undefined;
  return (own ?? byStatus[status]).filter((action) => mergeable || action.name !== "accept");
}
