import { expect, test } from "bun:test";
import { foldAll, type LoopSummary, toSummary } from "@ralpher/contract";
import { loopId, story } from "../../test/events.ts";
import { paletteGroups } from "./commands.ts";

function loop(name: string, id = loopId): LoopSummary {
  const view = foldAll(null, story());
  if (view === null) throw new Error("the story makes a loop");
  const line = toSummary(view);
  return { ...line, config: { ...line.config, name, id } };
}
const other = "22222222-2222-4222-8222-222222222222" as typeof loopId;
const labels = (typed: string, loops: LoopSummary[], here: LoopSummary | null = null) =>
  paletteGroups(typed, loops, here).flatMap(({ items }) => items.map(({ label }) => label));

test("[R-WEB-7] empty, it offers the pages, the loops and the looks", () => {
  expect(paletteGroups("", [loop("parser")], null).map(({ title }) => title)).toEqual(["Go to", "Loops", "Looks"]);
});

test("[R-WEB-7] the actions of the loop at hand come first, and only those that fit its state", () => {
  const here = loop("parser");
  const [first] = paletteGroups("", [here], here);
  expect(first?.title).toBe("“parser”");
  const offered = first?.items.map(({ label }) => label) ?? [];
  expect(offered.slice(0, 2)).toEqual(["Pause", "Stop"]);
  expect(offered).toContain("Duplicate");
  expect(offered).not.toContain("Accept");
});

test("[R-WEB-7] loops are found by name or folder, loosely", () => {
  const loops = [loop("parser"), loop("web rewrite", other)];
  expect(labels("rewr", loops)[0]).toBe("web rewrite");
  expect(labels("wbrw", loops)).toContain("web rewrite");
  expect(labels("/home/ada", loops)).toEqual(["parser", "web rewrite"]);
});

test("[R-WEB-7] what answers best stands on top, whatever its kind", () => {
  expect(labels("sett", [loop("reset the types")])[0]).toBe("Settings");
  expect(labels("theme dark", [])).toEqual(["Theme: dark"]);
  expect(labels("zzzz", [loop("parser")])).toEqual([]);
});
