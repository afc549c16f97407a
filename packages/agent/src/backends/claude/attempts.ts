import type { SDKAPIRetryMessage } from "@anthropic-ai/claude-agent-sdk";
import type { FailedAttempt, TurnFailure } from "@ralpher/contract";
import { isTransient } from "../../transient.ts";
import { failureOfRetry } from "./failure.ts";

/** The tries at one answer of the model that failed. */
export interface Attempts {
  /** A try failed, and Claude Code waits for the next. Returns what the turn must fail with instead, or null. */
  note(retry: SDKAPIRetryMessage): TurnFailure | null;
  /** An answer came. */
  forget(): void;
  /** A failure that no further try follows, with the tries before it. */
  complete(failure: TurnFailure): TurnFailure;
}

// A provider that asks for a longer wait than this is a matter for the loop, which shows it and lets others go on.
const longWaitMs = 120_000;

// Claude Code does not wait much longer than a minute for a provider, but gives up, and does not say how long it was
// asked to wait. So that is the least it can be.
const leastLongWaitMs = 60_000;

/**
 * Claude Code repeats even what no repetition can mend, such as a bad key: that ends the turn at its first try. `allowed`:
 * how often the provider may be asked in all; undefined: as often as Claude Code likes.
 */
export function createAttempts(allowed?: number): Attempts {
  let failed: FailedAttempt[] = [];
  const mayRepeat = allowed === undefined || allowed > 1;
  /** If the try under way fails, Claude Code may make another. */
  let isFree = mayRepeat;
  const attemptOf = ({ reason, message }: TurnFailure): FailedAttempt => ({
    at: new Date().toISOString(),
    reason,
    message,
  });

  function complete(failure: TurnFailure): TurnFailure {
    const hasGivenUp = isFree && failure.reason === "rate_limited";
    return {
      ...(hasGivenUp ? { retryAfterMs: leastLongWaitMs } : {}),
      ...failure,
      ...(failed.length === 0 ? {} : { attempts: [...failed, attemptOf(failure)] }),
    };
  }

  return {
    note(retry) {
      const failure = failureOfRetry(retry);
      if (!isTransient(failure.reason)) return complete(failure);
      const retryAfterMs = Math.round(retry.retry_delay_ms);
      if (retryAfterMs > longWaitMs) return complete({ ...failure, retryAfterMs });
      failed.push(attemptOf(failure));
      isFree = retry.attempt < retry.max_retries;
      return null;
    },
    forget() {
      failed = [];
      isFree = mayRepeat;
    },
    complete,
  };
}
