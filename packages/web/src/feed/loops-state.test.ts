import { expect, test } from "bun:test";
import { foldAll, type LoopSummary, toSummary } from "@ralpher/contract";
import { loopId, story } from "../../test/events.ts";
import { foldLines, noLoops, takeList } from "./loops-state.ts";

function lineAfter(count: number): LoopSummary {
  const view = foldAll(null, story().slice(0, count));
  if (view === null) throw new Error("the story makes a loop");
  return toSummary(view);
}
const iterationOf = (state: ReturnType<typeof takeList>) => state.loops.get(loopId)?.state.currentIteration;

test("[R-WEB-1] a line takes the place of the one before; other lines stay the same objects", () => {
  const other = {
    ...lineAfter(5),
    config: { ...lineAfter(5).config, id: "22222222-2222-4222-8222-222222222222" as typeof loopId },
  };
  const before = takeList(noLoops, [lineAfter(5), other]);
  const after = foldLines(before, [{ type: "loop.summary", summary: lineAfter(17) }]);
  expect(iterationOf(after)).toBe(2);
  expect(after.loops.get(other.config.id)).toBe(other);
});

test("[R-WEB-1] a line that was overtaken on its way does not turn time back", () => {
  const now = foldLines(noLoops, [{ type: "loop.summary", summary: lineAfter(17) }]);
  expect(iterationOf(foldLines(now, [{ type: "loop.summary", summary: lineAfter(5) }]))).toBe(2);
  expect(iterationOf(takeList(now, [lineAfter(5)]))).toBe(2);
});

test("[R-WEB-1] a deleted loop is gone, and a late line or an older list does not bring it back", () => {
  const gone = foldLines(takeList(noLoops, [lineAfter(5)]), [{ type: "loop.deleted", loopId }]);
  expect(gone.loops.size).toBe(0);
  expect(foldLines(gone, [{ type: "loop.summary", summary: lineAfter(17) }]).loops.size).toBe(0);
  expect(takeList(gone, [lineAfter(5)]).loops.size).toBe(0);
});

test("[R-WEB-1] a list read after a loss is the truth: what is not in it is gone", () => {
  expect(takeList(takeList(noLoops, [lineAfter(5)]), []).loops.size).toBe(0);
});
