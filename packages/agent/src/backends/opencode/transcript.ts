import type {
  AssistantMessage,
  Event,
  Message,
  Part,
  PermissionRequest,
  SessionStatus,
} from "@opencode-ai/sdk/v2/client";
import type { AgentEvent, Usage } from "@ralpher/contract";
import { structuredTool } from "../../programs/opencode/permission-rules.ts";
import type { OpencodeError } from "./failure.ts";
import { createPartReader } from "./parts.ts";
import type { Retry } from "./retry-log.ts";
import { sumUsage } from "./usage.ts";

/** What a transcript tells while it is read. */
export interface TranscriptListener {
  emit(event: AgentEvent): void;
  /** The model has answered, in the session or a subagent's. `isLast`: the turn needs no other answer. */
  answered(sessionId: string, isLast: boolean): void;
  /** opencode rests: the turn may be over. Can come more than once. */
  idle(): void;
  /** opencode waits before it asks the provider again. */
  retry(sessionId: string, retry: Retry): void;
  /** A tool wants to do something. `root`: the folder that its patterns of files are relative to. */
  permission(request: PermissionRequest, root: string): void;
  question(requestId: string): void;
}

/** How a turn stands once opencode rests. `unclear`: it neither finished nor failed, as far as was heard. */
export type Verdict =
  | { state: "done"; text: string; structured?: unknown }
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
  const parts = createPartReader(listener.emit);
  const answers = new Set<string>();
  /** The messages that hold a structured answer. */
  const formed = new Set<string>();
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
    readAnswer(message);
    if (message.sessionID !== sessionId) return;
    if (isNew || newest?.id === message.id) newest = message;
    begun = true;
    if (isNew && message.summary !== true) {
      speaker = message.id;
      texts = new Map();
    }
  }

  function readAnswer({ id, finish, sessionID }: AssistantMessage): void {
    if (finish === undefined || answers.has(id)) return;
    answers.add(id);
    listener.emit({ type: "usage", answers: answers.size, usage: sumUsage(messages.values()) });
    const goesOn = (finish === "tool-calls" || finish === "unknown") && !formed.has(id);
    listener.answered(sessionID, sessionID === sessionId && !goesOn);
  }

  function readPart(part: Part): void {
    const message = messages.get(part.messageID);
    // A prompt's part, or a former turn's.
    if (message === undefined || message.summary === true) return;
    if (part.type === "tool") {
      if (part.tool === structuredTool) formed.add(part.messageID);
      parts.tool(part);
      return;
    }
    // What a subagent says goes to the agent that asked, and comes as the output of its tool.
    if ((part.type !== "text" && part.type !== "reasoning") || part.sessionID !== sessionId) return;
    const text = parts.text(part);
    if (text !== null && part.messageID === speaker) texts.set(part.id, text);
  }

  function readStatus(status: SessionStatus, id: string): void {
    const isRoot = id === sessionId;
    if (status.type === "retry") {
      // The next answer begins anew.
      if (isRoot) parts.cut();
      listener.retry(id, status);
    } else if (status.type === "idle" && isRoot) rest();
    else if (isRoot) begun = true;
  }

  function readPermission(request: PermissionRequest): void {
    const asking = messages.get(request.tool?.messageID ?? "") ?? newest;
    listener.permission(request, asking?.path.root ?? "/");
  }

  function rest(): void {
    // News of the former turn's end may come late.
    if (begun) listener.idle();
  }

  return {
    read(event) {
      switch (event.type) {
        case "message.part.delta":
          if (event.properties.field === "text") parts.delta(event.properties.partID, event.properties.delta);
          break;
        case "message.part.updated":
          readPart(event.properties.part);
          break;
        case "message.updated":
          readMessage(event.properties.info);
          break;
        case "session.status":
          readStatus(event.properties.status, event.properties.sessionID);
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
          readPermission(event.properties);
          break;
        case "question.asked":
          listener.question(event.properties.id);
          break;
      }
    },
    verdict() {
      const talksOnly = newest?.error?.name === "StructuredOutputError";
      if (newest?.error !== undefined && !talksOnly) return { state: "failed", error: newest.error };
      // Rest can come before the message that tells of the error.
      if (trouble !== null && trouble.during === (newest?.id ?? null) && newest?.finish === undefined) {
        return { state: "failed", error: trouble.error };
      }
      if (newest?.finish === undefined) return { state: "unclear" };
      const text = [...texts.values()].filter((one) => one !== "").join("\n");
      return { state: "done", text, ...(newest.structured === undefined ? {} : { structured: newest.structured }) };
    },
    usage: () => sumUsage(messages.values()),
    messageIds: () => [...prompts, ...messages.keys()],
  };
}
