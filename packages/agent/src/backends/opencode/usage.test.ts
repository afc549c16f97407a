import { expect, test } from "bun:test";
import { unknownUsage } from "@ralpher/contract";
import { sumUsage } from "./usage.ts";

const message = (cost: number, input: number, output: number, reasoning = 0, read = 0, write = 0) => ({
  cost,
  tokens: { input, output, reasoning, cache: { read, write } },
});

test("what came from a cache is input, and reasoning is output", () => {
  expect(sumUsage([message(0.25, 10, 20, 3, 400, 50), message(0.5, 1, 2)])).toEqual({
    inputTokens: 461,
    outputTokens: 25,
    costUsd: 0.75,
  });
});

test("a cost of nothing is an unknown cost, and no tokens at all are unknown tokens", () => {
  expect(sumUsage([message(0, 10, 20)])).toEqual({ inputTokens: 10, outputTokens: 20, costUsd: null });
  expect(sumUsage([message(0, 0, 0)])).toEqual(unknownUsage);
  expect(sumUsage([])).toEqual(unknownUsage);
});
