import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EventBody, type Journal, unknownUsage } from "@ralpher/contract";
import { openJournal } from "@ralpher/store";
import { eventOf, newLoopId, sampleConfig } from "@ralpher/store/conformance";
import { readIterations } from "./iterations.ts";

let folder: string;
let journal: Journal;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ralpher-iterations-"));
  journal = openJournal({ path: join(folder, "ralpher.db") });
});
afterAll(async () => {
  await journal[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const usage = { inputTokens: 5, outputTokens: 1, costUsd: null };
const turn = (iteration: number, attempt: number): EventBody => ({
  type: "loop.turn.start",
  iteration,
  attempt,
  prompt: `attempt ${attempt}`,
});

async function iterationsOf(bodies: EventBody[]) {
  const id = newLoopId();
  const all: EventBody[] = [
    { type: "loop.created", config: sampleConfig(id) },
    { type: "loop.starting" },
    { type: "loop.started", iteration: 1 },
    ...bodies,
  ];
  const view = await journal.append(id, () => all.map((body) => eventOf(id, body)));
  if (view === null) throw new Error("it was made");
  return await readIterations(journal, view);
}

test("an iteration under way has no end yet", async () => {
  const [only, ...others] = await iterationsOf([{ type: "loop.iteration.start", iteration: 1 }]);
  expect(others).toEqual([]);
  expect(only).toMatchObject({ iteration: 1, prompt: null, attempts: 0, usage: unknownUsage });
  expect(only?.outcome).toBeUndefined();
  expect(only?.completedAt).toBeUndefined();
});

test("attempts of one iteration are told as one: the last prompt, all they used, the last failure", async () => {
  const failure = { reason: "server" as const, message: "no" };
  const [only] = await iterationsOf([
    { type: "loop.iteration.start", iteration: 1 },
    turn(1, 1),
    { type: "loop.interrupted", iteration: 1, cause: "asked", reason: "paused", usage },
    turn(1, 2),
    { type: "loop.turn.end", iteration: 1, promised: false, usage, failure },
    { type: "loop.iteration.end", iteration: 1, outcome: "error" },
  ]);
  expect(only).toMatchObject({ attempts: 2, prompt: "attempt 2", failure, outcome: "error" });
  expect(only?.usage).toEqual({ inputTokens: 10, outputTokens: 2, costUsd: null });
});

test("an iteration that another followed without its end counts as interrupted", async () => {
  const [first, second] = await iterationsOf([
    { type: "loop.iteration.start", iteration: 1 },
    turn(1, 1),
    { type: "loop.iteration.start", iteration: 2 },
  ]);
  expect(first).toMatchObject({ outcome: "interrupted", completedAt: expect.any(String) });
  expect(second?.outcome).toBeUndefined();
});
