import type { EphemeralEvent, LoopId, Published } from "@ralpher/contract";

type Progress = Extract<EphemeralEvent, { type: "loop.progress" }>;
type ToolStart = Extract<EphemeralEvent, { type: "loop.tool_call.start" }>;

/**
 * What is being written and run at this moment in the loops of this process, so that somebody who begins to watch in
 * the middle of a sentence sees all of it.
 */
export class Live {
  readonly #loops = new Map<LoopId, { texts: Map<string, Progress>; tools: Map<string, ToolStart> }>();

  hear({ event }: Published): void {
    switch (event.type) {
      case "loop.progress": {
        const { texts } = this.#of(event.loopId);
        const known = texts.get(event.messageId);
        texts.set(event.messageId, { ...event, content: (known?.content ?? "") + event.content, restart: true });
        break;
      }
      case "loop.tool_call.start":
        this.#of(event.loopId).tools.set(event.tool.id, event);
        break;
      case "loop.message":
        this.#loops.get(event.loopId)?.texts.delete(event.message.id);
        break;
      case "loop.tool_call":
        this.#loops.get(event.loopId)?.tools.delete(event.tool.id);
        break;
      case "loop.turn.end":
      case "loop.interrupted":
      case "loop.deleted":
        this.#loops.delete(event.loopId);
    }
  }

  /** What to show first to somebody who begins to watch this loop, or all of them (null). */
  now(loopId: LoopId | null): EphemeralEvent[] {
    if (loopId === null) return [...this.#loops.keys()].flatMap((each) => this.now(each));
    const live = this.#loops.get(loopId);
    return live === undefined ? [] : [...live.tools.values(), ...live.texts.values()];
  }

  #of(loopId: LoopId) {
    const known = this.#loops.get(loopId);
    if (known !== undefined) return known;
    const fresh = { texts: new Map<string, Progress>(), tools: new Map<string, ToolStart>() };
    this.#loops.set(loopId, fresh);
    return fresh;
  }
}
