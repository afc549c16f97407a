import { expect, test } from "bun:test";
import { firstHalf, splitEvenly, splitWords } from "./deltas.ts";

test("word-sized deltas joined are the text, white space and all", () => {
  for (const text of ["", " ", "one", "  two\n\nwords  ", "a b c d", "ä 🎉 ☃\n"]) {
    expect(splitWords(text).join("")).toBe(text);
  }
  expect(splitWords("I will write it")).toEqual(["I ", "will ", "write ", "it"]);
});

test("a long text has at most 64 deltas", () => {
  const text = "word ".repeat(10_000);
  expect(splitWords(text).length).toBeLessThanOrEqual(64);
  expect(splitWords(text).join("")).toBe(text);
});

test("pieces never part a surrogate pair", () => {
  const text = "🎉".repeat(500);
  const pieces = splitEvenly(`x${text}`);
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.join("")).toBe(`x${text}`);
  expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
  expect(firstHalf(["🎉"]).every((piece) => piece.isWellFormed())).toBe(true);
});

test("the first half of one delta is half its text", () => {
  expect(firstHalf(["abcd"])).toEqual(["ab"]);
  expect(firstHalf(["a", "b", "c", "d"])).toEqual(["a", "b"]);
  expect(firstHalf([])).toEqual([]);
});
