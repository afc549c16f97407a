import { expect, test } from "bun:test";
import type { EphemeralEvent, LoopId } from "@ralpher/contract";
import { type Frame, mergePieces } from "./frame.ts";
import { Shown } from "./shown.ts";

const loopId = "11111111-1111-4111-8111-111111111111" as LoopId;
const base = { loopId, at: "2026-01-01T00:00:00.000Z", iteration: 1 };
const text = (content: string, messageId = "m") =>
  ({ ...base, type: "loop.progress", messageId, kind: "text", content }) as const;
const tool = (id: string) =>
  ({ ...base, type: "loop.tool_call.start", tool: { id, name: "bash", input: {} } }) as const;
const line = (order: number) => frame({ ...base, type: "loop.summary" } as unknown as EphemeralEvent, order);
let order = 0;
const frame = (event: EphemeralEvent, at = ++order, seq: number | null = null): Frame => ({
  order: at,
  seq,
  loopId: event.loopId,
  event,
  json: JSON.stringify(event),
});
const deleted = (): Frame => frame({ ...base, type: "loop.deleted" } as unknown as EphemeralEvent, 9, 9);

test("[R-SSE-4] of a text whose beginning was shown, the rest is told; of others the whole", () => {
  const live = [{ ...text("Hello wor"), restart: true }, tool("a"), tool("b")];
  const shown = new Shown(live, [frame(text("wor")), frame(tool("b"))]);
  const now = [{ ...text("Hello world"), restart: true }, { ...text("new", "n"), restart: true }, tool("a"), tool("b")];
  expect(shown.rest(now)).toEqual([text("world"), { ...text("new", "n"), restart: true }, tool("b")]);
});

test("[R-SSE-4] a text that began anew is told from its beginning", () => {
  const shown = new Shown([{ ...text("Hello"), restart: true }], []);
  const again = { ...text("Help!"), restart: true };
  expect(shown.rest([again])).toEqual([again]);
  expect(shown.rest([{ ...text("Hello"), restart: true }])).toEqual([]);
});

test("[R-SSE-4] of a loop's lines that were passed over the newest is kept, and none of a loop that is gone", () => {
  const shown = new Shown([], [line(1)]);
  shown.passOver([line(2), line(3)]);
  expect(shown.lines.map((kept) => kept.order)).toEqual([3]);
  shown.passOver([deleted()]);
  expect(shown.lines).toEqual([]);
});

test("pieces of a text that come together are one, but never across something durable", () => {
  const done = frame({ ...base, type: "loop.message" } as unknown as EphemeralEvent, 5, 5);
  const merged = mergePieces([
    frame(text("a")),
    frame(text("x", "other")),
    frame(text("b")),
    frame(tool("t")),
    frame(text("c")),
    done,
    frame(text("d")),
    frame(text("e")),
  ]);
  expect(merged.map(({ json }) => JSON.parse(json)).map((event) => event.content ?? event.type)).toEqual([
    "abc",
    "x",
    "loop.tool_call.start",
    "loop.message",
    "de",
  ]);
});

test("a text that begins anew is not put together with what came before", () => {
  const merged = mergePieces([frame(text("a")), frame({ ...text("whole"), restart: true }), frame(text("b"))]);
  expect(merged.map(({ event }) => "content" in event && event.content)).toEqual(["a", "wholeb"]);
  expect(merged[1]?.event).toMatchObject({ restart: true });
});
