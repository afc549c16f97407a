import type { AgentBackend, AgentSession } from "@ralpher/contract";
import { createModelList } from "../../model-list.ts";
import { createHealthMemory } from "../../programs/health-memory.ts";
import { checkInstallation, installHint } from "./executable.ts";
import { readModels } from "./models.ts";
import { createServerPool } from "./server-pool.ts";
import { createOpencodeSession } from "./session.ts";

export interface OpencodeOptions {
  /** Path of opencode's program. Default: found on PATH. */
  command?: string;
  /** Environment of the server we start. Default: this process's, untouched. */
  env?: Record<string, string | undefined>;
  /** Path of the guard plugin, built; asked for when it is needed. Default: its source. */
  guardPlugin?: () => string;
  /** A server of ours that takes more memory than this is replaced between two turns: resident bytes. Default 1.5 GB. */
  memoryLimitBytes?: number;
  /** How long a server of ours stays at home in a directory after its last turn there, in ms. Default a minute. */
  directoryRestMs?: number;
}

/**
 * opencode as an agent. In `spawn` mode one server of our own serves all loops, and one more each environment that
 * sessions want: started at first use, anew after it ended or grew too large, and gone with this process. In `connect`
 * mode it uses servers that are there, with the password in the environment's OPENCODE_SERVER_PASSWORD.
 */
export function createOpencodeBackend(options: OpencodeOptions = {}): AgentBackend {
  const { command = "opencode", env = process.env, memoryLimitBytes = 1.5e9, directoryRestMs = 60_000 } = options;
  const installation = { command, env };
  const remember = createHealthMemory();
  const limits = { memoryBytes: memoryLimitBytes, restMs: directoryRestMs };
  const pool = createServerPool(installation, limits, options.guardPlugin);
  const sessions = new Map<AgentSession, string>();
  const isAlone = (directory: string) => [...sessions.values()].filter((other) => other === directory).length === 1;
  return {
    type: "opencode",
    capabilities: { modes: ["spawn", "connect"], models: true, structuredOutput: "native", cost: true, resume: true },
    environment: env,
    open(request) {
      const { directory } = request;
      const session = createOpencodeSession(
        request,
        pool.join(request),
        () => isAlone(directory),
        () => sessions.delete(session),
      );
      sessions.set(session, directory);
      return session;
    },
    health: () => checkInstallation(installation, remember),
    models: createModelList({
      about: () => ({ agent: "opencode", install: installHint }),
      ask: (request) => readModels(pool, request),
    }),
    async [Symbol.asyncDispose]() {
      await Promise.all([...sessions.keys()].map((session) => session[Symbol.asyncDispose]()));
      await pool[Symbol.asyncDispose]();
    },
  };
}
