import { expect, test } from "bun:test";
import { blankTaskView, type LoopView, TaskConfig, type VaultLook } from "@ralpher/contract";
import { PaperLoop } from "../../../test/paper-loop.ts";
import { findTaskRest } from "./rest.ts";

const at = "2026-01-01T00:00:00.000Z";

function viewAfter(failures: number, config: Partial<TaskConfig>): LoopView {
  const look: VaultLook = {
    config: { ...TaskConfig.parse({}), ...config },
    place: "open",
    path: "/Specs/a.md",
    title: "a",
    isDone: false,
    steps: [],
    doubted: [],
    carried: {},
    isMarkDoubted: false,
    unreadable: null,
    counts: { done: 0, all: 1 },
    stopHook: null,
    problems: [],
  };
  const { view } = new PaperLoop({ strategy: { type: "task", file: "/Specs/a.md", startedBy: "human" } });
  return {
    ...view,
    failures,
    lastEnd: { outcome: failures > 0 ? "error" : "continue", at, failure: null },
    task: { ...blankTaskView, look },
  };
}

const secondsOf = (view: LoopView): number => {
  const rest = findTaskRest(view, new Date(at));
  return rest === null ? 0 : (rest.until.getTime() - Date.parse(at)) / 1000;
};

test("[T-ITER-4] the interval is waited after each iteration, and multiplied after failures up to the cap", () => {
  expect([0, 1, 2, 3, 4, 10].map((failures) => secondsOf(viewAfter(failures, {})))).toEqual([5, 10, 20, 40, 60, 60]);
  const own = { iteration_interval_seconds: 3, backoff_multiplier: 3, max_backoff_seconds: 20 };
  expect([0, 1, 2].map((failures) => secondsOf(viewAfter(failures, own)))).toEqual([3, 9, 20]);
});

test("[T-ITER-4] without backoff the interval stays as it is, and a cap below it does not shorten it", () => {
  expect(secondsOf(viewAfter(4, { backoff_on_failure: false }))).toBe(5);
  expect(secondsOf(viewAfter(4, { iteration_interval_seconds: 90 }))).toBe(90);
});

test("without an interval a failure is not tried again at once", () => {
  expect(secondsOf(viewAfter(0, { iteration_interval_seconds: 0 }))).toBe(0);
  expect(secondsOf(viewAfter(1, { iteration_interval_seconds: 0 }))).toBe(2);
});

test("a limited rate is waited for as long as the provider says", () => {
  const view = viewAfter(0, {});
  const failure = { reason: "rate_limited", message: "slow down", retryAfterMs: 90_000 } as const;
  expect(secondsOf({ ...view, lastEnd: { outcome: "error", at, failure } })).toBe(90);
});
