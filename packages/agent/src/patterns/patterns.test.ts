import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AgentEvent,
  type CaptureRecord,
  Fault,
  type FaultCode,
  type TurnFailure,
  type TurnResult,
} from "@ralpher/contract";
import { z } from "zod";
import { createScriptedBackend } from "../backends/scripted/backend.ts";
import type { ScriptedTurn } from "../backends/scripted/play.ts";
import { listCaptures, readCapture } from "../capture/read-captures.ts";
import { bookend } from "./bookend.ts";
import type { Invocation } from "./invocation.ts";
import { narrow } from "./narrow.ts";
import { startWalk, walk } from "./walk.ts";

let root: string;
let folders = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "ralpher-patterns-"));
});
afterAll(() => rm(root, { recursive: true }));

const usage = { inputTokens: 10, outputTokens: 2, costUsd: 0.5 };
const done = (text: string, structured?: unknown): TurnResult => ({
  outcome: "done",
  text,
  ...(structured === undefined ? {} : { structured }),
  usage,
});
const failed = (failure: TurnFailure): TurnResult => ({ outcome: "failed", failure, usage });

type Answering = (turn: ScriptedTurn, count: number) => TurnResult | AgentEvent[] | [...AgentEvent[], TurnResult];

/** An invocation whose agent answers as the function says; `count` numbers its turns from 1. */
function invocation(answering: Answering): Invocation & { turns: ScriptedTurn[] } {
  const turns: ScriptedTurn[] = [];
  const backend = createScriptedBackend({
    async *play(turn) {
      turns.push(turn);
      const answer = answering(turn, turns.length);
      if (!Array.isArray(answer)) return answer;
      for (const event of answer) {
        if ("outcome" in event) return event;
        yield event;
      }
      await new Promise((resolve) => turn.signal.addEventListener("abort", resolve, { once: true }));
      return done("too late");
    },
  });
  return { backend, directory: root, outputs: join(root, `outputs-${folders++}`), retryDelayMs: 1, turns };
}

async function faultOf<C extends FaultCode>(code: C, promise: Promise<unknown>): Promise<Fault<C>> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof Fault && error.code === code) return error as Fault<C>;
  throw new Error(`expected ${code}`, { cause: error });
}

async function recordsIn(folder: string): Promise<CaptureRecord[]> {
  const [one, ...more] = await listCaptures(folder);
  if (one === undefined || more.length > 0) throw new Error(`there are ${more.length + (one ? 1 : 0)} captures`);
  return await Array.fromAsync(readCapture(one.path));
}

const answers = (n: number, costUsd: number | null = null): AgentEvent => ({
  type: "usage",
  answers: n,
  usage: { inputTokens: n, outputTokens: n, costUsd },
});
const toolStart: AgentEvent = { type: "tool.start", callId: "1", name: "read", input: {} };

test("[A-NARROW-1, A-OUT-1] a prompt and a schema give a typed value", async () => {
  const asked = invocation(() => done("Here.", { count: 2, kind: "b" }));
  const answer = await narrow({
    ...asked,
    prompt: "count",
    output: z.object({ count: z.int(), kind: z.enum(["a", "b"]), note: z.string().default("none") }),
  });
  const kind: "a" | "b" = answer.output.kind;
  expect([answer.output.count, kind, answer.output.note]).toEqual([2, "b", "none"]);
  expect(answer).toMatchObject({ text: "Here.", usage, failedAttempts: [] });
  expect(asked.turns[0]?.options.output).toMatchObject({ type: "object", required: ["count", "kind"] });
});

test("[A-OUT-2, A-OUT-3] an answer of another form is refused with its paths, and the agent is not asked again", async () => {
  const asked = invocation(() => done("Here.", { count: "two" }));
  const output = z.object({ count: z.int(), kind: z.enum(["a", "b"]) });
  const fault = await faultOf("output_invalid", narrow({ ...asked, prompt: "count", output }));
  expect(fault.data).toMatchObject({ issues: [{ path: "count" }, { path: "kind" }], output: { count: "two" } });
  expect(asked.turns).toHaveLength(1);
  expect((await recordsIn(asked.outputs)).map(({ type }) => type)).toEqual([
    "header",
    "prompt",
    "session",
    "outcome",
    "end",
  ]);
});

