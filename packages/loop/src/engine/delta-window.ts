import type { AgentEvent } from "@ralpher/contract";
import type { Execution } from "./execution.ts";

/** Deltas of so many milliseconds go out together: no eye can tell, and a flood of them costs little. */
const windowMs = 20;

/** Gathers deltas of one message and shows them as one. Call `flush` before anything that must come after them. */
export function createDeltaWindow({ show }: Execution, iteration: number) {
  let pending: Extract<AgentEvent, { type: "message.delta" }> | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const flush = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (pending === null) return;
    const { messageId, kind, delta: content } = pending;
    pending = null;
    show({ type: "loop.progress", iteration, messageId, kind, content });
  };
  const add = (event: Extract<AgentEvent, { type: "message.delta" }>) => {
    if (pending !== null && pending.messageId === event.messageId) {
      pending = { ...pending, delta: pending.delta + event.delta };
    } else {
      flush();
      pending = event;
    }
    timer ??= setTimeout(flush, windowMs);
  };
  return { add, flush };
}
