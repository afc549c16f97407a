import { expect, test } from "bun:test";
import type { StoredEvent } from "@ralpher/contract";
import { appendToLog, emptyLog, type SodaEvent } from "../../../feed/log.ts";
import { wordsOf } from "./log-words.ts";

const event = (part: object) => ({ loopId: "l", at: "2026-01-01T00:00:00.000Z", seq: 1, ...part }) as SodaEvent;

test("a SODA loop's steps are lines of its log, each with the words it has by itself", () => {
  const steps = [
    event({ type: "loop.iteration.start", iteration: 1 }),
    event({ type: "loop.decided", iteration: 1, decision: { outcome: "CONTINUE" }, seq: 2 }),
    event({ type: "loop.items.changed", iteration: 1, changes: [], seq: 3 }),
    event({ type: "loop.stuck", reason: "no token", seq: 4 }),
  ] as StoredEvent[];
  expect(appendToLog(emptyLog, steps).entries.map(({ kind }) => kind)).toEqual(["iteration", "soda", "milestone"]);
});

test("a line says what was found or done, and its meaning is that of its colour", () => {
  expect(
    wordsOf(event({ type: "loop.decided", iteration: 1, decision: { outcome: "STUCK", reason: "no token" } })),
  ).toEqual({
    verb: "Stuck",
    text: "no token",
    meaning: "bad",
  });
  const ended = event({
    type: "loop.task.end",
    iteration: 1,
    taskId: "x-1",
    outcome: "blocked",
    reason: "tests fail",
    changes: [{ id: "x-1", title: "Read files", what: "blocked", at: "" }],
    learnings: [],
  });
  expect(wordsOf(ended)).toEqual({ verb: "Blocked", text: "Read files: tests fail", meaning: "bad" });
  const regression = { tests: ["a", "b"], note: null };
  const tested = { type: "loop.tested", iteration: 1, taskId: "x-1", result: { kind: "none" }, regression };
  expect(wordsOf(event(tested)).text).toBe("nothing says how to run any");
  const merged = { type: "loop.branch.merged", iteration: 1, branch: "soda/iteration-1", changes: [] };
  expect(wordsOf(event({ ...merged, head: null, conflict: ["a.js"] })).meaning).toBe("bad");
  expect(wordsOf(event({ ...merged, head: "0123456789" })).text).toBe("soda/iteration-1 as 01234567");
});
