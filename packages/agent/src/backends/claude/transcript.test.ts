import { expect, test } from "bun:test";
import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import type { AgentEvent } from "@ralpher/contract";
import { createTranscript } from "./transcript.ts";

function createRecorder() {
  const heard: AgentEvent[] = [];
  const calls: string[] = [];
  const transcript = createTranscript({
    emit: (event) => heard.push(event),
    answered: () => calls.push("answered"),
    retry: ({ attempt }) => calls.push(`retry ${attempt}`),
  });
  const read = (...messages: unknown[]) => {
    for (const message of messages) transcript.read(message as SDKMessage);
  };
  return { heard, calls, transcript, read };
}

const stream = (event: unknown, parent_tool_use_id: string | null = null) => ({
  type: "stream_event",
  event,
  parent_tool_use_id,
});
const start = (id: string) => stream({ type: "message_start", message: { id, usage: { input_tokens: 10 } } });
const block = (type: string) => stream({ type: "content_block_start", index: 0, content_block: { type } });
const delta = (text: string) => stream({ type: "content_block_delta", delta: { type: "text_delta", text } });
const end = (stop_reason: string | null) =>
  stream({ type: "message_delta", delta: { stop_reason }, usage: { output_tokens: 2, input_tokens: null } });
const assistant = (id: string, content: unknown[], more = {}) => ({
  type: "assistant",
  message: { id, content },
  parent_tool_use_id: null,
  uuid: `uuid of ${id}`,
  ...more,
});
const text = (words: string) => ({ type: "text", text: words });
const call = (id: string, name = "Bash", input: unknown = {}) => ({ type: "tool_use", id, name, input });
const results = (content: unknown[], more = {}) => ({
  type: "user",
  message: { role: "user", content },
  parent_tool_use_id: null,
  ...more,
});
const said = (events: AgentEvent[]) =>
  events.map((event) => ("delta" in event ? `+${event.delta}` : "text" in event ? event.text : event.type));

test("a message is the sum of its deltas, and comes once", () => {
  const { heard, read } = createRecorder();
  read(start("a"), block("text"), delta("so "), delta("far"), assistant("a", [text("so far")]));
  expect(said(heard)).toEqual(["+so ", "+far", "so far"]);
});

test("what was not streamed comes whole: an answer of no model, or the rest of one", () => {
  const { heard, read } = createRecorder();
  read(assistant("a", [text("at once")]));
  read(start("b"), block("text"), delta("one "), assistant("b", [text("one two")]));
  expect(said(heard)).toEqual(["+at once", "at once", "+one ", "+two", "one two"]);
});

test("a thought that is withheld is no message", () => {
  const { heard, read } = createRecorder();
  read(start("a"), block("thinking"), assistant("a", [{ type: "thinking", thinking: "", signature: "x" }]));
  expect(heard).toEqual([]);
});

test("a retry ends what was half said, for the next answer begins anew; an answer that broke off counts for nothing", () => {
  const { heard, calls, read } = createRecorder();
  read(start("a"), block("text"), delta("half"), end(null));
  read({ type: "system", subtype: "api_retry", attempt: 1 });
  read(start("b"), block("text"), delta("whole"), assistant("b", [text("whole")]), end("end_turn"));
  expect(said(heard)).toEqual(["+half", "half", "+whole", "whole", "usage"]);
  expect(calls).toEqual(["retry 1", "answered"]);
});

test("each answer is counted, with what the turn has used so far", () => {
  const { heard, read } = createRecorder();
  read(start("a"), end("tool_use"), start("b"), end("end_turn"));
  expect(heard).toEqual([
    { type: "usage", answers: 1, usage: { inputTokens: 10, outputTokens: 2, costUsd: null } },
    { type: "usage", answers: 2, usage: { inputTokens: 20, outputTokens: 4, costUsd: null } },
  ]);
});

