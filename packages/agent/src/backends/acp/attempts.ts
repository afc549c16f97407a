import type { FailedAttempt, TurnFailure } from "@ralpher/contract";
import { isTransient } from "../../transient.ts";

/** The tries at one answer of the model that failed, as far as the agent tells of them. */
export interface Attempts {
  /** A new answer begins. */
  forget(): void;
  /** Something came of a try. */
  succeed(): void;
  /** A try failed, and it is not known yet whether another follows. */
  fail(failure: TurnFailure): Verdict | null;
  /** A try failed, and another follows: after `retryAfterMs`, or now. */
  retry(failure: TurnFailure): Verdict | null;
  /** How many tries failed that another followed. */
  readonly count: number;
  /** What the agent is waiting to try again after, with the tries before it; null when it is not. */
  pending(): TurnFailure | null;
  /** A failure that no further try follows, with the tries before it. */
  complete(failure: TurnFailure): TurnFailure;
}

/** The agent must not try again: what the turn fails with. */
export interface Verdict {
  failure: TurnFailure;
  /** The next moment is too late to stop it. */
  isUrgent: boolean;
}

// A provider that asks for a longer wait than this is a matter for the loop, which shows it and lets others go on.
const longWaitMs = 120_000;

/** `limit`: how often the provider may be asked in all for one answer; absent when the agent is to have its way. */
export function createAttempts(limit: number | undefined): Attempts {
  let failed: FailedAttempt[] = [];
  let newest: TurnFailure | null = null;
  const attemptOf = ({ reason, message }: TurnFailure): FailedAttempt => ({
    at: new Date().toISOString(),
    reason,
    message,
  });
  const isLast = () => limit !== undefined && failed.length + 1 >= limit;

  function complete(failure: TurnFailure): TurnFailure {
    return failed.length === 0 ? failure : { ...failure, attempts: [...failed, attemptOf(failure)] };
  }

  return {
    forget() {
      failed = [];
      newest = null;
    },
    succeed() {
      newest = null;
    },
    fail(failure) {
      newest = failure;
      const { reason } = failure;
      // Of what another try cannot mend, or what is not understood, the agent itself tells more in its answer.
      if (!isLast() || !isTransient(reason) || reason === "unknown") return null;
      // Agents wait some seconds before they connect again, but a provider may ask for no wait at all.
      return { failure: complete(failure), isUrgent: reason !== "connection" };
    },
    retry({ retryAfterMs, ...failure }) {
      newest = failure;
      const isUrgent = retryAfterMs === undefined;
      if (!isUrgent && retryAfterMs > longWaitMs) return { failure: complete({ ...failure, retryAfterMs }), isUrgent };
      if (!isTransient(failure.reason) || isLast()) return { failure: complete(failure), isUrgent };
      failed.push(attemptOf(failure));
      return null;
    },
    get count() {
      return failed.length;
    },
    pending: () => (newest === null ? null : complete(newest)),
    complete,
  };
}
