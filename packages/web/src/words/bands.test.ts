import { expect, test } from "bun:test";
import { LoopStatus, type LoopSummary } from "@ralpher/contract";
import { config, timeOf } from "../../test/events.ts";
import { actionsFor } from "./actions.ts";
import { bandOf, groupIntoBands } from "./bands.ts";
import { meaningOf, wordOf } from "./state.ts";

let count = 0;
function line(status: LoopStatus, startedAt: number, lastActivityAt: number, elsewhere?: true): LoopSummary {
  count += 1;
  const id = `00000000-0000-4000-8000-${String(count).padStart(12, "0")}` as typeof config.id;
  const { directory, createdAt } = config;
  return {
    config: { id, name: `${status} ${startedAt}`, directory, createdAt, backend: "claude" },
    state: {
      status,
      currentIteration: 1,
      startedAt: timeOf(startedAt),
      lastActivityAt: timeOf(lastActivityAt),
      usage: { inputTokens: null, outputTokens: null, costUsd: null },
      mergeable: true,
      ...(elsewhere === undefined ? {} : { elsewhere }),
      outcomes: [],
    },
  };
}
const names = (loops: LoopSummary[]) => loops.map(({ config: { name } }) => name);

test("[R-WEB-1] every status has its band", () => {
  const bands = Object.fromEntries(LoopStatus.options.map((status) => [status, bandOf({ status })]));
  expect(bands).toEqual({
    failed: "needs-you",
    stuck: "needs-you",
    paused: "needs-you",
    completed: "needs-you",
    max_iterations: "needs-you",
    starting: "running",
    running: "running",
    waiting: "running",
    idle: "idle",
    stopped: "idle",
    accepted: "lately",
    discarded: "lately",
  });
});

test("[R-WEB-1, R-DATA-3] a loop whose work was done elsewhere needs nobody here, until it is started", () => {
  const bandsOf = (elsewhere: boolean) =>
    Object.fromEntries(
      (["completed", "failed", "max_iterations", "stuck", "stopped", "accepted"] as const).map((status) => [
        status,
        bandOf({ status, elsewhere }),
      ]),
    );
  expect(bandsOf(true)).toEqual({
    completed: "lately",
    failed: "idle",
    max_iterations: "idle",
    stuck: "idle",
    stopped: "idle",
    accepted: "lately",
  });
  const { "needs-you": needing, lately } = groupIntoBands([line("completed", 1, 5), line("completed", 2, 9, true)]);
  expect([names(needing), names(lately)]).toEqual([["completed 1"], ["completed 2"]]);
  expect([wordOf({ status: "completed" }), wordOf({ status: "completed", elsewhere: true })]).toEqual([
    "To review",
    "Completed",
  ]);
  expect(meaningOf({ status: "completed", elsewhere: true })).toBe("quiet");
});

test("[R-WEB-1] at rest the newest activity is first", () => {
  const { "needs-you": needing } = groupIntoBands([
    line("failed", 1, 5),
    line("completed", 2, 9),
    line("paused", 3, 7),
  ]);
  expect(names(needing)).toEqual(["completed 2", "paused 3", "failed 1"]);
});

test("[R-WEB-1] running lines keep their places, whatever happens in them", () => {
  const before = groupIntoBands([line("running", 1, 5), line("waiting", 2, 6)]);
  const after = groupIntoBands([line("running", 1, 99), line("waiting", 2, 6)]);
  expect(names(after.running)).toEqual(names(before.running));
});

test("[R-WEB-1] each state offers its best action first", () => {
  const best = Object.fromEntries(LoopStatus.options.map((status) => [status, actionsFor(status)[0]?.name]));
  expect(best).toEqual({
    idle: "start",
    starting: "pause",
    running: "pause",
    waiting: "pause",
    paused: "resume",
    completed: "accept",
    stopped: "start",
    failed: "start",
    max_iterations: "extend",
    stuck: "start",
    accepted: "delete",
    discarded: "restore",
  });
});

test("what was asked changes what is offered: a pause can be taken back or hurried, a stop is waited for", () => {
  expect(actionsFor("running", { asked: "pause" }).map(({ label }) => label)).toEqual([
    "Keep running",
    "Pause now",
    "Stop",
  ]);
  expect(actionsFor("running", { asked: "stop" })).toEqual([]);
});

test("without commits there is nothing to accept", () => {
  expect(actionsFor("completed", { mergeable: false }).map(({ name }) => name)).toEqual(["start", "discard", "delete"]);
});

test("[T-END-2, T-END-3] a task that asks by a file needs somebody, however it ended; one that is done needs nobody", () => {
  const task = { strategy: "task" } as const;
  for (const status of ["stopped", "failed", "max_iterations", "stuck"] as const) {
    expect(bandOf({ ...task, status, asks: true })).toBe("needs-you");
  }
  expect([bandOf({ ...task, status: "stopped" }), bandOf({ ...task, status: "running", asks: true })]).toEqual([
    "idle",
    "running",
  ]);
  const done = { ...task, status: "completed" } as const;
  expect([bandOf(done), meaningOf(done), wordOf(done)]).toEqual(["lately", "good", "Done"]);
  expect(meaningOf({ ...task, status: "stopped", asks: true })).toBe("needs-you");
});

test("a task that was called off is over: it asks nobody, and there is only to remove it", () => {
  const off = { strategy: "task", status: "stopped", asks: true, calledOff: true } as const;
  expect([bandOf(off), meaningOf(off), wordOf(off)]).toEqual(["lately", "quiet", "Called off"]);
  expect(actionsFor("stopped", off).map(({ name }) => name)).toEqual(["delete"]);
});

test("[T-END-4] a task is stopped after its iteration first of all, and resumed; nothing of it is merged or thrown away", () => {
  const labels = (status: LoopStatus) => actionsFor(status, { strategy: "task" }).map(({ label }) => label);
  expect(labels("running")).toEqual(["Stop", "Pause", "Stop now"]);
  expect(labels("stopped")).toEqual(["Resume", "Delete"]);
  expect(labels("completed")).toEqual(["Delete"]);
  expect(actionsFor("failed", { strategy: "task" })[0]).toMatchObject({ name: "start", body: { resetFailures: true } });
});
