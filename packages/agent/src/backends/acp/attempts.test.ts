import { expect, test } from "bun:test";
import { createAttempts } from "./attempts.ts";

const limited = { reason: "rate_limited", message: "Slow down." } as const;
const lost = { reason: "connection", message: "Gone." } as const;
const badKey = { reason: "auth", message: "Who are you?" } as const;

test("the last try that is allowed ends it, and all are told", () => {
  const attempts = createAttempts(3);
  for (let i = 0; i < 2; i++) {
    expect(attempts.fail(limited)).toBeNull();
    expect(attempts.retry(limited)).toBeNull();
  }
  const verdict = attempts.fail(lost);
  expect(verdict).toMatchObject({ failure: lost, isUrgent: false });
  expect(verdict?.failure.attempts).toMatchObject([limited, limited, lost]);
  expect(attempts.fail(limited)).toMatchObject({ isUrgent: true });
});

test("a try too many ends it at once, where the one before was not heard of", () => {
  expect(createAttempts(1).retry(lost)).toEqual({ failure: lost, isUrgent: true });
});

test("what cannot be mended is not tried again, with and without a limit", () => {
  expect(createAttempts(undefined).retry(badKey)).toEqual({ failure: badKey, isUrgent: true });
  expect(createAttempts(1).fail(badKey)).toBeNull();
});

test("a long wait ends it, and is told; a short one is the agent's own affair", () => {
  const attempts = createAttempts(undefined);
  expect(attempts.retry({ ...limited, retryAfterMs: 1000 })).toBeNull();
  const verdict = attempts.retry({ ...limited, retryAfterMs: 3_600_000 });
  expect(verdict).toMatchObject({ failure: { ...limited, retryAfterMs: 3_600_000 }, isUrgent: false });
});

test("what is waited for is known until something comes of it, and a new answer begins anew", () => {
  const attempts = createAttempts(undefined);
  expect(attempts.pending()).toBeNull();
  attempts.retry(limited);
  attempts.fail(lost);
  expect(attempts.pending()).toMatchObject({ ...lost, attempts: [limited, lost] });
  attempts.succeed();
  expect(attempts.pending()).toBeNull();
  expect(attempts.complete(lost).attempts).toHaveLength(2);
  attempts.forget();
  expect(attempts.complete(lost)).toEqual(lost);
});
