import { expect, test } from "bun:test";
import type { AgentEvent } from "@ralpher/contract";
import { createTranscript } from "./transcript.ts";

function listen() {
  const events: AgentEvent[] = [];
  const costs: number[] = [];
  const transcript = createTranscript({
    emit: (event) => events.push(event),
    cost: (total) => costs.push(total),
    toolEnded() {},
  });
  return { transcript, events, costs };
}

const say = (text: string, messageId?: string) => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text },
  messageId,
});
const tool = (fields: Record<string, unknown>) => ({ sessionUpdate: "tool_call_update", toolCallId: "t", ...fields });

test("what was said before a tool is not the last message, and what is said beside one that runs is", () => {
  const { transcript } = listen();
  transcript.read(say("I will look."));
  transcript.read(tool({ status: "in_progress" }));
  expect(transcript.text()).toBe("");
  transcript.read(say("Meanwhile: "));
  transcript.read(tool({ content: [] }));
  transcript.read(say("it is done."));
  expect(transcript.text()).toBe("Meanwhile: \nit is done.");
});

test("an answer that begins anew leaves nothing of the former one", () => {
  const { transcript, events } = listen();
  transcript.read(say("I am cut", "m"));
  transcript.restart();
  transcript.read(say("I am whole.", "m"));
  expect(transcript.text()).toBe("I am whole.");
  expect(events).toContainEqual(expect.objectContaining({ type: "message.complete", text: "I am cut" }));
});

test("a pending call whose arguments are known has begun when the agent goes on to something else", () => {
  const { transcript, events } = listen();
  transcript.read({ sessionUpdate: "tool_call", toolCallId: "t", name: "Bash", status: "pending", rawInput: {} });
  transcript.read(tool({ rawInput: { command: "l" } }));
  transcript.read(tool({ rawInput: { command: "ls" } }));
  expect(events).toEqual([]);
  transcript.read({ sessionUpdate: "usage_update", used: 1, size: 2 });
  expect(events).toEqual([{ type: "tool.start", callId: "t", name: "Bash", input: { command: "ls" } }]);
});

test("a call is told once, with what the tool said in whichever place", () => {
  for (const said of [
    { rawOutput: "out" },
    { rawOutput: { output: "out", metadata: {} } },
    { rawOutput: { error: "out" } },
    { content: [{ type: "content", content: { type: "text", text: "out" } }] },
  ]) {
    const { transcript, events } = listen();
    transcript.read(tool({ title: "grep", status: "failed", ...said }));
    transcript.read(tool({ title: "grep", status: "completed" }));
    expect(events).toMatchObject([
      { type: "tool.start", callId: "t", name: "grep" },
      { type: "tool.complete", tool: { id: "t", name: "grep", output: "out", outputBytes: 3, status: "error" } },
    ]);
  }
});

test("a title for people is not a tool's name", () => {
  const { transcript, events } = listen();
  transcript.read(tool({ title: "Reading a file", kind: "read", status: "in_progress" }));
  expect(events).toMatchObject([{ name: "read" }]);
});

test("money is counted in dollars only", () => {
  const { transcript, costs } = listen();
  for (const cost of [{ amount: 1, currency: "EUR" }, { amount: 2, currency: "USD" }, null, undefined]) {
    transcript.read({ sessionUpdate: "usage_update", used: 1, size: 2, cost });
  }
  expect(costs).toEqual([2]);
});
