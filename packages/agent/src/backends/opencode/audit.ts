import type { SessionRequest, ToolCall, TurnFailure } from "@ralpher/contract";
import { refusalOf } from "../../tools/judge.ts";
import { readToolCall } from "./tool-call.ts";

/**
 * What a turn must fail with for a tool call that was done, or null. What is not allowed is refused before it is done,
 * but where a server has no guard of ours, some of it may slip through opencode's own rules.
 */
export function auditCall(
  { tools, directory }: Pick<SessionRequest, "tools" | "directory">,
  { name, input, status }: ToolCall,
): TurnFailure | null {
  if (status === "error") return null;
  const refusal = refusalOf(tools, directory, readToolCall(name, input));
  if (refusal === null) return null;
  return { reason: "protocol", message: `opencode has let the agent do what it may not. ${refusal}` };
}
