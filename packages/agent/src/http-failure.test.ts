import { expect, test } from "bun:test";
import { reasonOfStatus, retryAfterMs } from "./http-failure.ts";

test("a status tells why the turn failed", () => {
  const reasons = [401, 403, 404, 429, 500, 504, 529, 418].map(reasonOfStatus);
  expect(reasons).toEqual(["auth", "auth", "model", "rate_limited", "server", "timeout", "server", "unknown"]);
});

test("retry-after is read as milliseconds, seconds or a date", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  expect(retryAfterMs({ "retry-after-ms": "1500", "retry-after": "9" }, now)).toBe(1500);
  expect(retryAfterMs({ "retry-after": "1.5" }, now)).toBe(1500);
  expect(retryAfterMs({ "retry-after": "Thu, 01 Jan 2026 00:01:00 GMT" }, now)).toBe(60_000);
  expect(retryAfterMs({ "retry-after": "Thu, 01 Jan 2025 00:00:00 GMT" }, now)).toBe(0);
  expect(retryAfterMs({ "retry-after": "soon" }, now)).toBeUndefined();
  expect(retryAfterMs({}, now)).toBeUndefined();
  expect(retryAfterMs(undefined, now)).toBeUndefined();
});
