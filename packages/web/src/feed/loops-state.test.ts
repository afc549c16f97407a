import { expect, test } from "bun:test";
import { foldAll, type LoopSummary, toSummary } from "@ralpher/contract";
import { ephemeral, loopId, story, timeOf } from "../../test/events.ts";
import { doingOf, foldLines, noLoops, takeList, takePage } from "./loops-state.ts";

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

test("[R-WEB-1] the first page of a long list shows at once and takes nothing away; the whole list does", () => {
  const other = "22222222-2222-4222-8222-222222222222" as typeof loopId;
  const second = { ...lineAfter(5), config: { ...lineAfter(5).config, id: other } };
  const before = takeList(noLoops, [lineAfter(5), second]);
  expect(takePage(before, [lineAfter(17)]).loops.size).toBe(2);
  expect([...takeList(before, [second]).loops.keys()]).toEqual([other]);
});

test("[R-WEB-1] a line says what its agent runs, until something later is stored", () => {
  const tool = { id: "t", name: "bash", input: { command: "bun test" } };
  const began = { ...ephemeral({ type: "loop.tool_call.start", iteration: 2, tool }), at: timeOf(30) };
  const state = foldLines(takeList(noLoops, [lineAfter(17)]), [began as never]);
  const doing = state.doing.get(loopId);
  expect(doingOf(lineAfter(17), doing)).toMatchObject({ name: "bash", input: { command: "bun test" } });
  const line = lineAfter(17);
  expect(doingOf({ ...line, state: { ...line.state, lastActivityAt: timeOf(31) } }, doing)).toBeNull();
  expect(doingOf({ ...line, state: { ...line.state, status: "paused" } }, doing)).toBeNull();
  expect(doingOf(line, undefined)).toBeNull();
});
