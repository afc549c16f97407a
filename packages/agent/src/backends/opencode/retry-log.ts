import type { SessionStatus } from "@opencode-ai/sdk/v2/client";
import type { FailedAttempt, TurnFailure } from "@ralpher/contract";
import { reasonOfRetry } from "./retry-reason.ts";

export type Retry = Extract<SessionStatus, { type: "retry" }>;

/** The tries at answers that failed in a turn, by session: each subagent has its own. */
export interface RetryLog {
  /** A try failed, and opencode waits for the next. Returns what the turn must fail with instead, or null. */
  note(sessionId: string, retry: Retry): TurnFailure | null;
  /** An answer came. */
  forget(sessionId: string): void;
  /** A failure that no further try follows, with the tries before it. */
  complete(sessionId: string, failure: TurnFailure): TurnFailure;
}

// A provider that asks for a longer wait than this is a matter for the loop, which shows it and lets others go on.
const longWaitMs = 120_000;

/**
 * opencode tries five times more, whatever anybody says; `limit` is how often the provider may be asked in all, absent
 * when opencode is to have its way. The turn has to be ended during the wait before the next try: a provider that asks
 * for no wait at all may be asked once more before that is done.
 */
export function createRetryLog(limit: number | undefined): RetryLog {
  const failed = new Map<string, FailedAttempt[]>();

  function complete(sessionId: string, failure: TurnFailure): TurnFailure {
    const { reason, message } = failure;
    const before = failed.get(sessionId) ?? [];
    if (before.length === 0) return failure;
    return { ...failure, attempts: [...before, { at: new Date().toISOString(), reason, message }] };
  }

  return {
    note(sessionId, { attempt, message, next }) {
      const now = Date.now();
      const reason = reasonOfRetry(message);
      const before = failed.get(sessionId) ?? [];
      // Told again after a gap in the events.
      if (attempt > 1 && attempt <= before.length) return null;
      if (attempt === 1) failed.delete(sessionId);
      const waitMs = Math.max(0, Math.round(next - now));
      const wait = isOwnWait(attempt, waitMs) ? {} : { retryAfterMs: waitMs };
      if (waitMs > longWaitMs) return complete(sessionId, { reason: "rate_limited", message, ...wait });
      if (limit !== undefined && attempt >= limit) return complete(sessionId, { reason, message, ...wait });
      const one = { at: new Date(now).toISOString(), reason, message };
      failed.set(sessionId, attempt === 1 ? [one] : [...before, one]);
      return null;
    },
    forget(sessionId) {
      failed.delete(sessionId);
    },
    complete,
  };
}

/** Is this the wait that opencode takes when the provider asks for none: 2 s, doubled each time, and up to a quarter more? */
function isOwnWait(attempt: number, waitMs: number): boolean {
  const leastMs = 2000 * 2 ** (attempt - 1);
  const lateMs = 1000;
  return waitMs >= Math.min(leastMs, 30_000) - lateMs && waitMs <= leastMs * 1.25;
}
