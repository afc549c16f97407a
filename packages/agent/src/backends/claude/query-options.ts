import type { CanUseTool, HookCallback, Options } from "@anthropic-ai/claude-agent-sdk";
import type { JsonSchema, SessionRequest, ToolAccess } from "@ralpher/contract";
import { readWantedCall, structuredTool, toolsFor, unusableTools } from "../../programs/claude-code/tool-kinds.ts";
import { refusalOf } from "../../tools/judge.ts";
import { toDraft7 } from "./draft-7.ts";

/** What one process of a session is started for. */
export interface Purpose {
  request: SessionRequest;
  /** The form that answers are wanted in. It belongs to the process. */
  output: JsonSchema | undefined;
  /** What may still be spent, in US dollars; absent: there is no limit. */
  budgetUsd?: number | undefined;
}

/** Claude Code as the user has set it up, in a session where nobody is there to ask. */
export function createQueryOptions(purpose: Purpose, env: Record<string, string | undefined>): Options {
  const { request, output, budgetUsd } = purpose;
  const { directory, model, title, tools } = request;
  return {
    cwd: directory,
    env: { ...env, ...request.env, ...ownEnvironment(request) },
    title,
    includePartialMessages: true,
    // As the user's own `claude`. The SDK's default is an almost empty system prompt.
    systemPrompt: { type: "preset", preset: "claude_code" },
    settingSources: ["user", "project", "local"],
    disallowedTools: unusableTools,
    canUseTool: grant(request),
    ...(model === undefined ? {} : { model: model.modelID }),
    ...(budgetUsd === undefined ? {} : { maxBudgetUsd: budgetUsd }),
    ...(output === undefined ? {} : { outputFormat: { type: "json_schema" as const, schema: toDraft7(output) } }),
    // Without an allowlist the mode is the user's own, which may deny more than the usual one.
    ...(tools === undefined ? {} : narrowed(tools)),
    hooks: {
      ...(tools === undefined ? {} : { PreToolUse: [{ hooks: [refuse(request)], onFailure: "block" as const }] }),
      ...(output === undefined ? {} : { Stop: [{ hooks: [stopAtOnce] }] }),
    },
  };
}

function narrowed(tools: ToolAccess): Options {
  return {
    permissionMode: "default",
    tools: toolsFor(tools),
    strictMcpConfig: true,
    // Else `@path` in a prompt reads that file, and `/command` runs what it is made of, without asking anybody.
    verbatimPrompts: true,
  };
}

function ownEnvironment({ attempts }: SessionRequest): Record<string, string> {
  return {
    // Else an answer may be followed by another that nobody asked for.
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
    // A structured answer in the wrong form ends the turn. 0 would end it at its first tool call, whichever that is.
    MAX_STRUCTURED_OUTPUT_RETRIES: "1",
    // Why it does not start is told as a result, with a name for the reason.
    CLAUDE_CODE_STARTUP_FAILURE_RESULTS: "1",
    ...(attempts === undefined
      ? {}
      : {
          CLAUDE_CODE_MAX_RETRIES: String(attempts - 1),
          // Asking once more, without a stream, is asking once more.
          CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: "1",
        }),
  };
}

/**
 * What the user's rules would ask a person about is granted, and what they deny never comes here. So is the end of a plan,
 * for users whose sessions begin with one.
 */
function grant(request: SessionRequest): CanUseTool {
  return async (name, input) => {
    const refusal = judge(request, name, input);
    return refusal === null ? { behavior: "allow", updatedInput: input } : { behavior: "deny", message: refusal };
  };
}

/** Comes before the user's rules, and so holds where they allow more; in subagents too. */
function refuse(request: SessionRequest): HookCallback {
  return async (call) => {
    if (call.hook_event_name !== "PreToolUse") return {};
    const refusal = judge(request, call.tool_name, call.tool_input as Record<string, unknown>);
    if (refusal === null) return {};
    return {
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: refusal,
      },
    };
  };
}

function judge({ tools, directory }: SessionRequest, name: string, input: Record<string, unknown>): string | null {
  return name === structuredTool ? null : refusalOf(tools, directory, readWantedCall(name, input));
}

/**
 * An agent that only talks where a structured answer is wanted would be told to give one. The user's own hooks at the end
 * of a turn run, but cannot keep it going then.
 */
const stopAtOnce: HookCallback = async () => ({ continue: false });
