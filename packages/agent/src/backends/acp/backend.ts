import type { AgentBackend, AgentSession } from "@ralpher/contract";
import { createModelList } from "../../model-list.ts";
import { createHealthMemory } from "../../programs/health-memory.ts";
import { checkAgent } from "./health.ts";
import { readModels } from "./models.ts";
import { commandOf, installHint } from "./program.ts";
import { type AcpOptions, createAcpSession } from "./session.ts";

/**
 * Any agent that speaks the Agent Client Protocol (version 1) on its standard input and output, such as `opencode acp`,
 * `claude-agent-acp`, `gemini --acp` or `codex-acp`. Each session has a process of its own.
 *
 * An agent is held to an allowlist by what we answer when it asks before a tool, and is put into the mode in which it asks
 * most. One that never asks cannot be held back: a turn in which a tool was run unasked that is not allowed ends with a
 * failure `protocol`.
 */
export function createAcpBackend(options: AcpOptions = {}): AgentBackend {
  const sessions = new Set<AgentSession>();
  const remember = createHealthMemory();
  return {
    type: "acp",
    capabilities: { modes: ["spawn"], models: true, structuredOutput: "prompt", cost: true, resume: true },
    environment: options.env ?? process.env,
    open(request) {
      const session = createAcpSession(request, options, () => sessions.delete(session));
      sessions.add(session);
      return session;
    },
    health: (config) => checkAgent(config, options, remember),
    models: createModelList({
      about: (config) => {
        const command = commandOf(config, options.command);
        return { agent: command.join(" "), install: installHint(command) };
      },
      ask: (request) => readModels(options, request),
    }),
    async [Symbol.asyncDispose]() {
      await Promise.all([...sessions].map((session) => session[Symbol.asyncDispose]()));
    },
  };
}
