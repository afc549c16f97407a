import { expect, test } from "bun:test";
import { ephemeral, stored, toolCall } from "../../test/events.ts";
import { foldLive, type LiveEntry } from "./live.ts";

const progress = (content: string, restart?: true, messageId = "m") =>
  ephemeral({
    type: "loop.progress",
    iteration: 1,
    messageId,
    kind: "text",
    content,
    ...(restart === undefined ? {} : { restart }),
  });
const texts = (live: LiveEntry[]) => live.map((entry) => ("text" in entry ? entry.text : entry.name));

test("[R-WEB-3] deltas of one message are joined in order", () => {
  expect(texts(["Hel", "lo", "!"].map((part) => progress(part)).reduce(foldLive, []))).toEqual(["Hello!"]);
});

test("[R-WEB-3] a restart takes the place of what was there, so a reconnect repeats nothing", () => {
  const live = [progress("Hel"), progress("Hello, wor", true), progress("ld")].reduce(foldLive, []);
  expect(texts(live)).toEqual(["Hello, world"]);
});

test("the durable whole removes the live text, and only that", () => {
  const live = [progress("a"), progress("b", undefined, "n")].reduce(foldLive, []);
  const message = { id: "m", role: "assistant", kind: "text", content: "a" } as const;
  expect(texts(foldLive(live, stored(1, { type: "loop.message", iteration: 1, message })))).toEqual(["b"]);
});

test("a running tool shows once, until its call is there", () => {
  const start = ephemeral({ type: "loop.tool_call.start", iteration: 1, tool: { id: "t", name: "Bash", input: {} } });
  const live = [start, start].reduce(foldLive, []);
  expect(texts(live)).toEqual(["Bash"]);
  expect(foldLive(live, stored(1, { type: "loop.tool_call", iteration: 1, tool: toolCall("t", "Bash", {}) }))).toEqual(
    [],
  );
});

test("nothing stays live past the end of a turn", () => {
  expect(
    foldLive(
      [progress("a")].reduce(foldLive, []),
      stored(1, { type: "loop.interrupted", iteration: 1, cause: "asked", reason: "stopped" }),
    ),
  ).toEqual([]);
});

test("an event that does not concern it keeps the array, so nothing renders again", () => {
  const live = [progress("a")].reduce(foldLive, [] as LiveEntry[]);
  expect(foldLive(live, stored(1, { type: "loop.paused" }))).toBe(live);
});
