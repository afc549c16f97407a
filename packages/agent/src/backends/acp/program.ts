import { basename } from "node:path";
import type { BackendConfig } from "@ralpher/contract";
import { Unusable } from "../../unusable.ts";

/** An agent's command line, program first. */
export type CommandLine = readonly [string, ...string[]];

const defaultCommand: CommandLine = ["opencode", "acp"];

/** How to come by the agents that are known to speak the protocol. */
const hints: Record<string, string> = {
  opencode: 'Install it with "npm install -g opencode-ai" and run "opencode auth login".',
  "claude-agent-acp":
    'Install it with "npm install -g @agentclientprotocol/claude-agent-acp", and log in with Claude Code or set ANTHROPIC_API_KEY.',
  gemini: 'Install it with "npm install -g @google/gemini-cli", run "gemini" once to log in, and use "gemini --acp".',
  "codex-acp":
    'Install it with "npm install -g @agentclientprotocol/codex-acp", and log in with Codex or set OPENAI_API_KEY.',
};

/** The command line that is meant: the request's own, else `preferred`, else opencode's. */
export function commandOf(config: BackendConfig | undefined, preferred: readonly string[] | undefined): CommandLine {
  const [program, ...rest] = config?.command ?? preferred ?? defaultCommand;
  return program === undefined ? defaultCommand : [program, ...rest];
}

export function installHint([program]: CommandLine): string {
  const general = "Install it, or name another command line of an agent that speaks the Agent Client Protocol.";
  return hints[basename(program)] ?? general;
}

/**
 * The program's absolute path. A name is looked up on the environment's PATH.
 * @throws Unusable
 */
export function requireProgram(command: CommandLine, env: Record<string, string | undefined>): string {
  const path = Bun.which(command[0], { PATH: env.PATH ?? "" });
  if (path !== null) return path;
  throw new Unusable({ reason: "missing", message: `${command[0]} was not found. ${installHint(command)}` });
}
