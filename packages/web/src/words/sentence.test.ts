import { expect, test } from "bun:test";
import { foldAll, type StoredEvent, toLoop } from "@ralpher/contract";
import { stored, story } from "../../test/events.ts";
import { timelineOf } from "./iterations.ts";
import { sentenceOf } from "./sentence.ts";

function viewAfter(...more: Parameters<typeof stored>[1][]) {
  const events: StoredEvent[] = [...story(), ...more.map((body, index) => stored(50 + index, body))];
  const view = foldAll(null, events);
  if (view === null) throw new Error("the story makes a loop");
  return view;
}
const now = Date.parse("2026-03-01T10:05:00.000Z");
const told = (...more: Parameters<typeof stored>[1][]) => sentenceOf(viewAfter(...more), now);
const usage = { inputTokens: 1, outputTokens: 1, costUsd: null };

test("[R-WEB-3] the sentence says how it stands and what happens next", () => {
  expect(told()).toBe("Iteration 2 is under way.");
  expect(told({ type: "loop.pause.requested", now: false })).toBe("Pauses when iteration 2 ends.");
  expect(told({ type: "loop.stop.requested", reason: "by hand" })).toBe(
    "Stopping: the agent is being ended. What it has done so far is kept.",
  );
  expect(told({ type: "loop.completed", totalIterations: 2 })).toBe(
    "The agent says that the work is done. Review it, then accept to merge it into main.",
  );
  expect(told({ type: "loop.failed", reason: "3 failures in a row" })).toBe(
    "3 failures in a row. Start it to try again from here.",
  );
  expect(told({ type: "loop.stuck", reason: "which database?" })).toBe("Waiting for you: Which database?");
  expect(told({ type: "loop.accepted", mergeCommit: "c0ffee1234" })).toBe(
    "Merged into main as c0ffee12. Nothing is left to do.",
  );
});

test("[R-WEB-3, R-DATA-3] of an imported loop nothing is here to be reviewed", () => {
  const view = viewAfter({ type: "loop.completed", totalIterations: 2 });
  const { config, state } = toLoop(view);
  expect(told({ type: "loop.imported", config, state })).toBe(
    "The work was done where it came from. Start it to go on here.",
  );
});

test("[R-WEB-3] after failures the sentence tells how many are left", () => {
  const failed = [
    { type: "loop.turn.end", iteration: 2, promised: false, failure: { reason: "server", message: "500" }, usage },
    { type: "loop.iteration.end", iteration: 2, outcome: "error" },
    { type: "loop.iteration.start", iteration: 3 },
  ] as const;
  expect(told(...failed)).toBe("Iteration 3 is under way, after 1 failure in a row; at 3 the loop ends.");
});

test("[R-WEB-3] the timeline has every iteration, the open one last", () => {
  const cells = timelineOf(viewAfter(), new Map());
  expect(cells.map(({ iteration, outcome, open, commits }) => ({ iteration, outcome, open, commits }))).toEqual([
    { iteration: 1, outcome: "continue", open: false, commits: 1 },
    { iteration: 2, outcome: null, open: true, commits: 0 },
  ]);
});

test("[R-WEB-3] an iteration the view has forgotten is told from the log, or shown as not known", () => {
  const view = { ...viewAfter(), recent: [] };
  expect(timelineOf(view, new Map())[0]).toMatchObject({ iteration: 1, outcome: null, open: false, startedAt: null });
  const span = { startedAt: 1, endedAt: 5, outcome: "error" as const, commits: 2, tools: 3, usage };
  expect(timelineOf(view, new Map([[1, span]]))[0]).toMatchObject({
    outcome: "error",
    endedAt: 5,
    commits: 2,
    tools: 3,
  });
});
