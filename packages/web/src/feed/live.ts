import type { LoopEvent } from "@ralpher/contract";
import { messageKey, toolKey } from "./log.ts";

/** Something under way now, shown after the log's last entry. `at` is when it was first seen, epoch milliseconds. */
export type LiveEntry = { key: string; iteration: number; at: number } & (
  | { kind: "live-text" | "live-reasoning"; text: string }
  | { kind: "live-tool"; name: string; input: unknown }
);

/**
 * Fold one event into what is under way. A piece of text is appended, a `restart` takes the place of what was there;
 * the durable whole, or the end of the turn, removes it. Returns the same array when nothing changed.
 */
export function foldLive(live: LiveEntry[], event: LoopEvent): LiveEntry[] {
  switch (event.type) {
    case "loop.progress": {
      const { iteration, content } = event;
      const key = messageKey(iteration, event.kind, event.messageId);
      const index = live.findIndex((entry) => entry.key === key);
      const old = live[index];
      if (old === undefined || !("text" in old)) {
        const kind = event.kind === "text" ? "live-text" : "live-reasoning";
        return [...live, { kind, key, iteration, at: Date.parse(event.at), text: content }];
      }
      return live.with(index, { ...old, text: event.restart === true ? content : old.text + content });
    }
    case "loop.tool_call.start": {
      const { iteration, tool } = event;
      const key = toolKey(iteration, tool.id);
      if (live.some((entry) => entry.key === key)) return live;
      return [
        ...live,
        { kind: "live-tool", key, iteration, at: Date.parse(event.at), name: tool.name, input: tool.input },
      ];
    }
    case "loop.message":
      return without(live, messageKey(event.iteration, event.message.kind, event.message.id));
    case "loop.tool_call":
      return without(live, toolKey(event.iteration, event.tool.id));
    case "loop.turn.start":
    case "loop.turn.end":
    case "loop.interrupted":
    case "loop.iteration.end":
      return live.length === 0 ? live : [];
    default:
      return live;
  }
}

function without(live: LiveEntry[], key: string): LiveEntry[] {
  return live.some((entry) => entry.key === key) ? live.filter((entry) => entry.key !== key) : live;
}
