import { randomBytes } from "node:crypto";
import type { SessionRequest, ToolAccess } from "@ralpher/contract";
import { toolsFor, unusableTools } from "../../programs/claude-code/tool-kinds.ts";
import { closedRules } from "../../programs/opencode/permission-rules.ts";
import { Unusable } from "../../unusable.ts";
import { retryMessages } from "./claude-message.ts";
import type { InitializeResult } from "./messages.ts";
import { allLogs } from "./opencode-log.ts";

/**
 * What some agents understand beyond the protocol, which has no words for it: to ask before each tool, and how often to
 * try again. Others take no notice of it. An agent that does neither cannot be held back, only found out afterwards.
 */

/** opencode's agent (it calls its modes so) that asks about what is allowed and denies all else. */
const narrowMode = "ralpher-allowlist";

/** The modes in which agents ask, as they call them; the first that an agent has is taken where there is an allowlist. */
export const carefulModes = [narrowMode, "default", "read-only", "manual", "approve", "ask"];

const isOpencode = ({ agentInfo }: InitializeResult) => agentInfo?.name === "OpenCode";

/** Why an agent that could be held back is not, in a sentence; null when it is, or never could be. */
export function lackingMode(about: InitializeResult, modes: readonly string[]): string | null {
  if (!isOpencode(about) || modes.includes(narrowMode)) return null;
  return "opencode did not take up the rules that hold it to what is allowed.";
}

/** opencode tells the tokens of a turn's last answer as those of the turn. */
export const countsLastAnswerOnly = isOpencode;

type Environment = Record<string, string | undefined>;

/**
 * What is added to an agent's environment.
 * @throws Unusable when the user's own settings there cannot be read, and so not be narrowed
 */
export function environmentFor(
  { tools, attempts }: Pick<SessionRequest, "tools" | "attempts">,
  env: Environment,
): Environment {
  return {
    ...allLogs,
    // The protocol has no words for a question to a human, and so it would wait for ever.
    OPENCODE_ENABLE_QUESTION_TOOL: "0",
    // opencode listens on a port of its own, and would let in everybody on this machine.
    OPENCODE_SERVER_PASSWORD: env.OPENCODE_SERVER_PASSWORD ?? randomBytes(24).toString("base64url"),
    ...(tools === undefined ? {} : { OPENCODE_CONFIG_CONTENT: narrowedConfig(tools, env.OPENCODE_CONFIG_CONTENT) }),
    ...(attempts === undefined
      ? {}
      : {
          CLAUDE_CODE_MAX_RETRIES: `${attempts - 1}`,
          // It would ask once more in another way, uncounted.
          CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: "1",
        }),
  };
}

/** What claude-agent-acp is told with each session. `spentUsd`: what the session has cost so far. */
export function sessionMeta({ tools, costLimitUsd }: SessionRequest, spentUsd: number) {
  const options = {
    // Nobody reads what the person might ask next.
    promptSuggestions: false,
    disallowedTools: unusableTools,
    ...(costLimitUsd === undefined ? {} : { maxBudgetUsd: Math.max(0, costLimitUsd - spentUsd) }),
    ...(tools === undefined ? {} : narrowedOptions(tools)),
  };
  return { claudeCode: { options, emitRawSDKMessages: retryMessages } };
}

/** Claude Code asks neither about reading nor about commands that it knows only read, unless it is told to. */
function narrowedOptions(access: ToolAccess) {
  const offered = toolsFor(access);
  return {
    tools: offered,
    strictMcpConfig: true,
    allowDangerouslySkipPermissions: false,
    settings: { permissions: { ask: offered } },
  };
}

function narrowedConfig(access: ToolAccess, own: string | undefined): string {
  const config = own === undefined ? {} : parseConfig(own);
  const rules = closedRules(access, []).map(({ permission, action }) => [permission, action]);
  // A subagent's questions do not get out of opencode when it speaks this protocol: it would wait for ever.
  const permission = { ...Object.fromEntries(rules), task: "deny" };
  return JSON.stringify({
    ...config,
    agent: { ...config.agent, [narrowMode]: { mode: "primary", permission } },
    // Else it stops working at the first refusal, for a person would then say what to do instead.
    experimental: { ...config.experimental, continue_loop_on_deny: true },
  });
}

function parseConfig(text: string): { agent?: object; experimental?: object } {
  const config = read(text);
  if (typeof config === "object" && config !== null) return config;
  const message = "OPENCODE_CONFIG_CONTENT is no JSON, so that opencode cannot be held to what is allowed.";
  throw new Unusable({ reason: "missing", message });
}

function read(text: string): unknown {
  try {
    return Bun.JSONC.parse(text);
  } catch {
    return null;
  }
}
