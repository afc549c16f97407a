import type { AgentEvent, MessageKind } from "@ralpher/contract";
import { ToolReport } from "./messages.ts";
import { createToolCalls, type EndedCall, type ToolCalls } from "./tool-calls.ts";

export interface TranscriptListener {
  emit(event: AgentEvent): void;
  /** What the session has cost so far, in US dollars. */
  cost(total: number): void;
  toolEnded(call: EndedCall): void;
}

/** What a turn says and does, from the updates of its session. */
export interface Transcript {
  /** Returns what it was: work, news of it, or (of commands, titles, modes and what we do not know) nothing of either. */
  read(update: unknown): "work" | "news" | null;
  /** What is being said ends here. */
  pause(): void;
  /** The answer begins anew; of what was said of it nothing counts. */
  restart(): void;
  readonly tools: ToolCalls;
  /** The agent's last message, without what it thought, and before which no tool was called. */
  text(): string;
}

interface Message {
  id: string;
  kind: MessageKind;
  /** The agent's own id for it. */
  source: unknown;
  text: string;
}

export function createTranscript({ emit, cost, toolEnded }: TranscriptListener): Transcript {
  const tools = createToolCalls(emit);
  let open: Message | null = null;
  let source: unknown;
  let texts: string[] = [];

  function pause(): void {
    if (open === null) return;
    const { id, kind, text } = open;
    emit({ type: "message.complete", messageId: id, kind, text });
    if (kind === "text") texts.push(text);
    open = null;
  }

  function say(kind: MessageKind, { content, messageId }: Record<string, unknown>): void {
    const { text } = (content ?? {}) as { text?: unknown };
    if (typeof text !== "string" || text === "") return;
    tools.begin();
    if (open !== null && (open.kind !== kind || open.source !== messageId)) pause();
    if (open === null) {
      // The agent's ids may come again after an interruption, or for both kinds.
      open = { id: crypto.randomUUID(), kind, source: messageId, text: "" };
      if (kind === "text" && messageId !== source) {
        texts = [];
        source = messageId;
      }
    }
    open.text += text;
    emit({ type: "message.delta", messageId: open.id, kind, delta: text });
  }

  function act(update: Record<string, unknown>): void {
    const { data: report } = ToolReport.safeParse(update);
    if (report === undefined) return;
    pause();
    if (tools.isNew(report.toolCallId)) texts = [];
    const ended = tools.read(report);
    if (ended !== null) toolEnded(ended);
  }

  return {
    tools,
    pause,
    restart() {
      pause();
      texts = [];
    },
    text: () => [...texts, ...(open?.kind === "text" ? [open.text] : [])].join("\n"),
    read(update) {
      if (typeof update !== "object" || update === null) return null;
      const fields = update as Record<string, unknown>;
      switch (fields.sessionUpdate) {
        case "agent_message_chunk":
          say("text", fields);
          return "work";
        case "agent_thought_chunk":
          say("reasoning", fields);
          return "work";
        case "tool_call":
        case "tool_call_update":
          act(fields);
          return "work";
        case "notice":
          emit({ type: "notice", text: [fields.title, fields.description].filter(isText).join(": ") });
          return "news";
        case "usage_update": {
          tools.begin();
          const { amount, currency } = (fields.cost ?? {}) as { amount?: unknown; currency?: unknown };
          if (typeof amount === "number" && amount >= 0 && currency === "USD") cost(amount);
          return "news";
        }
        case "plan":
          return "news";
        default:
          return null;
      }
    },
  };
}

const isText = (value: unknown) => typeof value === "string" && value !== "";
