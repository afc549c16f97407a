import { expect, test } from "bun:test";
import type { IterationDetail } from "@ralpher/contract";
import { timeOf } from "../../test/events.ts";
import { addIterations, type KnownIterations } from "./iterations-feed.ts";

const usage = { inputTokens: null, outputTokens: null, costUsd: null };
const detail = (iteration: number, more: Partial<IterationDetail> = {}): IterationDetail => ({
  iteration,
  seq: iteration * 10,
  startedAt: timeOf(iteration),
  messageCount: 1,
  toolCallCount: 1,
  usage,
  prompt: "go",
  attempts: 1,
  commits: [],
  ...more,
});
const none: KnownIterations = {
  newestFirst: [],
  byNumber: new Map(),
  reachesFirst: false,
  begun: false,
  load: "idle",
};

test("[R-WEB-3] iterations are listed newest first, however their pages came", () => {
  const known = addIterations(addIterations(none, [detail(5), detail(6)]), [detail(3), detail(4)]);
  expect(known.newestFirst.map(({ iteration }) => iteration)).toEqual([6, 5, 4, 3]);
  expect(known.reachesFirst).toBe(false);
  expect(addIterations(known, [detail(1), detail(2)]).reachesFirst).toBe(true);
});

test("a newer word about an iteration takes the older one's place", () => {
  const open = addIterations(none, [detail(1)]);
  const ended = addIterations(open, [detail(1, { outcome: "continue" })]);
  expect(ended.newestFirst).toHaveLength(1);
  expect(ended.byNumber.get(1)?.outcome).toBe("continue");
});
