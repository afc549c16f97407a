import { z } from "zod";

/**
 * What agents send, as far as it is used here. Agents differ in how closely they keep to the protocol, so a field that is
 * not as it should be counts as absent.
 */
const text = z.string().optional().catch(undefined);

export const InitializeResult = z.looseObject({
  protocolVersion: z.number(),
  agentInfo: z.object({ name: z.string(), version: z.string() }).optional().catch(undefined),
  agentCapabilities: z
    .looseObject({
      loadSession: z.boolean().optional().catch(undefined),
      sessionCapabilities: z.looseObject({ resume: z.unknown().optional() }).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});
export type InitializeResult = z.infer<typeof InitializeResult>;

const Choice = z.looseObject({ value: z.string() });
const ConfigOption = z.looseObject({
  id: z.string(),
  category: text,
  currentValue: z.unknown().optional(),
  /** Plain values, or groups of them. */
  options: z
    .array(
      z.union([
        Choice.transform((one) => [one]),
        z.looseObject({ options: z.array(Choice) }).transform((group) => group.options),
      ]),
    )
    .transform((groups) => groups.flat().map(({ value }) => value))
    .optional()
    .catch(undefined),
});

/** What a session can be set to: what `session/new`, `session/resume` and `session/load` answer. */
export const SessionState = z
  .looseObject({
    sessionId: text,
    modes: z
      .looseObject({ currentModeId: z.string(), availableModes: z.array(z.looseObject({ id: z.string() })) })
      .optional()
      .catch(undefined),
    configOptions: z.array(ConfigOption).optional().catch(undefined),
    /** How agents told of their models before there were options. */
    models: z
      .looseObject({ currentModelId: z.string(), availableModels: z.array(z.looseObject({ modelId: z.string() })) })
      .optional()
      .catch(undefined),
  })
  .nullish()
  .transform((state) => state ?? {});
export type SessionState = z.infer<typeof SessionState>;

const count = z.number().nonnegative().optional().catch(undefined);

export const PromptResult = z.looseObject({
  stopReason: z.string(),
  usage: z
    .looseObject({
      inputTokens: z.number().nonnegative(),
      outputTokens: z.number().nonnegative(),
      thoughtTokens: count,
      cachedReadTokens: count,
      cachedWriteTokens: count,
    })
    .optional()
    .catch(undefined),
});
export type PromptResult = z.infer<typeof PromptResult>;

/** What is said of a tool call; each report holds only what is new. */
export const ToolReport = z.looseObject({
  toolCallId: z.string(),
  title: text,
  name: text,
  kind: text,
  status: text,
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
  content: z.array(z.unknown()).optional().catch(undefined),
  locations: z
    .array(z.looseObject({ path: z.string() }))
    .optional()
    .catch(undefined),
  _meta: z
    .looseObject({
      claudeCode: z.looseObject({ toolName: text, toolResponse: z.unknown().optional() }).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});
export type ToolReport = z.infer<typeof ToolReport>;

export const PermissionRequest = z.looseObject({
  sessionId: z.string(),
  toolCall: ToolReport,
  options: z.array(z.looseObject({ optionId: z.string(), kind: text })),
});
export type PermissionRequest = z.infer<typeof PermissionRequest>;

export const WriteRequest = z.looseObject({ sessionId: z.string(), path: z.string(), content: z.string() });
export type WriteRequest = z.infer<typeof WriteRequest>;
