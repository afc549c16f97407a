import { z } from "zod";
import { BackendType, MessageKind, ModelRef, SessionRef, ToolAccess, ToolCall, TurnFailure, Usage } from "./agent.ts";
import { Timestamp } from "./ids.ts";

/** How an agent is put to work: one prompt, several, a main prompt between others, or an iteration of a loop. */
export const AgentType = z.enum(["narrow", "walk", "bookend", "loop"]);
export type AgentType = z.infer<typeof AgentType>;

/** The first line of a captured conversation. */
export const CaptureHeader = z.object({
  type: z.literal("header"),
  version: z.literal(1),
  at: Timestamp,
  id: z.string(),
  agentType: AgentType,
  /** What the agent is there for, e.g. `orient`. */
  role: z.string().optional(),
  backend: BackendType,
  model: ModelRef.optional(),
  directory: z.string(),
  title: z.string(),
  /** The beginning of the first prompt, in one line. */
  promptSummary: z.string(),
  tools: ToolAccess.optional(),
});
export type CaptureHeader = z.infer<typeof CaptureHeader>;

/** A line of a captured conversation, in the order things happened. A conversation that was cut off lacks its `end`. */
export const CaptureRecord = z.discriminatedUnion("type", [
  CaptureHeader,
  z.object({ type: z.literal("prompt"), at: Timestamp, text: z.string(), wantsOutput: z.boolean() }),
  z.object({ type: z.literal("session"), at: Timestamp, session: SessionRef }),
  z.object({ type: z.literal("message"), at: Timestamp, kind: MessageKind, text: z.string() }),
  z.object({ type: z.literal("tool"), at: Timestamp, tool: ToolCall }),
  z.object({ type: z.literal("notice"), at: Timestamp, text: z.string() }),
  /** How a turn ended. */
  z.object({
    type: z.literal("outcome"),
    at: Timestamp,
    outcome: z.enum(["done", "failed"]),
    text: z.string().optional(),
    structured: z.unknown().optional(),
    failure: TurnFailure.optional(),
    usage: Usage,
    durationMs: z.int().nonnegative(),
  }),
  /** The conversation is over: how its last turn ended, and what all of them used. */
  z.object({
    type: z.literal("end"),
    at: Timestamp,
    outcome: z.enum(["done", "failed"]).nullable(),
    usage: Usage,
    durationMs: z.int().nonnegative(),
  }),
]);
export type CaptureRecord = z.infer<typeof CaptureRecord>;

/** A captured conversation as a list shows it. `ended` is false for one under way or cut off. */
export interface CaptureSummary {
  path: string;
  bytes: number;
  header: CaptureHeader;
  ended: boolean;
  outcome: "done" | "failed" | null;
  usage: Usage | null;
  durationMs: number | null;
}
