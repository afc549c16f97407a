import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { createRetryLog, type Retry } from "./retry-log.ts";
import { reasonOfRetry } from "./retry-reason.ts";
import { hear, openStage, type Stage } from "./stage.fixture.ts";

setDefaultTimeout(60_000);

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({
    conversations: [
      { when: "fail at once", steps: [{ fault: { kind: "status", status: 500, retryAfterSeconds: 0 } }] },
      { when: "fail", steps: [{ fault: { kind: "status", status: 500, retryAfterSeconds: 0.25 } }] },
      { when: "wait", steps: [{ fault: { kind: "status", status: 429, retryAfterSeconds: 30 } }] },
      {
        when: "stumble twice",
        steps: [
          {
            tools: [{ name: "write", input: { filePath: "a", content: "" } }],
            fault: { kind: "status", status: 500, retryAfterSeconds: 0, times: 2 },
          },
          { text: "Up again.", fault: { kind: "status", status: 500, retryAfterSeconds: 0, times: 2 } },
        ],
      },
      {
        when: "delegate",
        steps: [
          { tools: [{ name: "task", input: { description: "Help", prompt: "fail", subagent_type: "general" } }] },
        ],
      },
      { steps: [{ text: "Hello." }] },
    ],
  });
});
afterAll(() => stage[Symbol.asyncDispose]());

const timesAsked = (prompt: string) => stage.model.requests.filter((one) => one.prompt === prompt).length;

test("a provider that wants a wait is asked as often as was allowed, and not once more", async () => {
  for (const attempts of [1, 2, 4]) {
    const prompt = `fail ${attempts}`;
    const { result } = await stage.run(prompt, { attempts });
    expect(result).toMatchObject({ outcome: "failed", failure: { reason: "server" } });
    const told = result.outcome === "failed" ? result.failure.attempts : [];
    if (attempts === 1) expect(told).toBeUndefined();
    else expect(told).toHaveLength(attempts);
    expect(timesAsked(prompt)).toBe(attempts);
  }
});

test("a provider that wants no wait fails the turn after as many tries as were allowed, too", async () => {
  const { result } = await stage.run("fail at once", { attempts: 2 });
  expect(result).toMatchObject({ outcome: "failed", failure: { reason: "server", attempts: [{}, {}] } });
});

test("left to itself opencode tries six times, and all of them are told", async () => {
  const { result } = await stage.run("fail at once, as often as you like");
  expect(result).toMatchObject({ outcome: "failed", failure: { reason: "server" } });
  expect(result.outcome === "failed" && result.failure.attempts).toHaveLength(6);
  expect(timesAsked("fail at once, as often as you like")).toBe(6);
});

test("the wait that a provider asks for is told", async () => {
  const { result } = await stage.run("wait", { attempts: 1 });
  const wait = result.outcome === "failed" ? result.failure.retryAfterMs : 0;
  expect(wait).toBeGreaterThan(25_000);
  expect(wait).toBeLessThanOrEqual(30_000);
});

test("each answer has its own tries", async () => {
  expect((await stage.run("stumble twice", { attempts: 3 })).result).toMatchObject({
    outcome: "done",
    text: "Up again.",
  });
});

test("a subagent's tries are counted, too", async () => {
  const { result } = await stage.run("delegate", { attempts: 2 });
  expect(result).toMatchObject({ outcome: "failed", failure: { reason: "server", attempts: [{}, {}] } });
});

test("the session can be used after its last try", async () => {
  await using session = stage.backend.open(await stage.request({ attempts: 1 }));
  expect((await hear(session.turn("fail"))).result.outcome).toBe("failed");
  expect((await hear(session.turn("hello"))).result).toMatchObject({ outcome: "done", text: "Hello." });
});

test.each([
  ["Rate limit reached for requests.", "rate_limited"],
  ["This request would exceed your account's rate limit. Please try again later.", "rate_limited"],
  ["Too Many Requests", "rate_limited"],
  ["You exceeded your current quota, please check your plan and billing details.", "rate_limited"],
  ["Resource has been exhausted (e.g. check quota).", "rate_limited"],
  ["Provider is overloaded", "server"],
  ["Internal server error", "server"],
  ["The server had an error while processing your request.", "server"],
  ["The operation timed out.", "timeout"],
  ["Unable to connect. Is the computer able to access the url?", "connection"],
  ["The socket connection was closed unexpectedly.", "connection"],
  ["Connection reset by server", "connection"],
  ["Something else", "unknown"],
] as const)("opencode's words %j mean %s", (message, reason) => {
  expect(reasonOfRetry(message)).toBe(reason);
});

test("only a wait that opencode would not take by itself is the provider's", () => {
  const retry = (attempt: number, waitMs: number): Retry => ({
    type: "retry",
    attempt,
    message: "Overloaded",
    next: Date.now() + waitMs,
  });
  const told = (attempt: number, waitMs: number) =>
    createRetryLog(1).note("ses_1", retry(attempt, waitMs))?.retryAfterMs;
  expect([told(1, 2200), told(2, 4900), told(5, 30_000)]).toEqual([undefined, undefined, undefined]);
  expect(told(1, 20_000)).toBeGreaterThan(19_000);
  expect(told(3, 100)).toBeLessThanOrEqual(100);
});

test("a try that is told twice counts once", () => {
  const log = createRetryLog(3);
  const retry = (attempt: number): Retry => ({
    type: "retry",
    attempt,
    message: "Overloaded",
    next: Date.now() + 2000,
  });
  for (const attempt of [1, 1, 2, 2]) expect(log.note("ses_1", retry(attempt))).toBeNull();
  expect(log.note("ses_1", retry(3))?.attempts).toHaveLength(3);
});
