import { expect, test } from "bun:test";
import { foldAll, type LoopStatus, type LoopSummary, toSummary } from "@ralpher/contract";
import { loopId, story } from "../../test/events.ts";
import { newsBetween } from "./news.ts";
import { parsePrefs } from "./prefs.ts";

function lines(status: LoopStatus, reason?: string) {
  const view = foldAll(null, story());
  if (view === null) throw new Error("the story makes a loop");
  const line = toSummary(view);
  const loop: LoopSummary = { ...line, state: { ...line.state, status, ...(reason === undefined ? {} : { reason }) } };
  return new Map([[loopId, loop]]);
}
const both = { needsYou: true, ended: true };
const titles = (...args: Parameters<typeof newsBetween>) => newsBetween(...args).map(({ title }) => title);

test("[R-WEB-1] a loop that comes to need somebody, or ends, is news, with why", () => {
  expect(newsBetween(lines("running"), lines("stuck", "which one?"), both, null)).toEqual([
    { id: loopId, title: "Stuck: parser", text: "which one?" },
  ]);
  expect(titles(lines("running"), lines("completed"), { needsYou: false, ended: true }, null)).toHaveLength(1);
});

test("each kind can be switched off", () => {
  expect(titles(lines("running"), lines("stuck"), { needsYou: false, ended: true }, null)).toEqual([]);
  expect(titles(lines("running"), lines("failed"), { needsYou: false, ended: false }, null)).toEqual([]);
});

test("no news: what one looks at, what one did oneself, what was so before, and loops seen for the first time", () => {
  expect(titles(lines("running"), lines("stuck"), both, loopId)).toEqual([]);
  for (const status of ["paused", "stopped", "accepted", "running"] as const) {
    expect(titles(lines("waiting"), lines(status), both, null)).toEqual([]);
  }
  expect(titles(lines("stuck"), lines("stuck", "another"), both, null)).toEqual([]);
  expect(titles(new Map(), lines("stuck"), both, null)).toEqual([]);
});

test("only a plain yes switches a kind on", () => {
  expect(parsePrefs('{"needsYou":true,"ended":"yes"}')).toEqual({ needsYou: true, ended: false });
  for (const text of [null, "", "[]", "null"]) expect(parsePrefs(text)).toEqual({ needsYou: false, ended: false });
});
