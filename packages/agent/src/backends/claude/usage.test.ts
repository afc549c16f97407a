import { expect, test } from "bun:test";
import type { ModelUsage } from "@anthropic-ai/claude-agent-sdk";
import { unknownUsage } from "@ralpher/contract";
import { createLedger } from "./ledger.ts";
import { sumAnswers, usageBetween } from "./usage.ts";

const total = (
  inputTokens: number,
  outputTokens: number,
  costUSD: number,
  more: Partial<ModelUsage> = {},
): ModelUsage => ({
  inputTokens,
  outputTokens,
  costUSD,
  cacheReadInputTokens: 0,
  cacheCreationInputTokens: 0,
  webSearchRequests: 0,
  contextWindow: 200_000,
  maxOutputTokens: 32_000,
  ...more,
});

test("a turn's use is the difference of the sums, over all models; cached tokens are input", () => {
  const before = { big: total(100, 20, 0.3) };
  const after = {
    big: total(150, 30, 0.5, { cacheReadInputTokens: 1000, cacheCreationInputTokens: 500 }),
    small: total(10, 5, 0.01),
  };
  expect(usageBetween(before, after)).toEqual({ inputTokens: 1560, outputTokens: 15, costUsd: 0.21 });
});

test("a guessed price is unknown, but only in turns that used that model", () => {
  const guessed = total(10, 5, 0.01, { costBasis: "unknown" });
  expect(usageBetween({}, { own: guessed })).toEqual({ inputTokens: 10, outputTokens: 5, costUsd: null });
  expect(usageBetween({ own: guessed }, { own: guessed, big: total(10, 5, 0.2) })).toEqual({
    inputTokens: 10,
    outputTokens: 5,
    costUsd: 0.2,
  });
});

test("where nothing was used nothing is known, and sums that do not continue each other say nothing", () => {
  const sums = { big: total(100, 20, 0.3) };
  expect(usageBetween(sums, sums)).toEqual(unknownUsage);
  expect(usageBetween(sums, { big: total(50, 20, 0.3) })).toBeNull();
  expect(usageBetween(sums, {})).toBeNull();
});

test("the answers of a turn add up; their cost is told later", () => {
  expect(sumAnswers([])).toEqual(unknownUsage);
  expect(
    sumAnswers([
      { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 3 },
      { input_tokens: 1, cache_creation_input_tokens: null, output_tokens: 1 },
    ]),
  ).toEqual({ inputTokens: 16, outputTokens: 4, costUsd: null });
});

test("after a process that wrote nothing down one turn is unknown, and the next is known again", () => {
  const ledger = createLedger();
  expect(ledger.enter({ big: total(100, 20, 0.3) })).toMatchObject({ costUsd: 0.3 });
  ledger.lose();
  expect(ledger.enter({ big: total(100, 20, 0.3) })).toBeNull();
  expect(ledger.enter({ big: total(200, 40, 0.7) })).toMatchObject({ costUsd: 0.4 });
});

test("what is left of a limit", () => {
  const ledger = createLedger();
  ledger.enter({ big: total(100, 20, 0.3) });
  expect(ledger.left(undefined)).toBeUndefined();
  expect(ledger.left(1)).toBeCloseTo(0.7);
  expect(ledger.left(0.2)).toBe(0);
});
