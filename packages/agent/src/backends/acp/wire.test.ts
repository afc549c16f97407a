import { expect, test } from "bun:test";
import { splitLines } from "./wire.ts";

const split = (...pieces: string[]) => {
  const lines: string[] = [];
  const feed = splitLines((line) => lines.push(line));
  for (const piece of pieces) feed(piece);
  return lines;
};

test("lines come whole, however the text was cut", () => {
  expect(split('{"a":', "1}\n", '{"b":2}\n{"c"', ":3}\n\r\n  \n", "rest")).toEqual(['{"a":1}', '{"b":2}', '{"c":3}']);
});

test("a line that never ends is not kept for ever", () => {
  const piece = "x".repeat(2 ** 20);
  expect(() => split(...Array.from({ length: 100 }, () => piece))).toThrow();
});
