import { expect, test } from "bun:test";
import type {
  SDKAPIRetryMessage,
  SDKAssistantMessageError,
  SDKResultError,
  SDKResultSuccess,
  SDKStartupFailureReason,
  TerminalReason,
} from "@anthropic-ai/claude-agent-sdk";
import type { FailureReason } from "@ralpher/contract";
import { createAttempts } from "./attempts.ts";
import { failureOfResult, reasonOfProvider } from "./failure.ts";

const apiError = (status: number | null, terminal_reason: TerminalReason = "api_error") =>
  ({
    type: "result",
    subtype: "success",
    is_error: true,
    api_error_status: status,
    result: "said",
    terminal_reason,
  }) as SDKResultSuccess;
const ended = (more: Partial<SDKResultError>) =>
  ({ type: "result", subtype: "error_during_execution", is_error: true, errors: ["said"], ...more }) as SDKResultError;
const retry = (attempt: number, error: SDKAssistantMessageError, error_status: number | null, retry_delay_ms = 500) =>
  ({
    type: "system",
    subtype: "api_retry",
    attempt,
    max_retries: 2,
    retry_delay_ms,
    error_status,
    error,
  }) as SDKAPIRetryMessage;

test.each<[SDKAssistantMessageError, number | null, FailureReason]>([
  ["authentication_failed", 401, "auth"],
  ["authentication_failed", null, "auth"],
  ["billing_error", 400, "auth"],
  ["model_not_found", 404, "model"],
  ["rate_limit", 429, "rate_limited"],
  ["overloaded", null, "server"],
  ["server_error", 500, "server"],
  ["server_error", 504, "timeout"],
  ["server_error", null, "connection"],
  ["invalid_request", 413, "overflow"],
  ["invalid_request", 400, "unknown"],
  ["unknown", 402, "auth"],
  ["unknown", null, "connection"],
])("the provider's %s with status %p means %s", (error, status, reason) => {
  expect(reasonOfProvider(error, status)).toBe(reason);
});

test("an API error comes as a success that is none, and what the turn ended with may say more", () => {
  expect(failureOfResult(apiError(429), "rate_limit")).toEqual({ reason: "rate_limited", message: "said" });
  expect(failureOfResult(apiError(400, "prompt_too_long"), "invalid_request").reason).toBe("overflow");
  expect(failureOfResult(apiError(null), "server_error").reason).toBe("connection");
  expect(failureOfResult(apiError(null, "model_error"), undefined).reason).toBe("unknown");
});

test("a turn that ended without the provider's doing goes by how", () => {
  expect(failureOfResult(ended({ subtype: "error_max_budget_usd" }), undefined).reason).toBe("budget");
  expect(failureOfResult(ended({ terminal_reason: "aborted_tools" }), undefined).reason).toBe("aborted");
  expect(failureOfResult(ended({ terminal_reason: "turn_setup_failed", errors: [] }), undefined)).toEqual({
    reason: "unknown",
    message: "Claude Code ended the turn (turn_setup_failed).",
  });
});

test.each<[SDKStartupFailureReason, FailureReason]>([
  ["org_pin_mismatch", "auth"],
  ["cli_version_too_old", "missing"],
  ["org_config_required_unavailable", "connection"],
  ["bypass_root", "unknown"],
])("Claude Code does not start because of %s: %s", (startup_failure_reason, reason) => {
  expect(failureOfResult(ended({ startup_failure_reason }), undefined).reason).toBe(reason);
});

test("the tries before a failure are told with it, and an answer between them begins anew", () => {
  const attempts = createAttempts();
  expect(attempts.note(retry(1, "server_error", 500))).toBeNull();
  attempts.forget();
  expect(attempts.note(retry(2, "rate_limit", 429))).toBeNull();
  expect(attempts.complete({ reason: "rate_limited", message: "at last" })).toEqual({
    reason: "rate_limited",
    message: "at last",
    attempts: [
      { at: expect.any(String), reason: "rate_limited", message: expect.stringContaining("429") },
      { at: expect.any(String), reason: "rate_limited", message: "at last" },
    ],
  });
});

test("a failure with no other try before it tells of none", () => {
  expect(createAttempts().complete({ reason: "server", message: "said" })).toEqual({
    reason: "server",
    message: "said",
  });
});

test("a limit after which Claude Code makes no other try, though it may, is one of a minute at least", () => {
  const limit = { reason: "rate_limited", message: "said" } as const;
  expect(createAttempts().complete(limit)).toEqual({ ...limit, retryAfterMs: 60_000 });
  expect(createAttempts(2).complete(limit)).toEqual({ ...limit, retryAfterMs: 60_000 });
  expect(createAttempts(1).complete(limit)).toEqual(limit);
  expect(createAttempts().complete({ ...limit, retryAfterMs: 5 })).toEqual({ ...limit, retryAfterMs: 5 });

  const attempts = createAttempts(3);
  attempts.note(retry(1, "server_error", 500));
  expect(attempts.complete(limit)).toMatchObject({ retryAfterMs: 60_000, attempts: [{}, {}] });
  attempts.note(retry(2, "server_error", 500));
  expect(attempts.complete(limit)).not.toHaveProperty("retryAfterMs");
  attempts.forget();
  expect(attempts.complete(limit)).toEqual({ ...limit, retryAfterMs: 60_000 });
});

test("what no repetition can mend ends the turn, and so does a wait that is long", () => {
  expect(createAttempts().note(retry(1, "authentication_failed", 401))).toMatchObject({ reason: "auth" });
  expect(createAttempts().note(retry(1, "rate_limit", 429, 3_600_000))).toMatchObject({
    reason: "rate_limited",
    retryAfterMs: 3_600_000,
  });
});