test("[A-WALK-1, A-WALK-2] the prompts of a walk share a context, and their answers come in order", async () => {
  const asked = invocation(({ prompts }) => done(prompts.join("+"), { n: prompts.length }));
  const { answers, usage: whole } = await walk({
    ...asked,
    prompts: ["one", { prompt: "two", output: z.object({ n: z.int() }) }, "three"],
  });
  const n: number = answers[1].output.n;
  expect(n).toBe(2);
  expect(answers.map(({ text }) => text)).toEqual(["one", "one+two", "one+two+three"]);
  expect(whole).toEqual({ inputTokens: 30, outputTokens: 6, costUsd: 1.5 });
});

test("[A-WALK-3] a walk whose next prompt depends on the last answer is captured when it ends", async () => {
  const asked = invocation(({ prompt }) => done(`${prompt}!`));
  await using talk = startWalk(asked);
  const { text } = await talk.ask("go");
  await talk.ask(text);
  const { capture } = await talk.end();
  expect(talk.answers.map(({ prompt }) => prompt)).toEqual(["go", "go!"]);
  expect(capture).not.toBeNull();
  const records = await recordsIn(asked.outputs);
  expect(records.flatMap((record) => (record.type === "prompt" ? [record.text] : []))).toEqual(["go", "go!"]);
  expect(records.at(-1)).toMatchObject({ type: "end", usage: { inputTokens: 20 } });
});

test("[A-BOOK-1, A-BOOK-2, A-BOOK-3] set-up, work and wrap-up run in this order in one context and one capture", async () => {
  const asked = invocation(({ prompts }) => done(`${prompts.length}`, { ok: true }));
  const { setUp, work, wrapUp } = await bookend({
    ...asked,
    role: "executor",
    setUp: ["read the task", "look around"],
    prompt: "do it",
    output: z.object({ ok: z.boolean() }),
    wrapUp: ["what did you learn?"],
  });
  expect([...setUp, work, ...wrapUp].map(({ text }) => text)).toEqual(["1", "2", "3", "4"]);
  expect(work.output.ok).toBe(true);
  const records = await recordsIn(asked.outputs);
  expect(records[0]).toMatchObject({
    type: "header",
    agentType: "bookend",
    role: "executor",
    promptSummary: "read the task",
  });
  expect(records.filter(({ type }) => type === "prompt")).toHaveLength(4);
});

test("after a failed prompt the rest is not sent, and what was said is captured", async () => {
  const asked = invocation((_, count) => (count === 2 ? failed({ reason: "auth", message: "no" }) : done("yes")));
  await faultOf("turn_failed", walk({ ...asked, prompts: ["one", "two", "three"] }));
  expect(asked.turns.map(({ prompt }) => prompt)).toEqual(["one", "two"]);
  expect((await recordsIn(asked.outputs)).at(-2)).toMatchObject({ type: "outcome", failure: { reason: "auth" } });
});

test("[A-ERR-1] what fails in passing is tried again, and the answer tells of the attempts", async () => {
  const asked = invocation((_, count) =>
    count < 3 ? failed({ reason: "server", message: `no ${count}` }) : done("yes"),
  );
  const notices: string[] = [];
  const onEvent = (event: AgentEvent) => event.type === "notice" && notices.push(event.text);
  const answer = await narrow({ ...asked, prompt: "go", onEvent });
  expect(answer.failedAttempts.map(({ message }) => message)).toEqual(["no 1", "no 2"]);
  expect(answer.usage).toEqual({ inputTokens: 30, outputTokens: 6, costUsd: 1.5 });
  expect(notices).toHaveLength(2);
  // Nothing was answered yet, so each attempt is a fresh context.
  expect(new Set(asked.turns.map(({ sessionId }) => sessionId)).size).toBe(3);
});

test("once something was answered, another attempt is made in the same context", async () => {
  const asked = invocation((_, count) =>
    count === 2 ? failed({ reason: "connection", message: "cut" }) : done("yes"),
  );
  const { answers } = await walk({ ...asked, prompts: ["one", "two"] });
  expect(answers[1].failedAttempts).toHaveLength(1);
  expect(new Set(asked.turns.map(({ sessionId }) => sessionId)).size).toBe(1);
});

