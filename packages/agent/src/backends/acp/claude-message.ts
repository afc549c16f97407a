import { z } from "zod";
import { reasonOfProvider } from "./failure.ts";
import type { Sign } from "./sign.ts";

/** The messages of Claude Code that claude-agent-acp is asked to pass on as they are. */
export const retryMessages = [{ type: "system", subtype: "api_retry" }];

const Retry = z.object({
  sessionId: z.string(),
  message: z.looseObject({
    type: z.literal("system"),
    subtype: z.literal("api_retry"),
    attempt: z.number(),
    retry_delay_ms: z.number().nonnegative(),
    /** Null: the provider did not answer. */
    error_status: z.number().nullable(),
    error: z.string(),
  }),
});

/** What a notification beside the protocol says of a session; nothing for any but those of claude-agent-acp. */
export function readClaudeMessage(sessionId: string, method: string, params: unknown): Sign[] {
  if (method !== "_claude/sdkMessage") return [];
  const { data } = Retry.safeParse(params);
  if (data === undefined || data.sessionId !== sessionId) return [];
  const { attempt, retry_delay_ms, error_status, error } = data.message;
  const said = error_status === null ? "could not be reached, or hung up" : `answered with status ${error_status}`;
  const failure = {
    reason: reasonOfProvider(error, error_status),
    message: `The model's provider ${said} (${error}).`,
    retryAfterMs: Math.round(retry_delay_ms),
  };
  return attempt === 1 ? [{ kind: "answer" }, { kind: "retry", failure }] : [{ kind: "retry", failure }];
}
