import type { SDKAssistantMessage, SDKPartialAssistantMessage } from "@anthropic-ai/claude-agent-sdk";
import type { AgentEvent, MessageKind } from "@ralpher/contract";

type StreamEvent = SDKPartialAssistantMessage["event"];
type Block = SDKAssistantMessage["message"]["content"][number];

/**
 * What the agent says and thinks, put together from pieces: first deltas, then the whole block. Either may be missing: an
 * answer that was cut off has no whole, and what did not come from the model has no deltas.
 */
export interface Speech {
  /** A piece of an answer as it is streamed. */
  stream(event: StreamEvent): void;
  /** A whole block of an answer. Returns its text; null when it is no text. */
  whole(answerId: string, block: Block): string | null;
  /** What is half said stays so: the next answer begins anew. */
  cut(): void;
}

interface Open {
  answerId: string;
  messageId: string;
  kind: MessageKind;
  text: string;
}

export function createSpeech(emit: (event: AgentEvent) => void): Speech {
  let answerId = "";
  let blocks = 0;
  let open: Open | null = null;

  function begin(id: string, kind: MessageKind): Open {
    blocks++;
    open = { answerId: id, messageId: `${id}-${blocks}`, kind, text: "" };
    return open;
  }

  function say(message: Open, delta: string): void {
    if (delta === "") return;
    message.text += delta;
    emit({ type: "message.delta", messageId: message.messageId, kind: message.kind, delta });
  }

  function end(): void {
    if (open !== null && open.text !== "") {
      const { messageId, kind, text } = open;
      emit({ type: "message.complete", messageId, kind, text });
    }
    open = null;
  }

  return {
    stream(event) {
      switch (event.type) {
        case "message_start":
          end();
          answerId = event.message.id;
          break;
        case "content_block_start":
          end();
          if (event.content_block.type === "text") begin(answerId, "text");
          if (event.content_block.type === "thinking") begin(answerId, "reasoning");
          break;
        case "content_block_delta":
          if (open === null) break;
          if (event.delta.type === "text_delta") say(open, event.delta.text);
          if (event.delta.type === "thinking_delta") say(open, event.delta.thinking);
          break;
      }
    },
    whole(id, block) {
      if (block.type !== "text" && block.type !== "thinking") return null;
      const kind = block.type === "text" ? "text" : "reasoning";
      const text = block.type === "text" ? block.text : block.thinking;
      if (open?.answerId !== id || open.kind !== kind || !text.startsWith(open.text)) {
        end();
        begin(id, kind);
      }
      if (open !== null) say(open, text.slice(open.text.length));
      end();
      return kind === "text" ? text : null;
    },
    cut: end,
  };
}