test("[A-ERR-3] after the third attempt the last cause and every attempt come to the surface", async () => {
  const asked = invocation((_, count) =>
    failed({ reason: count === 3 ? "timeout" : "server", message: `no ${count}` }),
  );
  const fault = await faultOf("turn_failed", narrow({ ...asked, prompt: "go" }));
  expect(asked.turns).toHaveLength(3);
  expect(fault.data.failure).toMatchObject({ reason: "timeout", message: "no 3" });
  expect(fault.data.attempts.map(({ reason, message }) => [reason, message])).toEqual([
    ["server", "no 1"],
    ["server", "no 2"],
    ["timeout", "no 3"],
  ]);
  const times = fault.data.attempts.map(({ at }) => Date.parse(at));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

test("attempts that the agent made by itself are not made once more", async () => {
  const attempts = [1, 2, 3].map((n) => ({
    at: new Date().toISOString(),
    reason: "server" as const,
    message: `own ${n}`,
  }));
  const asked = invocation(() => failed({ reason: "server", message: "own 3", attempts }));
  const fault = await faultOf("turn_failed", narrow({ ...asked, prompt: "go" }));
  expect(asked.turns).toHaveLength(1);
  expect(fault.data.attempts).toEqual(attempts);
  expect(asked.turns[0]?.request.attempts).toBe(3);
});

test("[A-ERR-2] what a human must mend is tried once", async () => {
  const asked = invocation(() => failed({ reason: "auth", message: "wrong key" }));
  const fault = await faultOf("turn_failed", narrow({ ...asked, prompt: "go" }));
  expect(asked.turns).toHaveLength(1);
  expect(fault.message).toContain("wrong key");
});

test("an abort ends the turn, or the wait for the next attempt", async () => {
  const inTurn = new AbortController();
  const talking = invocation(() => [{ type: "notice", text: "I think" }]);
  const onEvent = (event: AgentEvent) => event.type === "notice" && inTurn.abort();
  const one = await faultOf("turn_failed", narrow({ ...talking, prompt: "go", signal: inTurn.signal, onEvent }));
  expect(one.data.failure.reason).toBe("aborted");
  const inWait = new AbortController();
  const waiting = invocation(() => failed({ reason: "rate_limited", message: "later", retryAfterMs: 60_000 }));
  const abort = (event: AgentEvent) => event.type === "notice" && inWait.abort();
  const two = await faultOf("turn_failed", narrow({ ...waiting, prompt: "go", signal: inWait.signal, onEvent: abort }));
  expect(two.data.failure.reason).toBe("aborted");
});

test("an agent that goes on after its last answer is ended, and one that is done is not", async () => {
  const greedy = invocation(() => [answers(1), toolStart, answers(2), { ...toolStart, callId: "2" }]);
  const fault = await faultOf("turn_failed", narrow({ ...greedy, prompt: "go", budget: { turns: 2 } }));
  expect(fault.data.failure).toEqual({ reason: "budget", message: "The budget of 2 turns is used up." });
  const modest = invocation(() => [answers(1), toolStart, answers(2), done("done")]);
  expect((await narrow({ ...modest, prompt: "go", budget: { turns: 2 } })).text).toBe("done");
});

test("a budget is for the whole invocation: a prompt for which nothing is left is not sent", async () => {
  const asked = invocation(() => [answers(1), done("yes")]);
  const fault = await faultOf(
    "turn_failed",
    walk({ ...asked, prompts: ["one", "two", "three"], budget: { turns: 2 } }),
  );
  expect(fault.data.failure.reason).toBe("budget");
  expect(asked.turns.map(({ prompt }) => prompt)).toEqual(["one", "two"]);
});

test("money and time run out too", async () => {
  const dear = invocation(() => [answers(1, 0.02), toolStart]);
  const money = await faultOf("turn_failed", narrow({ ...dear, prompt: "go", budget: { usd: 0.01 } }));
  expect(money.data.failure.message).toContain("$0.01");
  expect(dear.turns[0]?.request.costLimitUsd).toBe(0.01);
  const slow = invocation(() => [{ type: "notice", text: "I think" }]);
  const time = await faultOf("turn_failed", narrow({ ...slow, prompt: "go", budget: { timeMs: 30 } }));
  expect(time.data.failure).toEqual({ reason: "budget", message: "The budget of 0.03 s is used up." });
});

test("[A-NARROW-3, A-CAP-1, A-CAP-2] the capture holds who, when and what, and everything that was said and done", async () => {
  const tool = {
    id: "1",
    name: "bash",
    input: { command: "ls" },
    output: "a.ts",
    outputBytes: 4,
    status: "completed" as const,
    durationMs: 3,
  };
  const asked = invocation(() => [
    { type: "message.delta", messageId: "m", kind: "reasoning", delta: "hm" },
    { type: "message.complete", messageId: "m", kind: "reasoning", text: "hm" },
    toolStart,
    { type: "tool.complete", tool },
    { type: "message.complete", messageId: "n", kind: "text", text: "It is there." },
    done("It is there."),
  ]);
  const { capture } = await narrow({
    ...asked,
    prompt: `Look\n  around.\n${"x".repeat(500)}`,
    role: "scout",
    model: "a/b",
  });
  const lines = (await readFile(capture ?? "", "utf8")).trimEnd().split("\n");
  const records = lines.map((line) => JSON.parse(line) as CaptureRecord);
  expect(records).toMatchObject([
    {
      type: "header",
      agentType: "narrow",
      role: "scout",
      backend: "scripted",
      model: { providerID: "a", modelID: "b" },
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    },
    { type: "prompt" },
    { type: "session", session: { id: expect.any(String) } },
    { type: "message", kind: "reasoning", text: "hm" },
    { type: "tool", tool },
    { type: "message", kind: "text", text: "It is there." },
    { type: "outcome", outcome: "done", usage },
    { type: "end", usage },
  ]);
  const [header] = records;
  if (header?.type !== "header") throw new Error("no header");
  expect(header.promptSummary).toStartWith("Look around. xxx");
  expect(header.promptSummary.length).toBeLessThanOrEqual(120);
  const [listed] = await listCaptures(asked.outputs);
  expect(listed).toMatchObject({ path: capture ?? "", ended: true, outcome: "done", usage, header });
});

test("secrets of the environment are in no capture and no event, and results are as they were", async () => {
  const secret = "hunter2-hunter2";
  const asked = invocation(() => [
    { type: "message.complete", messageId: "m", kind: "text", text: `It is ${secret}.` },
    done(`It is ${secret}.`, { is: secret }),
  ]);
  const events: AgentEvent[] = [];
  const answer = await narrow({
    ...asked,
    prompt: `What is ${secret}?`,
    env: { DOOR_PASSWORD: secret },
    output: z.object({ is: z.string() }),
    onEvent: (event) => events.push(event),
  });
  expect(answer.output.is).toBe(secret);
  expect(answer.text).toContain(secret);
  const text = await readFile(answer.capture ?? "", "utf8");
  expect(text).not.toContain(secret);
  expect(text).toContain("[redacted DOOR_PASSWORD]");
  expect(text.split("\n", 1)[0]).toContain("What is [redacted DOOR_PASSWORD]?");
  expect(JSON.stringify(events)).not.toContain(secret);
});

test.each([
  ["is a file", ""],
  ["lies in a file", "/inside"],
])("[A-CAP-3] a folder that %s costs a warning, never the result", async (_, inside) => {
  const plain = invocation(() => done("yes"));
  await writeFile(plain.outputs, "");
  const asked = { ...plain, outputs: plain.outputs + inside };
  const notices: string[] = [];
  const onEvent = (event: AgentEvent) => event.type === "notice" && notices.push(event.text);
  const answer = await narrow({ ...asked, prompt: "go", onEvent });
  expect(answer).toMatchObject({ text: "yes", capture: null });
  expect(notices).toEqual([expect.stringContaining(asked.outputs)]);
});

test("a capture that was cut off can be read as far as it goes, and other files are no captures", async () => {
  const asked = invocation(() => done("yes"));
  const { capture } = await narrow({ ...asked, prompt: "go" });
  const text = await readFile(capture ?? "", "utf8");
  const folder = join(asked.outputs, "sub");
  await mkdir(folder);
  await writeFile(join(folder, "cut.jsonl"), text.slice(0, text.indexOf('"type":"outcome"') + 20));
  await writeFile(join(folder, "other.jsonl"), "{}\n");
  await writeFile(join(folder, "empty.jsonl"), "");
  const found = await listCaptures(asked.outputs);
  expect(found.map(({ path, ended }) => [path, ended])).toContainEqual([join(folder, "cut.jsonl"), false]);
  expect(found).toHaveLength(2);
  const records = await Array.fromAsync(readCapture(join(folder, "cut.jsonl")));
  expect(records.map(({ type }) => type)).toEqual(["header", "prompt", "session"]);
  await faultOf("invalid_input", Array.fromAsync(readCapture(join(folder, "other.jsonl"))));
  await faultOf("not_found", Array.fromAsync(readCapture(join(folder, "none.jsonl"))));
  expect(await listCaptures(join(root, "no-such-folder"))).toEqual([]);
});

test("prompts that are asked at once are answered one after the other, each with its own usage", async () => {
  const asked = invocation(({ prompts }) => done(prompts.join("+")));
  await using talk = startWalk(asked);
  const said = await Promise.all(["one", "two", "three"].map((prompt) => talk.ask(prompt)));
  expect(said.map(({ text }) => text)).toEqual(["one", "one+two", "one+two+three"]);
  expect(said.map(({ usage: { inputTokens } }) => inputTokens)).toEqual([10, 10, 10]);
});

test("after its end a conversation takes no prompt, and what was still asked is ended", async () => {
  const asked = invocation((_, count) => (count === 1 ? done("yes") : failed({ reason: "server", message: "no" })));
  const talk = startWalk({ ...asked, retryDelayMs: 60_000 });
  await talk.ask("one");
  const waiting = faultOf("turn_failed", talk.ask("two"));
  const invoked = await talk.end();
  expect((await waiting).data.failure.reason).toBe("aborted");
  expect((await faultOf("turn_failed", talk.ask("three"))).data.failure.reason).toBe("aborted");
  expect(invoked.usage.inputTokens).toBeGreaterThanOrEqual(10);
  expect(await talk.end()).toBe(invoked);
  expect(asked.turns.map(({ prompt }) => prompt)).not.toContain("three");
});

test("a listener that fails ends the agent, what was used is told, and its error comes out", async () => {
  const asked = invocation(() => [{ type: "notice", text: "I think" }]);
  const onEvent = () => {
    throw new RangeError("mine");
  };
  const talk = startWalk({ ...asked, onEvent });
  await expect(talk.ask("go")).rejects.toThrow(RangeError);
  expect(asked.turns[0]?.signal.aborted).toBe(true);
});

test("a structured answer on the last turn of the budget counts", async () => {
  const asked = invocation(() => [answers(1), done("Here.", { n: 1 })]);
  const { output } = await narrow({ ...asked, prompt: "go", output: z.object({ n: z.int() }), budget: { turns: 1 } });
  expect(output.n).toBe(1);
});

test("attempts that were made are taken off what the agent may make by itself", async () => {
  const asked = invocation(() => failed({ reason: "crashed", message: "gone" }));
  await faultOf("turn_failed", narrow({ ...asked, prompt: "go" }));
  expect(asked.turns.map(({ request }) => request.attempts)).toEqual([3, 2, 1]);
});

test.each([
  ["directory", { directory: "here" }],
  ["outputs", { outputs: "there" }],
  ["tools.kinds.0", { tools: { kinds: ["reed"] } }],
  ["budget.turns", { budget: { turns: Number.NaN } }],
  ["budget.timeMs", { budget: { timeMs: -1 } }],
  ["backend.port", { via: { port: 0 } }],
])("a wrong %s is refused before anything starts", async (path, wrong) => {
  const asked = invocation(() => done("yes"));
  const fault = await faultOf("invalid_input", narrow({ ...asked, prompt: "go", ...(wrong as object) }));
  expect(fault.data.issues[0]?.path).toBe(path);
  expect(asked.turns).toEqual([]);
});

test("a disk that is full for a while costs nothing of the capture", async () => {
  const asked = invocation(({ prompt }) => done(`${prompt}!`));
  const notices: string[] = [];
  const onEvent = (event: AgentEvent) => event.type === "notice" && notices.push(event.text);
  await writeFile(asked.outputs, "in the way");
  const talk = startWalk({ ...asked, onEvent });
  await talk.ask("one");
  await rm(asked.outputs);
  await talk.ask("two");
  const { capture } = await talk.end();
  expect(capture).not.toBeNull();
  expect(notices).toHaveLength(1);
  const records = await recordsIn(asked.outputs);
  expect(records.flatMap((record) => (record.type === "prompt" ? [record.text] : []))).toEqual(["one", "two"]);
});

test("characters that some take for ends of lines are none, and a long answer is listed as what it is", async () => {
  const text = `one\u2028two\u2029three\u0085four ${"x".repeat(300_000)}`;
  const asked = invocation(() => done(text));
  await narrow({ ...asked, prompt: "go", title: "a\u2028b" });
  expect(await listCaptures(asked.outputs)).toMatchObject([
    { ended: true, outcome: "done", header: { title: "a\u2028b" } },
  ]);
  expect((await recordsIn(asked.outputs)).find(({ type }) => type === "outcome")).toMatchObject({ text });
});

test("a model that is not of the form provider/model is refused before anything starts", async () => {
  const asked = invocation(() => done("yes"));
  const fault = await faultOf("invalid_input", narrow({ ...asked, prompt: "go", model: "sonnet" }));
  expect(fault.message).toContain("sonnet");
  expect(asked.turns).toEqual([]);
});
