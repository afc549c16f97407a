import { expect, test } from "bun:test";
import type { AssistantMessage, Event, Part, SessionStatus } from "@opencode-ai/sdk/v2/client";
import type { AgentEvent } from "@ralpher/contract";
import { createTranscript, type TranscriptListener } from "./transcript.ts";

const sessionID = "ses_root";

function createRecorder(earlier: string[] = []) {
  const heard: AgentEvent[] = [];
  const calls: string[] = [];
  const listener: TranscriptListener = {
    emit: (event) => heard.push(event),
    idle: () => calls.push("idle"),
    answered: (id, isLast) => calls.push(`answered ${id}${isLast ? " last" : ""}`),
    retry: (_, { attempt }) => calls.push(`retry ${attempt}`),
    permission: ({ id }, root) => calls.push(`permission ${id} in ${root}`),
    question: (id) => calls.push(`question ${id}`),
  };
  const transcript = createTranscript(sessionID, new Set(earlier), listener);
  const read = (...events: Event[]) => {
    for (const event of events) transcript.read(event);
  };
  return { heard, calls, transcript, read };
}

const assistant = (id: string, more: Partial<AssistantMessage> = {}): Event => ({
  id: "evt",
  type: "message.updated",
  properties: {
    sessionID,
    info: {
      id,
      sessionID,
      role: "assistant",
      time: { created: 1 },
      parentID: "msg_prompt",
      modelID: "model",
      providerID: "scripted",
      mode: "build",
      agent: "build",
      path: { cwd: "/", root: "/" },
      cost: 0,
      tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
      ...more,
    },
  },
});
const part = (value: Part): Event => ({
  id: "evt",
  type: "message.part.updated",
  properties: { sessionID, part: value, time: 1 },
});
const text = (id: string, messageID: string, words: string, end?: number): Event =>
  part({
    id,
    messageID,
    sessionID,
    type: "text",
    text: words,
    time: { start: 1, ...(end === undefined ? {} : { end }) },
  });
const delta = (partID: string, messageID: string, words: string): Event => ({
  id: "evt",
  type: "message.part.delta",
  properties: { sessionID, messageID, partID, field: "text", delta: words },
});
const status = (value: SessionStatus): Event => ({
  id: "evt",
  type: "session.status",
  properties: { sessionID, status: value },
});
const idle: Event = { id: "evt", type: "session.idle", properties: { sessionID } };
const unauthorized = { name: "APIError", data: { message: "bad key", statusCode: 401, isRetryable: false } } as const;
const overflow = { name: "ContextOverflowError", data: { message: "too long" } } as const;
const error = (value: NonNullable<AssistantMessage["error"]>): Event => ({
  id: "evt",
  type: "session.error",
  properties: { sessionID, error: value },
});

const said = (events: AgentEvent[]) =>
  events.flatMap((event) => ("delta" in event ? [`+${event.delta}`] : "text" in event ? [event.text] : []));

test("reading everything again changes nothing", () => {
  const events = [
    status({ type: "busy" }),
    assistant("msg_1"),
    text("prt_1", "msg_1", ""),
    delta("prt_1", "msg_1", "so "),
    delta("prt_1", "msg_1", "far"),
    text("prt_1", "msg_1", "so far", 2),
    assistant("msg_1", { finish: "stop" }),
  ];
  const { heard, transcript, read } = createRecorder();
  read(...events);
  expect(said(heard)).toEqual(["+so ", "+far", "so far"]);
  expect(transcript.verdict()).toEqual({ state: "done", text: "so far" });
  read(...events);
  expect(heard).toHaveLength(4);
  expect(transcript.verdict()).toEqual({ state: "done", text: "so far" });
});

test("what was missed of a message comes with its end: as a delta where that fits, else as the whole", () => {
  const { heard, read } = createRecorder();
  read(assistant("msg_1"), text("prt_1", "msg_1", ""), delta("prt_1", "msg_1", "one "));
  read(text("prt_1", "msg_1", "one two", 2));
  expect(said(heard.splice(0))).toEqual(["+one ", "+two", "one two"]);
  read(text("prt_2", "msg_1", ""), delta("prt_2", "msg_1", "one "), delta("prt_2", "msg_1", "three"));
  read(text("prt_2", "msg_1", "one two three", 2));
  expect(said(heard)).toEqual(["+one ", "+three", "one two three"]);
});

test("an error that comes after the rest it caused is still the verdict", () => {
  const { calls, transcript, read } = createRecorder();
  read(status({ type: "busy" }), assistant("msg_1"), error(unauthorized), idle);
  expect(calls).toEqual(["idle"]);
  expect(transcript.verdict()).toEqual({ state: "failed", error: unauthorized });
});

test("an error without any answer is the verdict, and the first telling of it counts", () => {
  const { transcript, read } = createRecorder();
  const unknown = { name: "UnknownError", data: { message: "Model not found" } } as const;
  read(status({ type: "busy" }), error(unknown), idle);
  read(error({ name: "UnknownError", data: { message: "Model not found\n    at …" } }));
  expect(transcript.verdict()).toEqual({ state: "failed", error: unknown });
});

test("an overflow that opencode got over by a summary is no failure, and the summary is not said", () => {
  const { heard, transcript, read } = createRecorder();
  read(status({ type: "busy" }), assistant("msg_1"), error(overflow));
  read(assistant("msg_2", { summary: true }), text("prt_2", "msg_2", "a summary", 2));
  read(assistant("msg_2", { summary: true, finish: "stop" }));
  read(assistant("msg_3"), text("prt_3", "msg_3", "Going on.", 3), assistant("msg_3", { finish: "stop" }), idle);
  expect(said(heard)).toEqual(["+Going on.", "Going on."]);
  expect(transcript.verdict()).toEqual({ state: "done", text: "Going on." });
});

