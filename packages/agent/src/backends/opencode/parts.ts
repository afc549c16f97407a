import type { Part, ReasoningPart, TextPart, ToolPart } from "@opencode-ai/sdk/v2/client";
import type { AgentEvent, MessageKind } from "@ralpher/contract";
import { structuredTool } from "../../programs/opencode/permission-rules.ts";
import { boundOutput } from "../../tool-output.ts";

/** The parts of a turn's messages, passed on as events: each start, delta and end once, however often it is read. */
export interface PartReader {
  /** A text or reasoning. Returns the whole of a text that has ended. */
  text(part: TextPart | ReasoningPart): string | null;
  tool(part: ToolPart): void;
  delta(partId: string, delta: string): void;
  /** Of what is half said there will be no more. */
  cut(): void;
}

// What opencode runs when the model calls a tool that is not there, or gives it no valid input.
const placeholder = "invalid";

export function createPartReader(emit: (event: AgentEvent) => void): PartReader {
  /** Text and reasoning parts under way, as far as they were passed on. */
  const heard = new Map<string, { kind: MessageKind; text: string }>();
  const started = new Set<string>();
  const finished = new Set<string>();

  function complete(messageId: string, kind: MessageKind, text: string): void {
    finished.add(messageId);
    heard.delete(messageId);
    if (text !== "") emit({ type: "message.complete", messageId, kind, text });
  }

  function delta(messageId: string, delta: string): void {
    const known = heard.get(messageId);
    // Of a prompt, a subagent or a summary; or its beginning was missed, and the whole will follow.
    if (known === undefined) return;
    known.text += delta;
    emit({ type: "message.delta", messageId, kind: known.kind, delta });
  }

  return {
    delta,
    text(part) {
      if (finished.has(part.id)) return null;
      if (part.type === "text" && part.synthetic === true) return null;
      const { id, type: kind, text } = part;
      const known = heard.get(id) ?? { kind, text: "" };
      heard.set(id, known);
      // After a gap what was heard may lack its middle; then only the whole can mend it.
      if (text.length > known.text.length && text.startsWith(known.text)) delta(id, text.slice(known.text.length));
      if (part.time?.end === undefined) return null;
      complete(id, kind, text);
      return kind === "text" ? text : null;
    },
    tool({ id, tool, state }) {
      if (state.status === "pending" || finished.has(id)) return;
      const { name, input, isMissing } = readCall(tool, state.input);
      // No tool of the agent's, but the way it answers.
      if (name === structuredTool) return;
      if (!started.has(id)) {
        started.add(id);
        emit({ type: "tool.start", callId: id, name, input });
      }
      if (state.status === "running") return;
      finished.add(id);
      emit({
        type: "tool.complete",
        tool: {
          id,
          name,
          input,
          ...boundOutput(state.status === "completed" ? state.output : state.error),
          status: isMissing ? "error" : state.status,
          durationMs: Math.max(0, Math.round(state.time.end - state.time.start)),
        },
      });
    },
    cut() {
      for (const [id, { kind, text }] of heard) complete(id, kind, text);
    },
  };
}

function readCall(tool: string, input: Extract<Part, { type: "tool" }>["state"]["input"]) {
  if (tool !== placeholder) return { name: tool, input, isMissing: false };
  return { name: typeof input.tool === "string" ? input.tool : tool, input, isMissing: true };
}
