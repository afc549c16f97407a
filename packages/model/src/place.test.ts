import { expect, test } from "bun:test";
import { Script } from "@ralpher/contract";
import { findPlace } from "./place.ts";
import { readTurns } from "./query.ts";

const script = Script.parse({
  conversations: [{ when: "alpha", steps: [{}] }, { when: "beta", steps: [{}] }, { steps: [{}] }],
});
const specific = Script.parse({
  conversations: [
    { when: "alpha", steps: [{}] },
    { when: "beta", steps: [{}] },
  ],
});
const user = (content: string | unknown[]) => ({ role: "user", content });
const text = (words: string) => ({ type: "text", text: words });
const answer = { role: "assistant", content: "…" };
const toolResult = user([{ type: "tool_result", tool_use_id: "t", content: "alpha" }]);

function place(from: Script, messages: { role: string; content?: string | unknown[] }[]) {
  const found = findPlace(from, readTurns(messages).turns);
  return found === null ? null : [found.conversation.when ?? "any", found.stepIndex];
}

test("the step is the number of answers since the prompt", () => {
  expect(place(script, [user("alpha")])).toEqual(["alpha", 0]);
  expect(place(script, [user("alpha"), answer, { role: "tool", content: "beta" }])).toEqual(["alpha", 1]);
  expect(place(script, [user("alpha"), answer, toolResult, answer, toolResult])).toEqual(["alpha", 2]);
});

test("a new prompt begins at its first step", () => {
  expect(place(script, [user("alpha"), answer, user("beta")])).toEqual(["beta", 0]);
  expect(place(script, [user("alpha"), answer, user("alpha")])).toEqual(["alpha", 0]);
  expect(place(script, [user("alpha"), answer, user("other")])).toEqual(["any", 0]);
});

test("what an agent adds in reminders or system messages is no prompt", () => {
  const reminder = text("<system-reminder>\nbeta\n</system-reminder>");
  expect(place(script, [user([reminder, text("alpha")]), { role: "system", content: "beta" }])).toEqual(["alpha", 0]);
  expect(place(script, [user("alpha"), answer, user([...(toolResult.content as unknown[]), reminder])])).toEqual([
    "alpha",
    1,
  ]);
});

test("a prompt that matches nothing leaves the conversation going", () => {
  expect(place(specific, [user("alpha"), answer, user("Stop hook feedback: go on"), answer])).toEqual(["alpha", 2]);
  expect(place(specific, [user("gamma")])).toBeNull();
});

test("a conversation for every prompt does not mean prompts the agent made up", () => {
  const nudge = user("[structured-output-enforce] You MUST call the StructuredOutput tool");
  expect(place(script, [user("gamma"), answer, nudge])).toEqual(["any", 1]);
});

test("of two prompts in one message the newer one counts", () => {
  expect(place(script, [user([text("alpha"), text("beta")])])).toEqual(["beta", 0]);
  expect(place(script, [user([text("beta"), text("alpha")])])).toEqual(["alpha", 0]);
  expect(place(script, [user([text("alpha"), text("other")])])).toEqual(["alpha", 0]);
});
