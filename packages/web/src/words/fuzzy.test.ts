import { expect, test } from "bun:test";
import { fuzzyFind, fuzzyScore } from "./fuzzy.ts";

const find = (typed: string, things: string[]) => fuzzyFind(typed, things, (thing) => thing);

test("[R-WEB-7] the beginning goes before the beginning of a word, that before the middle, that before loose letters", () => {
  expect(find("par", ["xparx", "p-a-r", "the parser", "parser", "nothing"])).toEqual([
    "parser",
    "the parser",
    "xparx",
    "p-a-r",
  ]);
});

test("every word typed must be there, in any order and case", () => {
  expect(find("LOOP new", ["New loop", "Loops", "New"])).toEqual(["New loop"]);
});

test("of two that answer alike the shorter comes first; without words all stay in their order", () => {
  expect(find("fix", ["fix the types", "fix"])).toEqual(["fix", "fix the types"]);
  expect(find("  ", ["b", "a"])).toEqual(["b", "a"]);
});

test("letters too far apart are chance", () => {
  expect(fuzzyScore("ac", "a stop that is very long, then c")).toBeNull();
});
