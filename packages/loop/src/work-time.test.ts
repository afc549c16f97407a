import { expect, test } from "bun:test";
import { unknownUsage, workedMs } from "@ralpher/contract";
import { PaperLoop } from "../test/paper-loop.ts";

const minute = 60_000;

/** A loop whose first turn is under way. */
function atWork(): PaperLoop {
  const loop = new PaperLoop();
  loop.ask({ type: "start" });
  loop.step();
  loop.happens({ type: "loop.iteration.start", iteration: 1 });
  loop.happens({ type: "loop.turn.start", iteration: 1, attempt: 1, prompt: "do it" });
  return loop;
}

/** To the nearest second: every event on paper is a millisecond after the one before. */
const seconds = (loop: PaperLoop) => Math.round(workedMs(loop.view, loop.now.getTime()) / 1000);

test("time of work is the time of turns: not that of a pause, and the turn under way counts as it goes", () => {
  const loop = atWork();
  loop.now = new Date(loop.now.getTime() + minute);
  expect(seconds(loop)).toBe(60);
  loop.ask({ type: "pause", now: true });
  loop.happens({ type: "loop.interrupted", iteration: 1, cause: "asked", reason: "paused by hand" });
  loop.step();
  loop.now = new Date(loop.now.getTime() + 60 * minute);
  loop.ask({ type: "resume" });
  expect(seconds(loop)).toBe(60);
  loop.happens({ type: "loop.turn.start", iteration: 1, attempt: 2, prompt: "do it" });
  loop.now = new Date(loop.now.getTime() + minute);
  loop.happens({ type: "loop.turn.end", iteration: 1, promised: false, usage: unknownUsage });
  loop.now = new Date(loop.now.getTime() + minute);
  expect(seconds(loop)).toBe(120);
});

test("of a turn whose process died only the time to its last sign of life counts", () => {
  const loop = atWork();
  loop.now = new Date(loop.now.getTime() + minute);
  loop.happens({ type: "loop.notice", iteration: 1, text: "it lives" });
  loop.now = new Date(loop.now.getTime() + 60 * minute);
  loop.happens({ type: "loop.interrupted", iteration: 1, cause: "died", reason: "the process that ran it ended" });
  expect(seconds(loop)).toBe(60);
});
