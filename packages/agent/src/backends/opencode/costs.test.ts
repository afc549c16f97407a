import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { hear, openStage, type Stage } from "./stage.fixture.ts";

setDefaultTimeout(60_000);

const write = (filePath: string) => ({ name: "write", input: { filePath, content: "x" } });
// What one answer costs: 100 tokens in, 20 out.
const price = { input: 3, output: 15 };
const answerUsd = 0.0006;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({
    price,
    conversations: [
      { when: "work", steps: [...["a", "b", "c"].map((file) => ({ tools: [write(file)] })), { text: "Worked." }] },
      {
        when: "delegate",
        steps: [
          { tools: [{ name: "task", input: { description: "Help", prompt: "work", subagent_type: "general" } }] },
          { text: "Delegated." },
        ],
      },
      { steps: [{ text: "Hello." }] },
    ],
  });
});
afterAll(() => stage[Symbol.asyncDispose]());

const requestsOf = (sessionId: string) => stage.model.requests.filter(({ session }) => session === sessionId).length;

test("a turn that has cost more than it may is ended as budget, and so is the next of its session", async () => {
  await using session = stage.backend.open(await stage.request({ costLimitUsd: 1.5 * answerUsd }));
  const { events, result } = await hear(session.turn("work"));
  expect(result).toMatchObject({ outcome: "failed", failure: { reason: "budget" } });
  expect(result.usage.costUsd).toBeCloseTo(2 * answerUsd, 6);
  const id = events[0]?.type === "session.start" ? events[0].session.id : "";
  const asked = requestsOf(id);
  const next = await hear(session.turn("hello"));
  expect(next.result).toMatchObject({ outcome: "failed", failure: { reason: "budget" }, usage: { costUsd: null } });
  expect(requestsOf(id)).toBe(asked);
});

test("an answer that is whole is not thrown away for its price", async () => {
  await using session = stage.backend.open(await stage.request({ costLimitUsd: 0.5 * answerUsd }));
  expect((await hear(session.turn("hello"))).result).toMatchObject({ outcome: "done", text: "Hello." });
  expect((await hear(session.turn("hello"))).result).toMatchObject({ failure: { reason: "budget" } });
});

test("each answer is followed by what was used so far, the subagents' answers too", async () => {
  const { events, result } = await stage.run("delegate");
  const told = events.flatMap((event) => (event.type === "usage" ? [event] : []));
  expect(told.map(({ answers }) => answers)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(told.at(-1)?.usage).toEqual(result.usage);
  expect(result.usage).toMatchObject({ inputTokens: 600, outputTokens: 120 });
  expect(result.usage.costUsd).toBeCloseTo(6 * answerUsd, 6);
});

test("a turn costs what it costs itself, not what its session has cost", async () => {
  await using session = stage.backend.open(await stage.request());
  for (const _ of ["once", "again"]) {
    const { result } = await hear(session.turn("hello"));
    expect(result.usage.costUsd).toBeCloseTo(answerUsd, 6);
  }
});
