import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentEvent, type ConversationRequest, isFault, type TurnResult } from "@ralpher/contract";
import { z } from "zod";
import { createScriptedBackend } from "./backends/scripted/backend.ts";
import type { ScriptedTurn } from "./backends/scripted/play.ts";
import { listCaptures, readCapture } from "./capture/read-captures.ts";
import { createConversations } from "./conversations.ts";
import { readOnly } from "./tools/access.ts";

let root: string;
let stages = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "ralpher-conversations-"));
});
afterAll(() => rm(root, { recursive: true }));

const usage = { inputTokens: 10, outputTokens: 2, costUsd: null };

/** Conversations with an agent that answers as the function says, and what is asked of them. */
function stage(answer: (turn: ScriptedTurn) => TurnResult | Promise<TurnResult>, env: Record<string, string> = {}) {
  const turns: ScriptedTurn[] = [];
  const events: AgentEvent[] = [];
  const backend = createScriptedBackend({
    env,
    async *play(turn) {
      turns.push(turn);
      yield { type: "notice", text: `asked: ${turn.prompt}` };
      return await answer(turn);
    },
  });
  const outputs = join(root, `${stages++}`);
  const conversations = createConversations({ backends: new Map([["scripted", backend]]), outputs });
  const request = (more: Partial<ConversationRequest> = {}): ConversationRequest => ({
    backend: { type: "scripted", mode: "spawn" },
    agentType: "narrow",
    directory: root,
    role: "orient",
    title: "Orient",
    group: "loop-1",
    idleTimeoutMs: 60_000,
    signal: new AbortController().signal,
    onEvent: (event) => events.push(event),
    ...more,
  });
  return { conversations, request, turns, events, outputs };
}

const done = (text: string, structured?: unknown): TurnResult => ({
  outcome: "done",
  text,
  ...(structured === undefined ? {} : { structured }),
  usage,
});

const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

test("[A-NARROW-1] a prompt with a schema gives a typed value, and is captured with its group", async () => {
  const { conversations, request, turns, events, outputs } = stage(() => done("Here.", { count: 2 }));
  {
    await using asking = conversations.open(request());
    const answer = await asking.ask("count", z.object({ count: z.int(), note: z.string().default("none") }));
    const count: number = answer.output.count;
    expect(answer).toEqual({ text: "Here.", output: { count, note: "none" } });
    expect(count).toBe(2);
    expect(asking.usage).toEqual(usage);
  }
  expect(turns[0]?.options.output).toMatchObject({ type: "object", required: ["count"] });
  expect(events.map(({ type }) => type)).toEqual(["session.start", "notice"]);
  const [capture, ...others] = await listCaptures(join(outputs, "loop-1"));
  expect(others).toEqual([]);
  expect(capture?.header).toMatchObject({ agentType: "narrow", role: "orient", title: "Orient", backend: "scripted" });
  expect(capture).toMatchObject({ ended: true, outcome: "done", usage });
});

test("[A-WALK-1] several prompts share one context and one capture, and their usage is summed as it grows", async () => {
  const { conversations, request, turns, outputs } = stage(({ prompts }) => done(prompts.join("+")));
  const used: unknown[] = [];
  {
    await using asking = conversations.open(request({ agentType: "walk" }));
    for (const prompt of ["one", "two", "three"]) {
      const answer = await asking.ask(prompt);
      expect(answer.output).toBeUndefined();
      used.push([answer.text, asking.usage.inputTokens]);
    }
  }
  expect(used).toEqual([
    ["one", 10],
    ["one+two", 20],
    ["one+two+three", 30],
  ]);
  expect(new Set(turns.map(({ sessionId }) => sessionId)).size).toBe(1);
  const [capture] = await listCaptures(outputs);
  const records = await Array.fromAsync(readCapture(capture?.path ?? ""));
  expect(records.flatMap((record) => (record.type === "prompt" ? [record.text] : []))).toEqual(["one", "two", "three"]);
  expect(capture?.header.agentType).toBe("walk");
});

test("[A-OUT-2, A-OUT-3] an answer of another form is refused with its paths, once, and what it used is counted", async () => {
  const { conversations, request, turns } = stage(() => done("Here.", { count: "two" }));
  await using asking = conversations.open(request());
  const error = await caught(asking.ask("count", z.object({ count: z.int() })));
  expect(isFault(error, "output_invalid") && error.data.issues.map(({ path }) => path)).toEqual(["count"]);
  expect(turns).toHaveLength(1);
  expect(asking.usage).toEqual(usage);
});

test("an abort ends the prompt under way as aborted, and those after it", async () => {
  const controller = new AbortController();
  const { conversations, request } = stage(async ({ signal }) => {
    controller.abort();
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    return done("too late");
  });
  await using asking = conversations.open(request({ signal: controller.signal }));
  for (const prompt of ["work", "more"]) {
    const error = await caught(asking.ask(prompt));
    expect(isFault(error, "turn_failed") && error.data.failure.reason).toBe("aborted");
  }
});

test("what the listener throws ends the conversation and comes through", async () => {
  const { conversations, request } = stage(() => done("Here."));
  await using asking = conversations.open(
    request({
      onEvent() {
        throw new Error("cannot hear");
      },
    }),
  );
  expect(await caught(asking.ask("work"))).toEqual(new Error("cannot hear"));
});

test("tools, model and folder reach the agent as asked", async () => {
  const { conversations, request, turns } = stage(() => done("Here."));
  const tools = readOnly(["bun test"]);
  const model = { providerID: "test", modelID: "small" };
  await using asking = conversations.open(request({ tools, model }));
  await asking.ask("look");
  expect(turns[0]?.request).toMatchObject({ tools, model, directory: root, role: "orient" });
});

test("the environment's secrets are in no event", async () => {
  const { conversations, request, events } = stage(() => done("Here."), { MY_API_KEY: "hunter2-hunter2" });
  await using asking = conversations.open(request());
  await asking.ask("say hunter2-hunter2");
  expect(JSON.stringify(events)).toContain("asked: say [redacted MY_API_KEY]");
});

test("the environment's secrets are in no answer, which is kept and told to others", async () => {
  const secret = "hunter2-hunter2";
  const answer = () => done(`It is ${secret}.`, { learned: [`use ${secret}`] });
  const { conversations, request } = stage(answer, { MY_API_KEY: secret });
  await using asking = conversations.open(request());
  const { text, output } = await asking.ask("what?", z.object({ learned: z.array(z.string()) }));
  expect([text, output]).toEqual(["It is [redacted MY_API_KEY].", { learned: ["use [redacted MY_API_KEY]"] }]);
});

test("a backend that is not there is a fault that names those that are", () => {
  const { conversations, request } = stage(() => done("Here."));
  expect(() => conversations.open(request({ backend: { type: "acp", mode: "spawn" } }))).toThrow("scripted");
});
