import type {
  AssistantMessage,
  Event,
  Message,
  Part,
  ReasoningPart,
  SessionStatus,
  TextPart,
  ToolPart,
} from "@opencode-ai/sdk/v2/client";
import type { AgentEvent, MessageKind, Usage } from "@ralpher/contract";
import { boundOutput } from "../../tool-output.ts";
import type { OpencodeError } from "./failure.ts";
import { sumUsage } from "./usage.ts";

export type Retry = Extract<SessionStatus, { type: "retry" }>;

/** What a transcript tells while it is read. */
export interface TranscriptListener {
  emit(event: AgentEvent): void;
  /** opencode rests: the turn may be over. Can come more than once. */
  idle(): void;
  /** opencode waits before it asks the provider again. */
  retry(retry: Retry): void;
  permission(requestId: string): void;
  question(requestId: string): void;
}

/** How a turn stands once opencode rests. `unclear`: it neither finished nor failed, as far as was heard. */
export type Verdict =
  | { state: "done"; text: string }
  | { state: "failed"; error: OpencodeError }
  | { state: "unclear" };

/** What was heard of one turn. Reading the same thing twice changes nothing, so a gap is closed by reading it all again. */
export interface Transcript {
  read(event: Event): void;
  verdict(): Verdict;
  usage(): Usage;
  /** The ids of the messages of this turn. */
  messageIds(): Iterable<string>;
}

/**
 * Make sense of opencode's events for one turn of a session. `earlier` holds the ids of the messages of former turns,
 * of which late news may still come.
 */
export function createTranscript(
  sessionId: string,
  earlier: ReadonlySet<string>,
  listener: TranscriptListener,
): Transcript {
  /** Every assistant message of the turn, the subagents' included. */
  const messages = new Map<string, AssistantMessage>();
  const prompts = new Set<string>();
  /** Text and reasoning parts under way, as far as they were passed on. */
  const heard = new Map<string, { kind: MessageKind; text: string }>();
  const started = new Set<string>();
  const finished = new Set<string>();
  /** The final text, by part: of the newest message that is no summary. */
  let texts = new Map<string, string>();
  let speaker: string | null = null;
  let newest: AssistantMessage | null = null;
  /** The last error, and the message that was newest when it came. */
  let trouble: { error: OpencodeError; during: string | null } | null = null;
  let begun = false;

  function readMessage(message: Message): void {
    if (earlier.has(message.id)) return;
    if (message.role === "user") {
      prompts.add(message.id);
      return;
    }
    const isNew = !messages.has(message.id);
    messages.set(message.id, message);
    if (message.sessionID !== sessionId) return;
    if (isNew || newest?.id === message.id) newest = message;
    begun = true;
    if (isNew && message.summary !== true) {
      speaker = message.id;
      texts = new Map();
    }
  }

  function readPart(part: Part): void {
    const message = messages.get(part.messageID);
    // A prompt's part, or a former turn's.
    if (message === undefined || message.summary === true) return;
    if (part.type === "tool") readTool(part);
    // What a subagent says goes to the agent that asked, and comes as the output of its tool.
    else if ((part.type === "text" || part.type === "reasoning") && part.sessionID === sessionId) readText(part);
  }

  function readText(part: TextPart | ReasoningPart): void {
    if (finished.has(part.id)) return;
    if (part.type === "text" && part.synthetic === true) return;
    const { id, type: kind, text } = part;
    const known = heard.get(id) ?? { kind, text: "" };
    heard.set(id, known);
    // After a gap what was heard may lack its middle; then only the whole can mend it.
    if (text.length > known.text.length && text.startsWith(known.text)) readDelta(id, text.slice(known.text.length));
    if (part.time?.end === undefined) return;
    if (kind === "text" && part.messageID === speaker) texts.set(id, text);
    complete(id, kind, text);
  }

  function complete(messageId: string, kind: MessageKind, text: string): void {
    finished.add(messageId);
    heard.delete(messageId);
    if (text !== "") listener.emit({ type: "message.complete", messageId, kind, text });
  }

  function readDelta(messageId: string, delta: string): void {
    const known = heard.get(messageId);
    // Of a prompt, a subagent or a summary; or its beginning was missed, and the whole will follow.
    if (known === undefined) return;
    known.text += delta;
    listener.emit({ type: "message.delta", messageId, kind: known.kind, delta });
  }

  function readTool({ id, tool, state }: ToolPart): void {
    if (state.status === "pending" || finished.has(id)) return;
    if (!started.has(id)) {
      started.add(id);
      listener.emit({ type: "tool.start", callId: id, name: tool, input: state.input });
    }
    if (state.status === "running") return;
    finished.add(id);
    listener.emit({
      type: "tool.complete",
      tool: {
        id,
        name: tool,
        input: state.input,
        ...boundOutput(state.status === "completed" ? state.output : state.error),
        status: state.status,
        durationMs: Math.max(0, Math.round(state.time.end - state.time.start)),
      },
    });
  }

  function readStatus(status: SessionStatus, isRoot: boolean): void {
    if (status.type === "retry") {
      // The next answer begins anew; of this one there will be no more.
      if (isRoot) for (const [id, { kind, text }] of heard) complete(id, kind, text);
      listener.retry(status);
    } else if (status.type === "idle" && isRoot) rest();
    else if (isRoot) begun = true;
  }

  function rest(): void {
    // News of the former turn's end may come late.
    if (begun) listener.idle();
  }

  return {
    read(event) {
      switch (event.type) {
        case "message.part.delta":
          if (event.properties.field === "text") readDelta(event.properties.partID, event.properties.delta);
          break;
        case "message.part.updated":
          readPart(event.properties.part);
          break;
        case "message.updated":
          readMessage(event.properties.info);
          break;
        case "session.status":
          readStatus(event.properties.status, event.properties.sessionID === sessionId);
          break;
        case "session.idle":
          if (event.properties.sessionID === sessionId) rest();
          break;
        case "session.error":
          // The first one says it best; a second tells of the same with a stack trace.
          if (event.properties.sessionID === sessionId && event.properties.error !== undefined) {
            const during = newest?.id ?? null;
            if (trouble?.during !== during || trouble === null) trouble = { error: event.properties.error, during };
          }
          break;
        case "session.compacted":
          listener.emit({
            type: "notice",
            text: "The conversation had filled the model's context; opencode summarised it.",
          });
          break;
        case "permission.asked":
          listener.permission(event.properties.id);
          break;
        case "question.asked":
          listener.question(event.properties.id);
          break;
      }
    },
    verdict() {
      if (newest?.error !== undefined) return { state: "failed", error: newest.error };
      // Rest can come before the message that tells of the error.
      if (trouble !== null && trouble.during === (newest?.id ?? null) && newest?.finish === undefined) {
        return { state: "failed", error: trouble.error };
      }
      if (newest?.finish === undefined) return { state: "unclear" };
      return { state: "done", text: [...texts.values()].filter((text) => text !== "").join("\n") };
    },
    usage: () => sumUsage(messages.values()),
    messageIds: () => [...prompts, ...messages.keys()],
  };
}
