import { expect, test } from "bun:test";
import { Unusable } from "../../unusable.ts";
import { failureOfAnswer, failureOfError, failureOfThrown, type OpencodeError } from "./failure.ts";

const apiError = (statusCode?: number, responseHeaders?: Record<string, string>): OpencodeError => ({
  name: "APIError",
  data: {
    message: "said",
    isRetryable: false,
    ...(statusCode === undefined ? {} : { statusCode }),
    ...(responseHeaders === undefined ? {} : { responseHeaders }),
  },
});

test("each of opencode's errors has its reason", () => {
  const errors: OpencodeError[] = [
    { name: "ProviderAuthError", data: { providerID: "p", message: "said" } },
    { name: "MessageAbortedError", data: { message: "said" } },
    { name: "ContextOverflowError", data: { message: "said" } },
    { name: "MessageOutputLengthError", data: {} },
    { name: "StructuredOutputError", data: { message: "said", retries: 1 } },
    { name: "UnknownError", data: { message: "said" } },
  ];
  expect(errors.map((error) => failureOfError(error).reason)).toEqual([
    "auth",
    "aborted",
    "overflow",
    "unknown",
    "protocol",
    "unknown",
  ]);
});

test("an error of the provider goes by its status; without one there was no connection", () => {
  expect([401, 404, 429, 500, undefined].map((status) => failureOfError(apiError(status)).reason)).toEqual([
    "auth",
    "model",
    "rate_limited",
    "server",
    "connection",
  ]);
  expect(failureOfError(apiError(429, { "retry-after": "3" }))).toEqual({
    reason: "rate_limited",
    message: "said",
    retryAfterMs: 3000,
  });
});

test("an error that a later opencode may invent is unknown, not a crash", () => {
  const invented = { name: "MoonPhaseError", data: { message: "full" } } as unknown as OpencodeError;
  expect(failureOfError(invented)).toEqual({ reason: "unknown", message: "full" });
});

test("what opencode's server refuses goes by status, and no answer means no connection", () => {
  const reasonOf = (response: Response | undefined) => failureOfAnswer(response, { name: "Bad" }, "do it").reason;
  expect(reasonOf(new Response(null, { status: 401 }))).toBe("auth");
  expect(reasonOf(new Response(null, { status: 400 }))).toBe("protocol");
  expect(reasonOf(new Response(null, { status: 500 }))).toBe("server");
  expect(reasonOf(undefined)).toBe("connection");
});

test("what is thrown keeps its reason, or is unknown", () => {
  const failure = { reason: "missing", message: "no opencode" } as const;
  expect(failureOfThrown(new Unusable(failure))).toEqual(failure);
  expect(failureOfThrown(new Error("a bug"))).toEqual({ reason: "unknown", message: "a bug" });
});
