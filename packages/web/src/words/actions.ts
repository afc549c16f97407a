import type { LoopStatus } from "@ralpher/contract";

export type ActionName = "start" | "pause" | "resume" | "stop" | "accept" | "discard" | "delete";

export interface Action {
  name: ActionName;
  label: string;
  body?: Record<string, unknown>;
}

const start = (label: string): Action => ({ name: "start", label });
const pause: Action = { name: "pause", label: "Pause" };
const resume: Action = { name: "resume", label: "Resume" };
const stop: Action = { name: "stop", label: "Stop" };
const accept: Action = { name: "accept", label: "Accept" };
const discard: Action = { name: "discard", label: "Discard" };
const remove: Action = { name: "delete", label: "Delete" };

const keepRunning: Action = { name: "resume", label: "Keep running" };
const pauseNow: Action = { name: "pause", label: "Pause now", body: { now: true } };

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
  // No start: it would be refused until somebody raises the limit.
  max_iterations: [accept, discard, remove],
  stuck: [start("Start again"), accept, discard, remove],
  accepted: [remove],
  discarded: [remove],
};

/**
 * What a person would do with a loop, the best first. Only an offer: the server decides, and its refusal is shown.
 * `asked` is what was already asked of it and not yet done; `mergeable` is false when it is known to have no commits.
 */
export function actionsFor(
  status: LoopStatus,
  { asked, mergeable = true }: { asked?: "pause" | "stop" | undefined; mergeable?: boolean } = {},
): Action[] {
  if (asked === "stop") return [];
  if (asked === "pause") return [keepRunning, pauseNow, stop];
  return byStatus[status].filter((action) => mergeable || action.name !== "accept");
}
