import type { AgentEvent } from "@ralpher/contract";
import type { Redactor } from "./redact.ts";

type Delta = Extract<AgentEvent, { type: "message.delta" }>;

/** The deltas of messages without secrets: an end that may be the beginning of one waits for what follows. */
export interface RedactedDeltas {
  /** Returns the delta to pass on, or null when all of it has to wait. */
  add(delta: Delta): Delta | null;
  /** The message is whole: what of its deltas still waits, or null. */
  end(messageId: string): Delta | null;
  /** Nothing more comes: what still waits of all messages. */
  endAll(): Delta[];
}

export function createRedactedDeltas(redactor: Redactor): RedactedDeltas {
  const waiting = new Map<string, Delta>();

  function end(messageId: string): Delta | null {
    const rest = waiting.get(messageId);
    waiting.delete(messageId);
    return rest === undefined ? null : { ...rest, delta: redactor.text(rest.delta) };
  }

  return {
    add(delta) {
      const text = (waiting.get(delta.messageId)?.delta ?? "") + delta.delta;
      // Whole secrets go first: their place may end in what looks like the beginning of another.
      const redacted = redactor.text(text);
      const at = redactor.openEnd(redacted);
      if (at < redacted.length) waiting.set(delta.messageId, { ...delta, delta: redacted.slice(at) });
      else waiting.delete(delta.messageId);
      return at === 0 ? null : { ...delta, delta: redacted.slice(0, at) };
    },
    end,
    endAll: () => [...waiting.keys()].map(end).filter((rest) => rest !== null),
  };
}
