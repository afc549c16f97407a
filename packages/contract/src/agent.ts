import { z } from "zod";
import { Timestamp } from "./ids.ts";

/** The agent runtimes a loop can name. */
export const BackendType = z.enum(["opencode", "claude", "acp", "scripted"]);
export type BackendType = z.infer<typeof BackendType>;

/** A model as providers and opencode name it, e.g. `anthropic` / `claude-sonnet-4-5`. */
export const ModelRef = z.object({ providerID: z.string().min(1), modelID: z.string().min(1) });
export type ModelRef = z.infer<typeof ModelRef>;

/** Parse `provider/model`; the model's own name may contain slashes. Returns null when there is no provider. */
export function parseModelRef(text: string): ModelRef | null {
  const slash = text.indexOf("/");
  if (slash < 1 || slash === text.length - 1) return null;
  return { providerID: text.slice(0, slash), modelID: text.slice(slash + 1) };
}

/** Tokens and money of one or more turns. A field the backend did not report is null: unknown is never 0. */
export const Usage = z.object({
  inputTokens: z.int().nonnegative().nullable(),
  outputTokens: z.int().nonnegative().nullable(),
  costUsd: z.number().nonnegative().nullable(),
});
export type Usage = z.infer<typeof Usage>;

/**
 * What an agent's tools do, whatever each backend calls them. `run`: any command; `web`: fetch or search the web;
 * `delegate`: hand work to subagents, which are held to the same rules.
 */
export const ToolKind = z.enum(["read", "search", "edit", "run", "web", "delegate"]);
export type ToolKind = z.infer<typeof ToolKind>;

/**
 * The only things an agent may do; nobody is asked about the rest, it is refused. `commands` may be run though `run` is
 * not allowed: each is a command line such as `bun test`, as it stands or with plain arguments behind it.
 */
export const ToolAccess = z.strictObject({
  kinds: z.array(ToolKind),
  commands: z.array(z.string().trim().min(1)).default([]),
});
export type ToolAccess = z.infer<typeof ToolAccess>;

/** A JSON Schema (draft 2020-12) of an object. */
export type JsonSchema = Record<string, unknown>;

/**
 * Why a turn failed. `missing`: the agent's program, or the folder it is to work in, is not there; `model`: the backend
 * does not know the model; `overflow`: the context window is full; `protocol`: the backend said something we cannot read;
 * `budget`: it used up what it was given; `output`: its answer does not have the form that was asked for.
 */
export const FailureReason = z.enum([
  "rate_limited",
  "auth",
  "model",
  "missing",
  "overflow",
  "timeout",
  "connection",
  "server",
  "crashed",
  "aborted",
  "protocol",
  "budget",
  "output",
  "unknown",
]);
export type FailureReason = z.infer<typeof FailureReason>;

/** One of several tries at the same answer. */
export const FailedAttempt = z.object({ at: Timestamp, reason: FailureReason, message: z.string() });
export type FailedAttempt = z.infer<typeof FailedAttempt>;

export const TurnFailure = z.object({
  reason: FailureReason,
  message: z.string(),
  /** What the provider asked us to wait, in milliseconds. */
  retryAfterMs: z.int().nonnegative().optional(),
  /** The tries that the backend made by itself, the last one included, oldest first; absent when it made only one. */
  attempts: z.array(FailedAttempt).optional(),
});
export type TurnFailure = z.infer<typeof TurnFailure>;

/** The backend's own session, as far as it tells (R-BACK-5). */
export const SessionRef = z.object({ id: z.string(), serverUrl: z.string().optional() });
export type SessionRef = z.infer<typeof SessionRef>;

/** One tool call as people and programs see it. `output` may be shortened; `outputBytes` is its whole size. */
export const ToolCall = z.object({
  id: z.string(),
  name: z.string(),
  input: z.unknown(),
  output: z.string(),
  outputBytes: z.int().nonnegative(),
  status: z.enum(["completed", "error"]),
  durationMs: z.int().nonnegative(),
});
export type ToolCall = z.infer<typeof ToolCall>;

/**
 * What an agent does while it works, in order. Deltas of one message are followed by its `message.complete`. A `usage`
 * follows each answer of the model, with what the turn has used so far; backends that cannot tell answers apart send none.
 */
export type AgentEvent =
  | { type: "session.start"; session: SessionRef }
  | { type: "message.delta"; messageId: string; kind: MessageKind; delta: string }
  | { type: "message.complete"; messageId: string; kind: MessageKind; text: string }
  | { type: "tool.start"; callId: string; name: string; input: unknown }
  | { type: "tool.complete"; tool: ToolCall }
  | { type: "usage"; answers: number; usage: Usage }
  | { type: "notice"; text: string };

/** What the agent says to people, or thinks by itself. Only `text` can carry the promise. */
export const MessageKind = z.enum(["text", "reasoning"]);
export type MessageKind = z.infer<typeof MessageKind>;

/**
 * How a turn ended. `text` is the assistant's final text: its last message, without reasoning. `structured` is what it
 * answered in the form that was asked for, checked by nobody yet; absent when it gave no such answer.
 */
export type TurnResult =
  | { outcome: "done"; text: string; structured?: unknown; usage: Usage }
  | { outcome: "failed"; failure: TurnFailure; usage: Usage };
