import type { LoopStatus, LoopSummary } from "@ralpher/contract";

/** The four things a colour may say, and saying nothing. */
export type Meaning = "running" | "needs-you" | "good" | "bad" | "quiet";

export const stateWord: Record<LoopStatus, string> = {
  idle: "Idle",
  starting: "Starting",
  running: "Running",
  waiting: "Waiting",
  paused: "Paused",
  completed: "To review",
  stopped: "Stopped",
  failed: "Failed",
  max_iterations: "At its limit",
  stuck: "Stuck",
  accepted: "Accepted",
  discarded: "Discarded",
};

const meaning: Record<LoopStatus, Meaning> = {
  idle: "quiet",
  starting: "running",
  running: "running",
  waiting: "running",
  paused: "needs-you",
  completed: "needs-you",
  stopped: "quiet",
  failed: "bad",
  max_iterations: "needs-you",
  stuck: "bad",
  accepted: "good",
  discarded: "quiet",
};

/**
 * What a status means for the person who looks, and so its colour everywhere. `elsewhere`: what it did was done where it
 * came from, and waits for nobody here.
 */
export function meaningOf(status: LoopStatus, elsewhere = false): Meaning {
  return elsewhere && meaning[status] === "needs-you" ? "quiet" : meaning[status];
}

/** The word for a loop's state, with what was asked of it and not yet done. */
export function wordOf(status: LoopStatus, asked?: "pause" | "stop", elsewhere = false): string {
  if (asked === "pause") return "Pausing";
  if (asked === "stop") return "Stopping";
  return elsewhere && status === "completed" ? "Completed" : stateWord[status];
}

/** The same of a line of the list. */
export function wordOfLoop({ status, asked, elsewhere }: LoopSummary["state"]): string {
  return wordOf(status, asked, elsewhere);
}
