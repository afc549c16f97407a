import type { Api } from "./api.ts";
import type { Place } from "./place.ts";
import type { Query } from "./query.ts";
import type { SideCall } from "./side-call.ts";

const promptLimit = 16_384;

/** A request as the log shows it. */
export interface ModelRequest {
  api: "anthropic" | "openai";
  model: string;
  /** The newest prompt without the agent's reminders, at most 16,384 characters; null when there is none. */
  prompt: string | null;
  /** Place of the step this asks for in its conversation, from 0; null for side calls and unmatched prompts. */
  stepIndex: number | null;
  /** Place of the matching conversation in the script, from 0; null for side calls and unmatched prompts. */
  conversation: number | null;
  session: string | null;
  /** What the agent asks for its own purposes, beside the conversation; null for the conversation itself. */
  sideCall: SideCall | null;
  stream: boolean;
  /** How many messages the request carried: how much context the agent sent. */
  messageCount: number;
  /** Names of the tools on offer. */
  tools: string[];
}

/** What the log keeps of a request. */
export function describeRequest(
  api: Api["name"],
  query: Query,
  place: Place | null,
  sideCall: SideCall | null,
): ModelRequest {
  // A side call is beside the conversation, even where its words happen to match one.
  const step = sideCall === null ? place : null;
  const newest = query.turns.findLast((turn) => turn.role === "user");
  return {
    api,
    model: query.model,
    prompt: newest?.texts.join("\n").slice(0, promptLimit) ?? null,
    stepIndex: step?.stepIndex ?? null,
    conversation: step?.index ?? null,
    session: query.session,
    sideCall,
    stream: query.stream,
    messageCount: query.messageCount,
    tools: query.tools,
  };
}
