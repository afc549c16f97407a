import type {
  SDKAPIRetryMessage,
  SDKAssistantMessage,
  SDKAssistantMessageError,
  SDKMessage,
  SDKPartialAssistantMessage,
  SDKUserMessage,
  SDKUserMessageReplay,
} from "@anthropic-ai/claude-agent-sdk";
import type { AgentEvent, Usage } from "@ralpher/contract";
import { structuredTool } from "../../programs/claude-code/tool-kinds.ts";
import { outputOf } from "../../programs/claude-code/tool-results.ts";
import { createSpeech } from "./speech.ts";
import { type AnswerUsage, sumAnswers } from "./usage.ts";

/** What a transcript tells while it is read. */
export interface TranscriptListener {
  emit(event: AgentEvent): void;
  /** The model has answered. */
  answered(): void;
  /** Claude Code waits before it asks the provider again. */
  retry(retry: SDKAPIRetryMessage): void;
}

/** What was heard of one turn. */
export interface Transcript {
  read(message: SDKMessage): void;
  /** The agent's last message, without reasoning; null when it said nothing at all. */
  text(): string | null;
  /** The structured answer as it was given; null when none was. */
  structured(): { value: unknown } | null;
  /** What the answers so far used, as far as they were heard: without subagents and compactions. */
  usage(): Usage;
  /** What went wrong with the provider. */
  error(): SDKAssistantMessageError | undefined;
  /** Until when the subscription's limit holds, in milliseconds since the epoch; null when none is reached. */
  limitedUntil(): number | null;
  /** Claude Code's id of the last message of the agent's. */
  lastMessage(): string | null;
}

/** Make sense of Claude Code's messages of one turn. */
export function createTranscript({ emit, answered, retry }: TranscriptListener): Transcript {
  const speech = createSpeech(emit);
  const calls = new Map<string, { name: string; input: unknown; startedAt: number }>();
  const answers: AnswerUsage[] = [];
  let answer: AnswerUsage = {};
  /** The final text, of the newest answer. */
  let speaker: string | null = null;
  let texts: string[] = [];
  let structured: { value: unknown } | null = null;
  let error: SDKAssistantMessageError | undefined;
  let limitedUntil: number | null = null;
  let lastMessage: string | null = null;

  function readPiece({ event, parent_tool_use_id }: SDKPartialAssistantMessage): void {
    if (parent_tool_use_id !== null) return;
    speech.stream(event);
    if (event.type === "message_start") {
      answer = known(event.message.usage);
      error = undefined;
    }
    if (event.type !== "message_delta") return;
    answer = { ...answer, ...known(event.usage) };
    // An answer that broke off is brought to an end, too, but without a reason for it.
    if (event.delta.stop_reason === null) return;
    answers.push(answer);
    answered();
    emit({ type: "usage", answers: answers.length, usage: sumAnswers(answers) });
  }

  function readAnswer(message: SDKAssistantMessage): void {
    // What a subagent says goes to the agent that asked, and comes as the output of its tool; its tools are shown.
    const isOwn = message.parent_tool_use_id === null;
    if (isOwn && message.error !== undefined) {
      // Claude Code's words, put where the agent's would be.
      error = message.error;
      speech.cut();
      return;
    }
    const { id, content } = message.message;
    if (isOwn) {
      lastMessage = message.uuid;
      if (speaker !== id) texts = [];
      speaker = id;
    }
    for (const block of content) {
      if (block.type === "tool_use") startTool(block, isOwn);
      else if (isOwn) {
        const text = speech.whole(id, block);
        if (text !== null) texts.push(text);
      }
    }
  }

  function startTool({ id, name, input }: { id: string; name: string; input: unknown }, isOwn: boolean): void {
    if (name === structuredTool) {
      // No tool of the agent's, but the way it answers.
      if (isOwn) structured = { value: input };
      return;
    }
    calls.set(id, { name, input, startedAt: performance.now() });
    emit({ type: "tool.start", callId: id, name, input });
  }

  function readResults({ message, tool_use_result }: SDKUserMessage | SDKUserMessageReplay): void {
    if (!Array.isArray(message.content)) return;
    for (const block of message.content) {
      if (block.type !== "tool_result") continue;
      const call = calls.get(block.tool_use_id);
      if (call === undefined) continue;
      calls.delete(block.tool_use_id);
      emit({
        type: "tool.complete",
        tool: {
          id: block.tool_use_id,
          name: call.name,
          input: call.input,
          ...outputOf(block.content, tool_use_result),
          status: block.is_error === true ? "error" : "completed",
          durationMs: Math.round(performance.now() - call.startedAt),
        },
      });
    }
  }

  function readSystem(message: Extract<SDKMessage, { type: "system" }>): void {
    switch (message.subtype) {
      case "api_retry":
        speech.cut();
        retry(message);
        break;
      case "compact_boundary":
        emit({ type: "notice", text: "Claude Code summed up the conversation so far, for its context was full." });
        break;
      case "informational":
        // Above all: settings that did not load, so that the user's own rules do not hold.
        if (message.level === "warning") emit({ type: "notice", text: message.content });
        break;
    }
  }

  return {
    read(message) {
      switch (message.type) {
        case "stream_event":
          readPiece(message);
          break;
        case "assistant":
          readAnswer(message);
          break;
        case "user":
          readResults(message);
          break;
        case "system":
          readSystem(message);
          break;
        case "rate_limit_event": {
          const { status, resetsAt } = message.rate_limit_info;
          limitedUntil = status === "rejected" && resetsAt !== undefined ? resetsAt * 1000 : null;
          break;
        }
      }
    },
    text: () => (speaker === null ? null : texts.join("\n")),
    structured: () => structured,
    usage: () => sumAnswers(answers),
    error: () => error,
    limitedUntil: () => limitedUntil,
    lastMessage: () => lastMessage,
  };
}

/** The fields that say something. */
function known(usage: AnswerUsage): AnswerUsage {
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => typeof value === "number"));
}
