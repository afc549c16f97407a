import { expect, test } from "bun:test";
import type { AgentEvent, TurnResult } from "@ralpher/contract";
import { createTurn } from "./turn-writer.ts";

const done: TurnResult = { outcome: "done", text: "", usage: { inputTokens: 1, outputTokens: 1, costUsd: null } };
const delta = (messageId: string, text: string): AgentEvent => ({
  type: "message.delta",
  messageId,
  kind: "text",
  delta: text,
});
const whole = (messageId: string, text: string): AgentEvent => ({
  type: "message.complete",
  messageId,
  kind: "text",
  text,
});
const notice = (text: string): AgentEvent => ({ type: "notice", text });

async function collect(events: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const all: AgentEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

test("a reader that keeps up gets every event by itself", async () => {
  const { turn, emit, finish } = createTurn();
  const iterator = turn[Symbol.asyncIterator]();
  for (const text of ["a", "b", "c"]) {
    const next = iterator.next();
    emit(delta("m", text));
    expect((await next).value).toEqual(delta("m", text));
  }
  const last = iterator.next();
  emit(whole("m", "abc"));
  expect((await last).value).toEqual(whole("m", "abc"));
  finish(done);
  expect((await iterator.next()).done).toBe(true);
  expect(await turn.result).toBe(done);
});

test("deltas of one message that wait for a slow reader join, and nothing is lost or reordered", async () => {
  const { turn, emit, finish } = createTurn();
  emit(notice("first"));
  for (let i = 0; i < 100_000; i++) emit(delta("m", `${i} `));
  const text = Array.from({ length: 100_000 }, (_, i) => `${i} `).join("");
  emit(whole("m", text));
  emit(delta("n", "other"));
  emit(whole("n", "other"));
  finish(done);
  expect(await collect(turn)).toEqual([
    notice("first"),
    delta("m", text),
    whole("m", text),
    delta("n", "other"),
    whole("n", "other"),
  ]);
});

test("a delta that was read is not joined to by a later one", async () => {
  const { turn, emit, finish } = createTurn();
  const iterator = turn[Symbol.asyncIterator]();
  emit(delta("m", "a"));
  const read = (await iterator.next()).value;
  emit(delta("m", "b"));
  finish(done);
  expect(read).toEqual(delta("m", "a"));
  expect((await iterator.next()).value).toEqual(delta("m", "b"));
});

test("whoever stops iterating early still gets the result", async () => {
  const { turn, emit, finish } = createTurn();
  emit(notice("one"));
  emit(notice("two"));
  for await (const event of turn) {
    expect(event).toEqual(notice("one"));
    break;
  }
  emit(notice("three"));
  finish(done);
  expect(await turn.result).toBe(done);
  expect(await collect(turn)).toEqual([]);
});

test("the first result counts, and what follows it is not seen", async () => {
  const { turn, emit, finish } = createTurn();
  finish(done);
  finish({ outcome: "failed", failure: { reason: "unknown", message: "late" }, usage: done.usage });
  emit(notice("late"));
  expect(await turn.result).toBe(done);
  expect(await collect(turn)).toEqual([]);
});

test("what is open when the turn ends is closed with what there is of it", async () => {
  const { turn, emit, finish } = createTurn();
  emit(whole("whole", "whole"));
  emit(delta("part", "so "));
  emit({ type: "tool.start", callId: "call", name: "bash", input: { command: "sleep 1000" } });
  emit(delta("part", "far"));
  finish({ outcome: "failed", failure: { reason: "aborted", message: "" }, usage: done.usage });
  const events = await collect(turn);
  expect(events.slice(4)).toEqual([
    whole("part", "so far"),
    {
      type: "tool.complete",
      tool: {
        id: "call",
        name: "bash",
        input: { command: "sleep 1000" },
        output: "",
        outputBytes: 0,
        status: "error",
        durationMs: expect.any(Number),
      },
    },
  ]);
});