test("the final text is that of the last answer, all its texts together, and not what a subagent said", () => {
  const { transcript, read } = createRecorder();
  expect(transcript.text()).toBeNull();
  read(assistant("a", [text("<promise>COMPLETE</promise>")]), assistant("b", [text("First.")]));
  read(assistant("b", [text("Second.")]), assistant("c", [text("Sub.")], { parent_tool_use_id: "t" }));
  expect(transcript.text()).toBe("First.\nSecond.");
  expect(transcript.lastMessage()).toBe("uuid of b");
  read(assistant("d", [call("t")]));
  expect(transcript.text()).toBe("");
});

test("what Claude Code says in the place of an answer is not the agent's", () => {
  const { heard, transcript, read } = createRecorder();
  read(assistant("a", [text("Before.")]), assistant("b", [text("API Error: 500")], { error: "server_error" }));
  expect(transcript.text()).toBe("Before.");
  expect(transcript.error()).toBe("server_error");
  expect(said(heard)).toEqual(["+Before.", "Before."]);
});

test("a tool's result ends its call; one that nobody made is no event", () => {
  const { heard, read } = createRecorder();
  read(assistant("a", [call("t", "Bash", { command: "ls" })]));
  read(results([{ type: "tool_result", tool_use_id: "t", content: [text("out"), { type: "image" }], is_error: true }]));
  read(results([{ type: "tool_result", tool_use_id: "other", content: "?" }]));
  expect(heard).toMatchObject([
    { type: "tool.start", callId: "t", name: "Bash", input: { command: "ls" } },
    {
      type: "tool.complete",
      tool: { id: "t", name: "Bash", output: "out\n[image]", outputBytes: 11, status: "error" },
    },
  ]);
});

test("of a large output of a command the record tells more than the model is given", () => {
  const { heard, read } = createRecorder();
  read(assistant("a", [call("t")]));
  const tool_use_result = { stdout: "x".repeat(30_000), stderr: "", persistedOutputSize: 100_000 };
  read(results([{ type: "tool_result", tool_use_id: "t", content: "a preview" }], { tool_use_result }));
  const [complete] = heard.flatMap((event) => (event.type === "tool.complete" ? [event.tool] : []));
  expect(complete?.outputBytes).toBe(100_000);
  expect(complete?.output).toStartWith("xxx");
  expect(complete?.output).toEndWith("[… 70000 bytes left out …]");
});

test("the structured answer is the last one that the agent itself gave, and no tool of its own", () => {
  const { heard, transcript, read } = createRecorder();
  expect(transcript.structured()).toBeNull();
  read(assistant("a", [call("s", "StructuredOutput", { v: 1 })]));
  read(assistant("b", [call("s2", "StructuredOutput", { v: 2 })], { parent_tool_use_id: "t" }));
  read(results([{ type: "tool_result", tool_use_id: "s", content: "Given." }]));
  expect(transcript.structured()).toEqual({ value: { v: 1 } });
  expect(heard).toEqual([]);
});

test("that the context was summed up is told, and until when a subscription's limit holds", () => {
  const { heard, transcript, read } = createRecorder();
  read({ type: "system", subtype: "compact_boundary" });
  expect(heard).toMatchObject([{ type: "notice", text: expect.stringContaining("context") }]);
  expect(transcript.limitedUntil()).toBeNull();
  read({ type: "rate_limit_event", rate_limit_info: { status: "rejected", resetsAt: 1_800_000_000 } });
  expect(transcript.limitedUntil()).toBe(1_800_000_000_000);
  read({ type: "rate_limit_event", rate_limit_info: { status: "allowed" } });
  expect(transcript.limitedUntil()).toBeNull();
});

test("messages of kinds that a later Claude Code may invent are ignored", () => {
  const { heard, read } = createRecorder();
  read({ type: "moon_phase" }, { type: "system", subtype: "dream" });
  expect(heard).toEqual([]);
});