test("the final text is that of the last message, all its texts together", () => {
  const { transcript, read } = createRecorder();
  read(assistant("msg_1"), text("prt_1", "msg_1", "<promise>COMPLETE</promise>", 2));
  read(assistant("msg_1", { finish: "tool-calls" }), assistant("msg_2"));
  read(text("prt_2", "msg_2", "First.", 3), text("prt_3", "msg_2", "Second.", 4));
  read(assistant("msg_2", { finish: "stop" }));
  expect(transcript.verdict()).toEqual({ state: "done", text: "First.\nSecond." });
});

test("a retry ends what was half said, for the next answer begins anew", () => {
  const { heard, calls, read } = createRecorder();
  read(assistant("msg_1"), text("prt_1", "msg_1", ""), delta("prt_1", "msg_1", "half"));
  read(status({ type: "retry", attempt: 1, message: "cut", next: 0 }));
  read(text("prt_2", "msg_1", ""), delta("prt_2", "msg_1", "whole"), text("prt_2", "msg_1", "whole", 2));
  expect(said(heard)).toEqual(["+half", "half", "+whole", "whole"]);
  expect(calls).toEqual(["retry 1"]);
});

test("late news of a former turn is not of this one", () => {
  const { heard, calls, transcript, read } = createRecorder(["msg_1"]);
  read(idle, assistant("msg_1", { error: unauthorized }), text("prt_1", "msg_1", "late", 2));
  expect(heard).toEqual([]);
  expect(calls).toEqual([]);
  expect(transcript.verdict()).toEqual({ state: "unclear" });
});

test("an answer that neither finished nor failed is unclear", () => {
  const { transcript, read } = createRecorder();
  read(status({ type: "busy" }), assistant("msg_1"), idle);
  expect(transcript.verdict()).toEqual({ state: "unclear" });
});

test("each answer is told once, with what the turn has used, and the last one as that", () => {
  const { heard, calls, read } = createRecorder();
  const tokens = { input: 10, output: 2, reasoning: 0, cache: { read: 0, write: 0 } };
  const form: Event = part({
    id: "prt_1",
    messageID: "msg_2",
    sessionID,
    type: "tool",
    callID: "call_1",
    tool: "StructuredOutput",
    state: { status: "running", input: {}, time: { start: 1 } },
  });
  read(assistant("msg_1"), assistant("msg_1", { finish: "tool-calls", tokens, cost: 0.5 }));
  read(assistant("msg_1", { finish: "tool-calls", tokens, cost: 0.5 }), assistant("msg_2"), form);
  read(assistant("msg_2", { finish: "tool-calls", tokens, cost: 0.25, structured: { done: true } }));
  expect(heard.filter(({ type }) => type === "usage")).toEqual([
    { type: "usage", answers: 1, usage: { inputTokens: 10, outputTokens: 2, costUsd: 0.5 } },
    { type: "usage", answers: 2, usage: { inputTokens: 20, outputTokens: 4, costUsd: 0.75 } },
  ]);
  expect(calls).toEqual([`answered ${sessionID}`, `answered ${sessionID} last`]);
  // The form is no tool of the agent's.
  expect(heard.filter(({ type }) => type === "tool.start")).toEqual([]);
});

test("a structured answer is told as it is, and words in its place are no failure", () => {
  const { transcript, read } = createRecorder();
  read(assistant("msg_1", { finish: "tool-calls", structured: null }));
  expect(transcript.verdict()).toEqual({ state: "done", text: "", structured: null });
  const talk = { name: "StructuredOutputError", data: { message: "none", retries: 0 } } as const;
  read(
    assistant("msg_2"),
    text("prt_2", "msg_2", "It is fine.", 2),
    assistant("msg_2", { finish: "stop", error: talk }),
  );
  expect(transcript.verdict()).toEqual({ state: "done", text: "It is fine." });
});

test("a tool that is not there is a failed call of what the model wanted", () => {
  const { heard, read } = createRecorder();
  const state = {
    status: "completed" as const,
    input: { tool: "fly", error: "no such tool" },
    output: "The arguments provided to the tool are invalid: no such tool",
    title: "Invalid Tool",
    metadata: {},
    time: { start: 1, end: 2 },
  };
  read(
    assistant("msg_1"),
    part({ id: "prt_1", messageID: "msg_1", sessionID, type: "tool", callID: "c", tool: "invalid", state }),
  );
  expect(heard).toMatchObject([
    { type: "tool.start", name: "fly" },
    { type: "tool.complete", tool: { name: "fly", status: "error" } },
  ]);
});

test("permissions and questions are passed on, and unknown events are ignored", () => {
  const { heard, calls, read } = createRecorder();
  const asked = { sessionID, permission: "bash", patterns: [], metadata: {}, always: [] };
  const path = { cwd: "/repo/here", root: "/repo" };
  read(assistant("msg_1", { path }));
  read({ id: "evt", type: "permission.asked", properties: { id: "per_1", ...asked } });
  read({ id: "evt", type: "question.asked", properties: { id: "que_1", sessionID, questions: [] } });
  read({ id: "evt", type: "session.dreamt", properties: { sessionID } } as unknown as Event);
  expect(calls).toEqual(["permission per_1 in /repo", "question que_1"]);
  expect(heard).toEqual([]);
});
