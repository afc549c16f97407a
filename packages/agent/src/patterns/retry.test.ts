import { expect, test } from "bun:test";
import { FailureReason } from "@ralpher/contract";
import fc from "fast-check";
import { attemptsOf, mostAttempts, retryDelay } from "./retry.ts";

const failure = (reason: FailureReason, retryAfterMs?: number) => ({
  reason,
  message: "It failed.",
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const transient = fc.constantFrom<FailureReason>(
  "rate_limited",
  "timeout",
  "connection",
  "server",
  "crashed",
  "protocol",
  "unknown",
);

test("[A-ERR-1, A-ERR-4] what may pass, the unknown included, is tried three times, with pauses that grow", () => {
  fc.assert(
    fc.property(transient, chance, chance, (reason, one, two) => {
      const first = retryDelay(failure(reason), 1, 1000, one) ?? Number.NaN;
      const second = retryDelay(failure(reason), 2, 1000, two) ?? Number.NaN;
      expect(first).toBeGreaterThanOrEqual(1000);
      expect(first).toBeLessThanOrEqual(2000);
      expect(second).toBeGreaterThanOrEqual(2000);
      expect(second).toBeLessThanOrEqual(4000);
      for (const made of [3, 4, 6]) expect(retryDelay(failure(reason), made, 1000, one)).toBeNull();
    }),
  );
  expect(mostAttempts).toBe(3);
});

test("[A-ERR-2] what a human must mend is tried once", () => {
  fc.assert(
    fc.property(
      fc.constantFrom<FailureReason>("auth", "model", "missing", "overflow", "aborted", "budget"),
      chance,
      (reason, random) => expect(retryDelay(failure(reason, 0), 1, 1000, random)).toBeNull(),
    ),
  );
});

test("[A-ERR-1] the pause is never shorter than the provider asks for, and one that is too long is not made", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 300_000 }), chance, (wait, random) => {
      const delay = retryDelay(failure("rate_limited", wait), 1, 1000, random) ?? Number.NaN;
      expect(delay).toBeGreaterThanOrEqual(wait);
      expect(delay).toBeLessThanOrEqual(Math.max(wait, 2000));
    }),
  );
  expect(retryDelay(failure("rate_limited", 3_600_000), 1, 1000, 0)).toBeNull();
});

test("pauses are spread by chance", () => {
  const delays = new Set(Array.from({ length: 20 }, () => retryDelay(failure("server"), 1, 1000, Math.random())));
  expect(delays.size).toBeGreaterThan(1);
});

test("every reason is either transient or fatal", () => {
  for (const reason of FailureReason.options) expect([null, 1000]).toContain(retryDelay(failure(reason), 1, 1000, 0));
});

test("attempts the agent made by itself count, each with its own cause and time", () => {
  const own = [1, 2].map((second) => ({
    at: new Date(second * 1000).toISOString(),
    reason: "server" as const,
    message: `try ${second}`,
  }));
  expect(attemptsOf({ ...failure("server"), attempts: own }, new Date())).toEqual(own);
  expect(attemptsOf(failure("timeout"), new Date(0))).toEqual([
    { at: "1970-01-01T00:00:00.000Z", reason: "timeout", message: "It failed." },
  ]);
});
