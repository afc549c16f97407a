import { z } from "zod";
import { BackendType, ModelRef } from "./agent.ts";

/** What a backend can do, for choosing. docs/agents.md has what each was seen to do. */
export const BackendCapabilities = z.object({
  modes: z.array(z.enum(["spawn", "connect"])),
  /** A loop can choose the model. */
  models: z.boolean(),
  /** How a structured answer comes about: by the agent's own means, or by asking for it in the prompt. */
  structuredOutput: z.enum(["native", "prompt"]),
  /** It tells what the turns cost, in money. */
  cost: z.boolean(),
  /** A session outlives the process that holds it. */
  resume: z.boolean(),
});
export type BackendCapabilities = z.infer<typeof BackendCapabilities>;

/** Is the agent there? For `ralpher doctor` and the create form. */
export const BackendHealth = z.discriminatedUnion("state", [
  z.object({ state: z.literal("ready"), version: z.string(), path: z.string().optional() }),
  z.object({ state: z.enum(["missing", "unsupported", "broken"]), detail: z.string(), install: z.string() }),
]);
export type BackendHealth = z.infer<typeof BackendHealth>;

/** A model that a backend offers. */
export const ModelInfo = z.object({
  model: ModelRef,
  /** As people read it. */
  name: z.string(),
  /** What the agent takes when none is named. */
  isDefault: z.boolean(),
});
export type ModelInfo = z.infer<typeof ModelInfo>;

export const BackendReport = z.object({
  type: BackendType,
  capabilities: BackendCapabilities,
  health: BackendHealth,
});
export type BackendReport = z.infer<typeof BackendReport>;
