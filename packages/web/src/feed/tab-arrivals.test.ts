import { expect, test } from "bun:test";
import type { SseMessage } from "./sse.ts";
import { partArrivals, tabStreamUrl } from "./tab-arrivals.ts";

const message = (type: string, loopId: string, seq: number | null = null): SseMessage => ({
  seq,
  data: JSON.stringify({ type, loopId }),
});

test("[R-WEB-1, R-WEB-3] what comes in one stream goes to the list, to the loop, or to both", () => {
  const { lines, ofLoop } = partArrivals(
    [
      message("loop.summary", "a"),
      message("loop.summary", "b"),
      message("loop.progress", "a"),
      message("loop.tool_call.start", "a"),
      message("loop.tool_call.start", "b"),
      message("loop.deleted", "b", 7),
      message("loop.message", "a", 8),
    ],
    "a",
  );
  expect(lines.map(({ type }) => type)).toEqual([
    "loop.summary",
    "loop.summary",
    "loop.tool_call.start",
    "loop.tool_call.start",
    "loop.deleted",
  ]);
  expect(ofLoop.map(({ event }) => event.type as string)).toEqual([
    "loop.summary",
    "loop.progress",
    "loop.tool_call.start",
    "loop.message",
  ]);
  expect(ofLoop.at(-1)).toMatchObject({ durable: true, event: { seq: 8 } });
});

test("without a loop on the screen only the list is asked for", () => {
  expect(tabStreamUrl(null)).not.toContain("loop=");
  expect(tabStreamUrl({ id: "a", after: 7 })).toEndWith("&loop=a&after=7");
  expect(partArrivals([message("loop.summary", "a")], null).ofLoop).toEqual([]);
});
