import { expect, test } from "bun:test";
import { createKeyedMutex } from "./keyed-mutex.ts";

test("tasks of one key run one after the other, also after one that failed", async () => {
  const mutex = createKeyedMutex();
  const seen: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = mutex.run("a", async () => {
    seen.push("first begins");
    await gate.promise;
    seen.push("first ends");
    throw new Error("failed");
  });
  const second = mutex.run("a", async () => seen.push("second"));
  await mutex.run("b", async () => seen.push("another key"));
  gate.resolve();
  await expect(first).rejects.toThrow("failed");
  await second;
  expect(seen).toEqual(["first begins", "another key", "first ends", "second"]);
});
