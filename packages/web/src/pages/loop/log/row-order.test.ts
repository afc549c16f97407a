import { expect, test } from "bun:test";
import { ephemeral, stored, story, toolCall } from "../../../../test/events.ts";
import { foldLive, type LiveEntry } from "../../../feed/live.ts";
import { appendToLog, emptyLog } from "../../../feed/log.ts";
import { type Places, rowsOf } from "./row-order.ts";

const write = toolCall("w", "Write", { file_path: "/a" });
const begun = appendToLog(emptyLog, story());
const text = ephemeral({ type: "loop.progress", iteration: 2, messageId: "t", kind: "text", content: "Now I write" });
const start = ephemeral({ type: "loop.tool_call.start", iteration: 2, tool: { id: "w", name: "Write", input: {} } });
const toolDone = stored(2_000, { type: "loop.tool_call", iteration: 2, tool: write });
const message = { id: "t", role: "assistant", kind: "text", content: "Now I write." } as const;
const textDone = stored(2_001, { type: "loop.message", iteration: 2, message });

test("[R-WEB-3] a text keeps its place above the tools that began after it and are done before it", () => {
  const places: Places = new Map();
  let live: LiveEntry[] = [text, start].reduce(foldLive, []);
  const kinds = (log: typeof begun) =>
    rowsOf(log, live, places)
      .slice(begun.entries.length)
      .map(({ kind }) => kind);
  expect(kinds(begun)).toEqual(["live-text", "live-tool"]);
  live = foldLive(live, toolDone);
  const withTool = appendToLog(begun, [toolDone]);
  expect(kinds(withTool)).toEqual(["live-text", "tool"]);
  live = foldLive(live, textDone);
  expect(kinds(appendToLog(withTool, [textDone]))).toEqual(["text", "tool"]);
});

test("what began before something else was done stands before that, also when both come at once", () => {
  const live = [text].reduce(foldLive, [] as LiveEntry[]);
  const rows = rowsOf(appendToLog(begun, [toolDone]), live, new Map());
  expect(rows.slice(-2).map(({ kind }) => kind)).toEqual(["live-text", "tool"]);
});

test("a log of which nothing was seen under way is shown as the journal has it", () => {
  expect(rowsOf(begun, [], new Map())).toBe(begun.entries);
});
