import { expect, test } from "bun:test";
import { foldAll, type LoopSummary, toSummary } from "@ralpher/contract";
import { story } from "../../test/events.ts";
import { filterLoops } from "./filter.ts";

function line(name: string, goal?: string): LoopSummary {
  const view = foldAll(null, story());
  if (view === null) throw new Error("the story makes a loop");
  const summary = toSummary(view);
  return { ...summary, config: { ...summary.config, name, ...(goal === undefined ? {} : { goal }) } };
}
const names = (text: string, ...loops: LoopSummary[]) => filterLoops(loops, text).map(({ config }) => config.name);

test("[R-WEB-1] the filter looks at name, folder, goal and state; all words must be there", () => {
  const loops = [line("alpha", "Fix the types"), line("beta", "Raise the coverage")];
  expect(names("TYPES", ...loops)).toEqual(["alpha"]);
  expect(names("parser running", ...loops)).toEqual(["alpha", "beta"]);
  expect(names("parser coverage beta", ...loops)).toEqual(["beta"]);
  expect(names("accepted", ...loops)).toEqual([]);
});

test("an empty filter keeps all, also lines without a goal", () => {
  expect(names(" ", line("alpha"))).toEqual(["alpha"]);
});
