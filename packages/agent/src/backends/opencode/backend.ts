import type { AgentBackend, AgentSession } from "@ralpher/contract";
import { checkInstallation } from "./executable.ts";
import { createServerPool } from "./server-pool.ts";
import { createOpencodeSession } from "./session.ts";

export interface OpencodeOptions {
  /** Path of opencode's program. Default: found on PATH. */
  command?: string;
  /** Environment of the server we start. Default: this process's, untouched. */
  env?: Record<string, string | undefined>;
}

/**
 * opencode as an agent. In `spawn` mode one server of our own serves all loops: started at first use, anew after it
 * ended, and gone with this process. In `connect` mode it uses servers that are there, with the password in the
 * environment's OPENCODE_SERVER_PASSWORD.
 */
export function createOpencodeBackend({ command = "opencode", env = process.env }: OpencodeOptions = {}): AgentBackend {
  const installation = { command, env };
  const pool = createServerPool(installation);
  const sessions = new Map<AgentSession, string>();
  const isAlone = (directory: string) => [...sessions.values()].filter((other) => other === directory).length === 1;
  return {
    type: "opencode",
    capabilities: { modes: ["spawn", "connect"], models: true, structuredOutput: "native", cost: true, resume: true },
    open(request) {
      const { backend, directory } = request;
      const session = createOpencodeSession(
        request,
        () => pool.require(backend),
        () => isAlone(directory),
        () => sessions.delete(session),
      );
      sessions.set(session, directory);
      return session;
    },
    health: () => checkInstallation(installation),
    async [Symbol.asyncDispose]() {
      await Promise.all([...sessions.keys()].map((session) => session[Symbol.asyncDispose]()));
      await pool[Symbol.asyncDispose]();
    },
  };
}
