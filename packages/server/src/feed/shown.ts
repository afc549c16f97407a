import type { EphemeralEvent, LoopId } from "@ralpher/contract";
import { type Frame, textKey } from "./frame.ts";

/**
 * What a watcher has been shown of that which is under way, noted when it falls behind: when it is back it gets the
 * rest of a text it knows the beginning of, and only of others the whole. Lines of the list have no durable whole, so
 * the newest one that was passed over is kept for it.
 */
export class Shown {
  readonly #texts = new Map<string, string>();
  readonly #tools = new Set<string>();
  readonly #lines = new Map<LoopId, Frame>();

  /** `live`: what is under way; `unseen`: the frames that are in it already and that the watcher did not get. */
  constructor(live: EphemeralEvent[], unseen: Frame[]) {
    const missing = new Map<string, number>();
    const missed = new Set<string>();
    for (const { event } of unseen) {
      if (event.type === "loop.progress") add(missing, keyOf(event), event.content.length);
      if (event.type === "loop.tool_call.start") missed.add(keyOf(event));
    }
    for (const event of live) {
      const key = keyOf(event);
      if (event.type === "loop.progress") {
        const length = event.content.length - (missing.get(key) ?? 0);
        if (length > 0) this.#texts.set(key, event.content.slice(0, length));
      } else if (!missed.has(key)) this.#tools.add(key);
    }
    this.passOver(unseen);
  }

  passOver(frames: Frame[]): void {
    for (const frame of frames) {
      if (frame.event.type === "loop.summary") this.#lines.set(frame.loopId, frame);
      else if (frame.event.type === "loop.deleted") this.#lines.delete(frame.loopId);
    }
  }

  /** What of that which is under way now it has not been shown, and the lines that were passed over. */
  rest(live: EphemeralEvent[]): EphemeralEvent[] {
    const rest: EphemeralEvent[] = [];
    for (const event of live) {
      const key = keyOf(event);
      if (event.type !== "loop.progress") {
        if (!this.#tools.has(key)) rest.push(event);
        continue;
      }
      const shown = this.#texts.get(key);
      if (shown === undefined || !event.content.startsWith(shown)) rest.push(event);
      else if (event.content.length > shown.length) {
        const { restart: _, ...piece } = event;
        rest.push({ ...piece, content: event.content.slice(shown.length) });
      }
    }
    return rest;
  }

  get lines(): Frame[] {
    return [...this.#lines.values()];
  }
}

function keyOf(event: EphemeralEvent): string {
  if (event.type === "loop.progress") return `${event.loopId} ${textKey(event)}`;
  return event.type === "loop.tool_call.start" ? `${event.loopId} tool ${event.tool.id}` : event.loopId;
}

function add(sums: Map<string, number>, key: string, more: number): void {
  sums.set(key, (sums.get(key) ?? 0) + more);
}
