import { expect, test } from "bun:test";
import { foldAll, toSummary } from "@ralpher/contract";
import { loopId, story } from "../../test/events.ts";
import { dayStart } from "../words/today.ts";
import { progressOf } from "./totals-feed.ts";

function after(count: number) {
  const view = foldAll(null, story().slice(0, count));
  if (view === null) throw new Error("the story makes a loop");
  return new Map([[loopId, toSummary(view)]]);
}

test("[R-WEB-1] the sums of today are read again when tokens were counted or an iteration began, not for every line", () => {
  expect(progressOf(after(11))).toBe(progressOf(after(10)));
  expect(progressOf(after(12))).not.toBe(progressOf(after(11)));
  expect(progressOf(after(16))).not.toBe(progressOf(after(15)));
});

test("a day begins at midnight of this clock", () => {
  const noon = new Date(2026, 2, 5, 12, 30).getTime();
  expect(new Date(dayStart(noon))).toEqual(new Date(2026, 2, 5));
});
