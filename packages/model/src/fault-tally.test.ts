import { expect, test } from "bun:test";
import { createFaultTally } from "./fault-tally.ts";

test("each key is counted by itself", () => {
  const tally = createFaultTally();
  expect([tally.count("a"), tally.count("a"), tally.count("b")]).toEqual([1, 2, 1]);
});

test("the least recently counted key is forgotten beyond the limit", () => {
  const tally = createFaultTally(2);
  for (const key of ["a", "b", "a", "c"]) tally.count(key);
  expect(tally.count("a")).toBe(3);
  expect(tally.count("b")).toBe(1);
});
