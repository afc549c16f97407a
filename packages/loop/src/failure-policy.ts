import type { FailureReason, LoopView, TurnFailure } from "@ralpher/contract";

/**
 * What a failed turn means for the loop. `retry`: the next iteration tries again after a growing pause, and it counts
 * towards the threshold; `wait`: the provider wants us to come back later, which counts as nothing; `stop`: trying again
 * cannot help until a human has changed something.
 */
export const failurePolicy: Record<FailureReason, "retry" | "wait" | "stop"> = {
  rate_limited: "wait",
  auth: "stop",
  model: "stop",
  missing: "stop",
  overflow: "retry",
  timeout: "retry",
  connection: "retry",
  server: "retry",
  crashed: "retry",
  aborted: "retry",
  protocol: "retry",
  budget: "stop",
  output: "stop",
  unknown: "retry",
};

/**
 * Can it only be helped by a human, when another iteration begins anew with another prompt? An answer in the wrong form
 * ends the conversation; the next one may be in form.
 */
export function isHopeless({ reason }: TurnFailure): boolean {
  return failurePolicy[reason] === "stop" && reason !== "output";
}

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;
/** When the provider does not say how long its limit lasts. */
const unknownLimitMs = 60_000;
/** Whatever a provider says, the loop looks again after a day. */
const longestLimitMs = 24 * 60 * 60_000;

export interface Rest {
  until: Date;
  reason: string;
}

/** Until when the loop should let things rest after its last iteration; null when it may go on at once. */
export function restUntil(view: LoopView, now: Date): Rest | null {
  const { lastEnd } = view;
  // A clock that was set back would make the rest as long as the step.
  if (lastEnd === null || lastEnd.failure === null || now.getTime() < Date.parse(lastEnd.at)) return null;
  const { failure } = lastEnd;
  const limited = failurePolicy[failure.reason] === "wait";
  const ms = limited
    ? Math.min(failure.retryAfterMs ?? unknownLimitMs, longestLimitMs)
    : Math.min(firstPauseMs * 2 ** Math.max(0, view.failures - 1), longestPauseMs);
  const until = new Date(Date.parse(lastEnd.at) + ms);
  if (now >= until) return null;
  return {
    until,
    reason: limited
      ? `the provider limits the rate: ${failure.message}`
      : `iteration ${view.iteration} failed (${view.failures} of ${view.config.failureThreshold} in a row): ${failure.message}`,
  };
}
