import {
  isAsking,
  isElsewhere,
  type LoopStatus,
  type LoopSummary,
  type LoopView,
  type StrategyType,
} from "@ralpher/contract";

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

/** How a loop stands, as far as its word and its colour go. */
export interface Standing {
  status: LoopStatus;
  /** What was asked of it and is not yet done. */
  asked?: "pause" | "stop" | undefined;
  /** What it did was done where it came from, and waits for nobody here. */
  elsewhere?: boolean | undefined;
  strategy?: StrategyType | undefined;
  /** A file in its vault waits for an answer. */
  asks?: boolean | undefined;
  /** A human called the task off: it is through, and nobody is asked. */
  calledOff?: boolean | undefined;
}

/** How a line of the list stands. */
export function standingOf({ config, state }: LoopSummary): Standing {
  const { status, asked, elsewhere, handOff, filed } = state;
  return {
    status,
    asked,
    elsewhere,
    strategy: config.strategy,
    asks: handOff !== undefined,
    calledOff: status === "stopped" && filed === "rejected",
  };
}

/** How the loop on the screen stands. */
export function standingOfView(view: LoopView): Standing {
  const { phase, config } = view;
  return {
    status: phase.status,
    asked: "ask" in phase ? phase.ask?.to : undefined,
    elsewhere: isElsewhere(view),
    strategy: config.strategy.type,
    asks: isAsking(view),
    calledOff: isCalledOff(view),
  };
}

/** Was the task of the loop on the screen called off? */
export function isCalledOff({ phase, task }: LoopView): boolean {
  return phase.status === "stopped" && task?.filed?.place === "rejected";
}

/** A task that is done is filed away by itself: there is nothing to accept. */
export function isFiled({ status, strategy }: Standing): boolean {
  return strategy === "task" && status === "completed";
}

/** What a state means for the person who looks, and so its colour everywhere. */
export function meaningOf(standing: Standing): Meaning {
  if (standing.calledOff) return "quiet";
  const own = isFiled(standing) ? "good" : meaning[standing.status];
  if (standing.asks && own === "quiet") return "needs-you";
  return standing.elsewhere && own === "needs-you" ? "quiet" : own;
}

/** The word for a loop's state, with what was asked of it and not yet done. */
export function wordOf(standing: Standing): string {
  const { status, asked, elsewhere } = standing;
  if (asked === "pause") return "Pausing";
  if (asked === "stop") return "Stopping";
  if (standing.calledOff) return "Called off";
  if (isFiled(standing)) return "Done";
  return elsewhere && status === "completed" ? "Completed" : stateWord[status];
}
