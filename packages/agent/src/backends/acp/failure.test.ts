import { expect, test } from "bun:test";
import { failureOfRefusal, failureOfThrown, reasonOfProvider, reasonOfWords } from "./failure.ts";

// As opencode 1.18 and claude-agent-acp 0.100 sent them.
test.each([
  [-32000, "Authentication required", undefined, "auth"],
  [-32603, "Internal error: Session too large to compact", { errorName: "ContextOverflowError" }, "overflow"],
  [-32603, "Internal error: Incorrect API key provided.", { service: "session", errorName: "APIError" }, "auth"],
  [-32603, "Internal error: You are not allowed to use this model.", { errorName: "APIError" }, "auth"],
  [-32603, "Internal error: Rate limit reached for requests.", { errorName: "APIError" }, "rate_limited"],
  [
    -32603,
    "Internal error: The server had an error while processing your request.",
    { errorName: "APIError" },
    "server",
  ],
  [-32603, "Internal error: Connection reset by server", { errorName: "APIError" }, "connection"],
  [-32603, "Internal error: Cannot connect to API: Unable to connect.", { errorName: "APIError" }, "connection"],
  [
    -32603,
    "Internal error: The model `x` does not exist or you do not have access to it.",
    { errorName: "APIError" },
    "model",
  ],
  [-32603, "Internal error: anything", { errorKind: "rate_limit" }, "rate_limited"],
  [-32603, "Internal error: anything", { errorKind: "model_not_found" }, "model"],
  [-32603, "Internal error: API Error: 500 Internal server error.", { errorKind: "server_error" }, "server"],
  [-32603, "Internal error: API Error: Connection refused (ECONNREFUSED)", { errorKind: "server_error" }, "connection"],
  [-32603, "Internal error: API Error: 402 Pay first.", { errorKind: "unknown" }, "auth"],
  [
    -32603,
    "Internal error: Prompt is too long · the request is ~200001 tokens",
    { errorKind: "invalid_request" },
    "overflow",
  ],
  [-32603, "Internal error: Request too large (max 32MB).", { errorKind: "invalid_request" }, "overflow"],
  [-32603, "Internal error", undefined, "unknown"],
  [-32601, '"Method not found": session/prompt', undefined, "protocol"],
] as const)("%d %s is read (%j → %s)", (code, message, data, reason) => {
  expect(failureOfRefusal({ code, message, data }).reason).toBe(reason);
});

test("the protocol's own words for an error are left out, as people need what comes behind them", () => {
  expect(failureOfRefusal({ code: -32603, message: "Internal error: No more quota" })).toEqual({
    reason: "rate_limited",
    message: "No more quota",
  });
});

test("a status in a sentence counts before the words, and words in none mean nothing", () => {
  expect(reasonOfWords("status code 529, please sign in")).toBe("server");
  expect(reasonOfWords("error 418")).toBe("unknown");
  expect(reasonOfWords("4290 things happened")).toBe("unknown");
});

test("a name that covers several things is told apart by the provider's status", () => {
  expect(reasonOfProvider("unknown", null)).toBe("connection");
  expect(reasonOfProvider("server_error", 503)).toBe("server");
  expect(reasonOfProvider("authentication_failed", 401)).toBe("auth");
  expect(reasonOfProvider("brand_new", 429)).toBe("rate_limited");
});

test("what is thrown by mistake is a failure too", () => {
  expect(failureOfThrown(new TypeError("x is not a function"))).toEqual({
    reason: "unknown",
    message: "x is not a function",
  });
});
