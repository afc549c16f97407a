import { expect, test } from "bun:test";
import type { LoopSummary } from "@ralpher/contract";
import { progressOf } from "./progress.ts";

const row = (config: object, state: object) =>
  ({ config: { maxIterations: 100, ...config }, state: { currentIteration: 3, ...state } }) as LoopSummary;

test("a task is as far as its steps, any other loop as its iterations", () => {
  expect(progressOf(row({ strategy: "task" }, { steps: { done: 3, all: 3 } }))).toEqual({
    done: 3,
    limit: 3,
    of: "step",
  });
  expect(progressOf(row({ strategy: "task" }, {}))).toEqual({ done: 0, limit: undefined, of: "step" });
  expect(progressOf(row({}, {}))).toEqual({ done: 3, limit: 100, of: "iteration" });
});
