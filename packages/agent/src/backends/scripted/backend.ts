import type { AgentBackend, AgentSession } from "@ralpher/contract";
import { version } from "../../../package.json";
import type { Play } from "./play.ts";
import { createScriptPlayer } from "./play-script.ts";
import { createScriptedSession } from "./session.ts";

export interface ScriptedOptions {
  /** Plays the turns; the default plays the script file that a request's `backend.script` names. */
  play?: Play;
}

/**
 * An agent inside this process that plays a script: for tests, demos, and to measure everything around the agent. It
 * performs the tools `write`, `read` and `bash`; its model is the script.
 */
export function createScriptedBackend({ play = createScriptPlayer() }: ScriptedOptions = {}): AgentBackend {
  const sessions = new Set<AgentSession>();
  return {
    type: "scripted",
    capabilities: { modes: ["spawn"], models: false, structuredOutput: "native", cost: false, resume: false },
    environment: process.env,
    open(request) {
      const session = createScriptedSession(request, play, () => sessions.delete(session));
      sessions.add(session);
      return session;
    },
    // Its model is the script.
    models: () => Promise.resolve([]),
    health: () => Promise.resolve({ state: "ready", version }),
    async [Symbol.asyncDispose]() {
      await Promise.all([...sessions].map((session) => session[Symbol.asyncDispose]()));
    },
  };
}
