import type { DurableEvent } from "@ralpher/contract";

/** Events in which a person would look for words; a commit only says again what the agent said. */
export const readableTypes = [
  "loop.turn.start",
  "loop.message",
  "loop.tool_call",
  "loop.notice",
  "loop.turn.end",
  "loop.interrupted",
  "loop.error",
  "loop.waiting",
  "loop.stop.requested",
  "loop.said",
  "loop.stash.restored",
  "loop.stopped",
  "loop.failed",
  "loop.max_iterations",
  "loop.stuck",
] as const satisfies DurableEvent["type"][];

/** The texts of an event that a person reads, those first that tell most. */
export function readableTexts(event: DurableEvent): string[] {
  switch (event.type) {
    case "loop.message":
      return [event.message.content];
    case "loop.tool_call":
      return [event.tool.name, ...textsIn(event.tool.input), event.tool.output];
    case "loop.turn.start":
      return [event.prompt];
    case "loop.turn.end":
      return event.failure === undefined ? [] : [event.failure.message];
    case "loop.notice":
    case "loop.said":
      return [event.text];
    case "loop.error":
      return [event.error];
    case "loop.stash.restored":
      return [event.note];
    default:
      return "reason" in event && event.reason !== undefined ? [event.reason] : [];
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
