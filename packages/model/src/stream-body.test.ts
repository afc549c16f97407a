import { expect, test } from "bun:test";
import { gap } from "./api.ts";
import { batchFrames } from "./stream-body.ts";

const calm = { deltaDelayMs: 0, ending: "whole" as const, signal: new AbortController().signal };

test("a client that does not read is not sent to: nothing piles up", async () => {
  let made = 0;
  function* frames() {
    for (;;) {
      made += 1;
      yield gap;
      yield "x".repeat(1024);
    }
  }
  const body = batchFrames(frames(), calm);
  const first = await body.next();
  expect(first.value?.length).toBe(64 * 1024);
  expect(made).toBe(64);
  await body.next();
  expect(made).toBe(128);
  await body.return(undefined);
});

test("many small frames leave in few writes", async () => {
  const frames = Array.from({ length: 10_000 }, () => "data: x\n\n");
  let writes = 0;
  for await (const _ of batchFrames(frames, calm)) writes += 1;
  expect(writes).toBe(2);
});

test("with a delay each delta leaves by itself", async () => {
  const sent: string[] = [];
  const frames = ["start ", gap, "a ", gap, "b ", "end"] as const;
  for await (const bytes of batchFrames(frames, { ...calm, deltaDelayMs: 1 }))
    sent.push(new TextDecoder().decode(bytes));
  expect(sent).toEqual(["start a ", "b end"]);
});

test("a client that leaves ends the wait for the next delta", async () => {
  const frames = [gap, "a", gap, "b"] as const;
  const leave = new AbortController();
  const body = batchFrames(frames, { ...calm, deltaDelayMs: 2 ** 30, signal: leave.signal });
  await body.next();
  const next = body.next();
  leave.abort();
  await expect(next).rejects.toThrow("unfinished");
});
