import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unknownUsage } from "@ralpher/contract";
import { createTurnQueue } from "./turn-queue.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "ralpher-queue-"));
});
afterAll(() => rm(directory, { recursive: true }));

test("a turn begins when the one before it is over, and all are waited for", async () => {
  const seen: string[] = [];
  const isFirstBegun = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const turns = createTurnQueue({ directory }, async (writer, prompt) => {
    seen.push(`${prompt} begins`);
    if (prompt === "one") {
      isFirstBegun.resolve();
      await mayEnd.promise;
    }
    seen.push(`${prompt} ends`);
    writer.finish({ outcome: "done", text: prompt, usage: unknownUsage });
  });
  const both = [turns.add("one"), turns.add("two")];
  await isFirstBegun.promise;
  expect(seen).toEqual(["one begins"]);
  mayEnd.resolve();
  await turns.settled();
  expect(seen).toEqual(["one begins", "one ends", "two begins", "two ends"]);
  expect(await Promise.all(both.map(({ result }) => result))).toMatchObject([{ text: "one" }, { text: "two" }]);
});

test.each(["nowhere", "file", "file/below"])(
  "in a folder that is not there (%s) no turn begins, and that is told as missing",
  async (name) => {
    await writeFile(join(directory, "file"), "");
    const path = join(directory, name);
    const begun: string[] = [];
    const turns = createTurnQueue({ directory: path }, async (_, prompt) => void begun.push(prompt));
    expect(await turns.add("work").result).toEqual({
      outcome: "failed",
      failure: { reason: "missing", message: `There is no folder ${path}.` },
      usage: unknownUsage,
    });
    expect(begun).toEqual([]);
  },
);
