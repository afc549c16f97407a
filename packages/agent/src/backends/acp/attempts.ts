import type { FailedAttempt, TurnFailure } from "@ralpher/contract";
import { isTransient } from "../../transient.ts";

/** The tries at one answer of the model that failed, as far as the agent tells of them. */
export interface Attempts {
  /** A new answer begins. */
  forget(): void;
  /** A try failed, and the agent will try again. Returns what the turn must fail with instead, or null. */
  note(failure: TurnFailure): TurnFailure | null;
  /** Would the failure of one more try be the last that is allowed? */
  isLast(): boolean;
  /** How many tries failed so far. */
  readonly count: number;
  /** A failure that no further try follows, with the tries before it. */
  complete(failure: TurnFailure): TurnFailure;
}

// A provider that asks for a longer wait than this is a matter for the loop, which shows it and lets others go on.
const longWaitMs = 120_000;

/** `limit`: how often the provider may be asked in all for one answer; absent when the agent is to have its way. */
export function createAttempts(limit: number | undefined): Attempts {
  let failed: FailedAttempt[] = [];
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
    },
    note({ retryAfterMs, ...failure }) {
      if ((retryAfterMs ?? 0) > longWaitMs) return complete({ ...failure, ...(retryAfterMs && { retryAfterMs }) });
      if (!isTransient(failure.reason) || isLast()) return complete(failure);
      failed.push(attemptOf(failure));
      return null;
    },
    isLast,
    get count() {
      return failed.length;
    },
    complete,
  };
}
