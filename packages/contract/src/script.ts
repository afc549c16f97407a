import { z } from "zod";

/** A tool call the scripted model makes: the tool's name as the agent knows it, and its input. */
export const ScriptedTool = z.strictObject({
  name: z.string().min(1),
  input: z.record(z.string(), z.unknown()).default({}),
  /** Send these raw characters as the arguments instead of the input, for malformed ones. */
  rawInput: z.string().optional(),
});
export type ScriptedTool = z.infer<typeof ScriptedTool>;

/** Something that goes wrong instead of, or in the middle of, an answer. */
export const ScriptedFault = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("status"),
    /** HTTP status, e.g. 401, 403, 429, 500, 529. */
    status: z.int().min(400).max(599),
    message: z.string().optional(),
    retryAfterSeconds: z.number().nonnegative().optional(),
    /** Answer normally after so many faulty answers to the same conversation; absent means always faulty. */
    times: z.int().positive().optional(),
  }),
  /** Say nothing more after the text of the step, and keep the connection open. */
  z.strictObject({ kind: z.literal("stall") }),
  /** Close the connection in the middle of the step's text. */
  z.strictObject({ kind: z.literal("cut") }),
  /** The prompt is longer than the model's context. */
  z.strictObject({ kind: z.literal("overflow") }),
]);
export type ScriptedFault = z.infer<typeof ScriptedFault>;

/** One answer of the model: text, then tool calls or a structured answer. */
export const ScriptStep = z.strictObject({
  text: z.string().optional(),
  /** Repeat the text so many times, each a delta of its own. */
  repeat: z.int().positive().max(100_000).default(1),
  reasoning: z.string().optional(),
  tools: z.array(ScriptedTool).default([]),
  /** Answer through the structured-output tool with this value. */
  structured: z.unknown().optional(),
  /** Wait before the first byte. */
  delayMs: z.int().nonnegative().default(0),
  /** Wait between two deltas. */
  deltaDelayMs: z.int().nonnegative().default(0),
  fault: ScriptedFault.optional(),
});
export type ScriptStep = z.infer<typeof ScriptStep>;

/** The steps for the prompts it matches. Past the last one the model says that the script is over. */
export const ScriptedConversation = z.strictObject({
  /** Text the prompt must contain; absent matches every prompt. The first conversation that matches plays. */
  when: z.string().optional(),
  steps: z.array(ScriptStep).min(1),
});
export type ScriptedConversation = z.infer<typeof ScriptedConversation>;

/** A script for the scripted model, and for the in-process `scripted` backend. */
export const Script = z.strictObject({
  /** Token counts each answer reports. */
  usage: z
    .strictObject({ inputTokens: z.int().nonnegative().default(100), outputTokens: z.int().nonnegative().default(20) })
    .prefault({}),
  conversations: z.array(ScriptedConversation).min(1),
});
export type Script = z.infer<typeof Script>;

/** The conversation a prompt belongs to, or null. */
export function matchConversation(script: Script, prompt: string): ScriptedConversation | null {
  return script.conversations.find((c) => c.when === undefined || prompt.includes(c.when)) ?? null;
}
