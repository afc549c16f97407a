import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LoopId } from "@ralpher/contract";
import { createCaptures } from "./captures.ts";
import { listCaptures } from "./read-captures.ts";

const loopId = LoopId.parse("00000000-0000-4000-8000-000000000001");
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "ralpher-captures-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const textOf = async (pieces: AsyncIterable<string>) => (await Array.fromAsync(pieces)).join("");

test("what is taken in is a loop's when it is kept, and nobody's before", async () => {
  const captures = createCaptures(join(root, "kept"));
  expect(await captures.list(loopId)).toEqual([]);
  const header = {
    type: "header",
    version: 1,
    at: "2026-01-01T00:00:00.000Z",
    id: "x",
    agentType: "loop",
    backend: "scripted",
    directory: "/",
    title: "t",
    promptSummary: "p",
  };
  {
    await using intake = captures.openIntake();
    await intake.write("b.jsonl", `${JSON.stringify(header)}\n`);
    await intake.write("a.jsonl", "Grü");
    await intake.write("a.jsonl", "ße");
    expect(await captures.list(loopId)).toEqual([]);
    expect(await listCaptures(join(root, "kept"))).toEqual([]);
    await intake.keep(loopId);
  }
  expect(await captures.list(loopId)).toEqual(["a.jsonl", "b.jsonl"]);
  expect(await textOf(captures.read(loopId, "a.jsonl"))).toBe("Grüße");
  expect(await textOf(captures.read(loopId, "gone.jsonl"))).toBe("");
  expect(await listCaptures(join(root, "kept"))).toHaveLength(1);
  await captures.remove(loopId);
  expect(await captures.list(loopId)).toEqual([]);
});

test("what is not kept is gone, and what a dead process left is cleared away one day", async () => {
  const home = join(root, "not-kept");
  const captures = createCaptures(home);
  await mkdir(join(home, ".intake-old"), { recursive: true });
  await mkdir(join(home, ".intake-new"));
  await writeFile(join(home, ".intake-old", "a.jsonl"), "");
  await utimes(join(home, ".intake-old"), 0, 0);
  {
    await using intake = captures.openIntake();
    await intake.write("a.jsonl", "text");
  }
  expect(await readdir(home)).toEqual([".intake-new"]);
});
