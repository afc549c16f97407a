import { describe, expect, test } from "bun:test";
import { type FailureReason, FailureReason as Reasons } from "@ralpher/contract";
import { PaperLoop, type PaperTurn } from "../test/paper-loop.ts";
import { failurePolicy } from "./failure-policy.ts";

const failure = (reason: FailureReason, retryAfterMs?: number): PaperTurn => ({
  reason,
  message: `it was ${reason}`,
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});

function started(settings: ConstructorParameters<typeof PaperLoop>[0] = {}) {
  const loop = new PaperLoop(settings);
  loop.ask({ type: "start" });
  return loop;
}

describe("the life of a loop", () => {
  test("[R-RUN-1] idle, starting, waiting, running, waiting, …", () => {
    const loop = started();
    const statuses = ["idle" as string];
    for (let n = 0; n < 7; n++) {
      statuses.push(loop.view.phase.status);
      loop.step();
    }
    expect(statuses).toEqual(["idle", "starting", "waiting", "running", "running", "waiting", "running", "running"]);
  });

  test("[R-RUN-3] the promise completes it", () => {
    const loop = started();
    loop.run((n) => (n === 3 ? "promise" : "continue"));
    expect(loop.view.phase).toEqual({ status: "completed", reason: "the promise was made" });
    expect(loop.view.recent.map((done) => done.outcome)).toEqual(["continue", "continue", "complete"]);
  });

  test("[R-RUN-4] the limit of iterations ends it; a promise in the last one counts", () => {
    const limited = started({ maxIterations: 3 });
    limited.run(() => "continue");
    expect(limited.view.phase.status).toBe("max_iterations");
    expect(limited.view.iteration).toBe(3);
    const kept = started({ maxIterations: 3 });
    kept.run((n) => (n === 3 ? "promise" : "continue"));
    expect(kept.view.phase.status).toBe("completed");
  });

  test("[R-RUN-4] without a limit it goes on and on", () => {
    const loop = started();
    expect(() => loop.run(() => "continue", 10_000)).toThrow("still not at rest");
    expect(loop.view.iteration).toBeGreaterThan(2000);
    expect(loop.view.recent.length).toBe(50);
  });

  test("[R-RUN-5] an error is recorded, and the threshold ends it as failed", () => {
    const loop = started({ failureThreshold: 3 });
    loop.run(() => failure("server"));
    expect(loop.view.phase).toMatchObject({ status: "failed" });
    expect(loop.view.iteration).toBe(3);
    expect(loop.types.filter((type) => type === "loop.waiting")).toHaveLength(2);
  });

  test("[R-RUN-5] a success between failures clears the count", () => {
    const loop = started({ failureThreshold: 2, maxIterations: 6 });
    loop.run((n) => (n % 2 === 1 ? failure("connection") : "continue"));
    expect(loop.view.phase.status).toBe("max_iterations");
  });

  test("[R-RUN-5] the pause after a failure doubles up to a minute", () => {
    const loop = started({ failureThreshold: 10 });
    const pauses: number[] = [];
    for (;;) {
      const step = loop.next();
      if (step === null) break;
      if (step.do === "wait") pauses.push(Math.round((Date.parse(step.until) - loop.now.getTime()) / 1000));
      loop.step(failure("server"));
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  test("a rate limit is waited for, as long as the provider says, and counts as no failure", () => {
    const loop = started({ failureThreshold: 2, maxIterations: 6 });
    loop.step();
    loop.step(failure("rate_limited", 90_000));
    loop.step();
    loop.step();
    const step = loop.next();
    expect(step).toMatchObject({ do: "wait" });
    expect(step?.do === "wait" && Date.parse(step.until) - loop.now.getTime()).toBe(90_000);
    loop.run(() => failure("rate_limited"));
    expect(loop.view.phase.status).toBe("max_iterations");
    expect(loop.view.failures).toBe(0);
  });

  test("a provider that wants years is asked again after a day, and a clock set back is not waited for", () => {
    const loop = started();
    loop.step();
    loop.step(failure("rate_limited", 9e15));
    loop.step();
    loop.step();
    const ended = Date.parse(loop.view.lastEnd?.at ?? "");
    const step = loop.next();
    expect(step?.do === "wait" && Date.parse(step.until) - ended).toBe(24 * 60 * 60_000);
    loop.now = new Date(ended - 3_600_000);
    expect(loop.next()).toMatchObject({ do: "turn" });
  });

  test("a pause that is taken back before the workspace is made leaves everything as it was asked for", () => {
    const loop = new PaperLoop();
    loop.ask({ type: "start", handleUncommitted: "stash" });
    loop.ask({ type: "pause" });
    loop.ask({ type: "resume" });
    expect(loop.view.phase).toEqual({ status: "starting", ask: null, handleUncommitted: "stash" });
  });

  test.each(Reasons.options.filter((reason) => failurePolicy[reason] === "stop"))(
    "[R-RUN-5] %s ends it at once, for trying again cannot help",
    (reason) => {
      const loop = started();
      loop.run(() => failure(reason));
      expect(loop.view.phase).toEqual({ status: "failed", reason: `it was ${reason}` });
      expect(loop.view.iteration).toBe(1);
    },
  );
});

describe("asks of a human", () => {
  test("[R-RUN-1] pause holds between iterations, resume goes on", () => {
    const loop = started();
    loop.step();
    loop.step();
    loop.ask({ type: "pause" });
    loop.run(() => "continue");
    expect(loop.view.phase).toEqual({ status: "paused", open: null });
    expect(loop.view.iteration).toBe(1);
    loop.ask({ type: "resume" });
    loop.run(() => "promise");
    expect(loop.view.phase.status).toBe("completed");
    expect(loop.view.iteration).toBe(2);
  });

  test("[R-RUN-1] pause now keeps the iteration, and resume takes it up again with the same number", () => {
    const loop = started();
    loop.step();
    loop.step("interrupted");
    loop.ask({ type: "pause", now: true });
    loop.run(() => "continue");
    expect(loop.view.phase).toMatchObject({ status: "paused" });
    loop.ask({ type: "resume" });
    loop.run(() => "promise");
    expect(loop.view.iteration).toBe(1);
    expect(loop.types.filter((type) => type === "loop.iteration.start")).toHaveLength(1);
    expect(loop.types.filter((type) => type === "loop.turn.start")).toHaveLength(2);
    expect(loop.types.filter((type) => type === "loop.iteration.end")).toHaveLength(1);
  });

  test("[R-RUN-1] stop puts what was done into git before it stops", () => {
    const loop = started();
    loop.step();
    loop.step("interrupted");
    loop.ask({ type: "stop", reason: "enough" });
    const done: string[] = [];
    for (let step = loop.next(); step !== null; step = loop.next()) {
      done.push(step.do);
      loop.step();
    }
    expect(done).toEqual(["commit", "close", "finish"]);
    expect(loop.view.phase).toEqual({ status: "stopped", reason: "enough" });
    expect(loop.view.recent.at(-1)?.outcome).toBe("interrupted");
  });

  test("a pause that comes with the promise does not hold back the end", () => {
    const loop = started();
    loop.step();
    loop.step("promise");
    loop.ask({ type: "pause" });
    loop.run(() => "continue");
    expect(loop.view.phase.status).toBe("completed");
  });

  test("a stop before the workspace is made needs none", () => {
    const loop = started();
    loop.ask({ type: "stop" });
    loop.run(() => "continue");
    expect(loop.view.phase.status).toBe("stopped");
    expect(loop.view.workspace).toBeNull();
  });

  test("a stopped paused loop is put away, its interrupted iteration too", () => {
    const loop = started();
    loop.step();
    loop.step("interrupted");
    loop.ask({ type: "pause", now: true });
    loop.run(() => "continue");
    loop.ask({ type: "stop", reason: "never mind" });
    loop.run(() => "continue");
    expect(loop.view.phase).toEqual({ status: "stopped", reason: "never mind" });
    expect(loop.types.filter((type) => type === "loop.turn.start")).toHaveLength(1);
  });

  test("a loop that ended can be started again and goes on counting", () => {
    const loop = started({ maxIterations: 2 });
    loop.run(() => "continue");
    expect(() => loop.ask({ type: "start" })).toThrow("2 of 2 iterations");
    loop.ask({ type: "update", changes: { maxIterations: 3 } });
    loop.ask({ type: "start" });
    loop.run(() => "continue");
    expect(loop.view.phase.status).toBe("max_iterations");
    expect(loop.view.iteration).toBe(3);
  });
});
