import type { AgentEvent, MessageKind } from "@ralpher/contract";

/** The messages and tool calls of a turn that have begun and not ended. */
export interface Unfinished {
  note(event: AgentEvent): void;
  /** The events that end what is open, in the order it began. */
  close(): AgentEvent[];
}

export function createUnfinished(): Unfinished {
  const messages = new Map<string, { kind: MessageKind; text: string }>();
  const calls = new Map<string, { name: string; input: unknown; startedAt: number }>();
  return {
    note(event) {
      switch (event.type) {
        case "message.delta": {
          const message = messages.get(event.messageId);
          if (message === undefined) messages.set(event.messageId, { kind: event.kind, text: event.delta });
          else message.text += event.delta;
          break;
        }
        case "message.complete":
          messages.delete(event.messageId);
          break;
        case "tool.start":
          calls.set(event.callId, { name: event.name, input: event.input, startedAt: performance.now() });
          break;
        case "tool.complete":
          calls.delete(event.tool.id);
          break;
      }
    },
    close() {
      const ends: AgentEvent[] = [];
      for (const [messageId, { kind, text }] of messages)
        ends.push({ type: "message.complete", messageId, kind, text });
      for (const [id, { name, input, startedAt }] of calls) {
        const durationMs = Math.round(performance.now() - startedAt);
        ends.push({
          type: "tool.complete",
          tool: { id, name, input, output: "", outputBytes: 0, status: "error", durationMs },
        });
      }
      messages.clear();
      calls.clear();
      return ends;
    },
  };
}
