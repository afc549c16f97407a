import type { AgentBackend, AgentSession } from "@ralpher/contract";
import { createModelList } from "../../model-list.ts";
import { createHealthMemory } from "../../programs/health-memory.ts";
import { checkInstallation, installHint } from "./executable.ts";
import { readModels } from "./models.ts";
import { createClaudeSession } from "./session.ts";

export interface ClaudeOptions {
  /** Path or name of Claude Code's program. Default: the one that comes with the Agent SDK, else `claude` on PATH. */
  command?: string;
  /** Environment of the processes we start. Default: this process's, untouched. */
  env?: Record<string, string | undefined>;
}

/**
 * Claude Code as an agent, with the user's own settings and rules. A session has a process of its own, from its first turn
 * on; one that wants its answers in another form, or whose process has died, goes on in a new one.
 */
export function createClaudeBackend({ command, env = process.env }: ClaudeOptions = {}): AgentBackend {
  const installation = { command, env };
  const remember = createHealthMemory();
  const sessions = new Set<AgentSession>();
  return {
    type: "claude",
    capabilities: { modes: ["spawn"], models: true, structuredOutput: "native", cost: true, resume: true },
    environment: env,
    open(request) {
      const session = createClaudeSession(request, installation, () => sessions.delete(session));
      sessions.add(session);
      return session;
    },
    health: () => checkInstallation(installation, remember),
    models: createModelList({
      about: () => ({ agent: "Claude Code", install: installHint }),
      ask: (request) => readModels(installation, request),
    }),
    async [Symbol.asyncDispose]() {
      await Promise.all([...sessions].map((session) => session[Symbol.asyncDispose]()));
    },
  };
}
