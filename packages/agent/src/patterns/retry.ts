import type { FailedAttempt, TurnFailure } from "@ralpher/contract";
import { isTransient } from "../transient.ts";

/** So many tries in all for one prompt (seed 002). */
export const mostAttempts = 3;

// A provider that asks for a longer wait than this is a matter for whoever asked, who may have other things to do.
const longestWaitMs = 5 * 60_000;

/** What a failed turn adds to the attempts: those the backend made by itself, or the one. */
export function attemptsOf(failure: TurnFailure, at: Date): FailedAttempt[] {
  const { reason, message, attempts } = failure;
  return attempts ?? [{ at: at.toISOString(), reason, message }];
}

/**
 * How long to wait before the prompt is tried again, in milliseconds, or null when it is not to be. Doubles with each
 * attempt made, with up to as much again by chance, so that many agents do not come back at once; never less than the
 * provider asks for. `random` is from 0 up to 1.
 */
export function retryDelay(failure: TurnFailure, made: number, baseMs: number, random: number): number | null {
  if (!isTransient(failure.reason) || made >= mostAttempts) return null;
  const asked = failure.retryAfterMs ?? 0;
  if (asked > longestWaitMs) return null;
  return Math.round(Math.max(baseMs * 2 ** (made - 1) * (1 + random), asked));
}
