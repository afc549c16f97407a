import type { AgentBackend, AgentSession } from "@ralpher/contract";
import { version } from "../../../package.json";
import type { Play } from "./play.ts";
import { createScriptPlayer } from "./play-script.ts";
import { createScriptedSession } from "./session.ts";

export interface ScriptedOptions {
  /** Plays the turns; the default plays the script file that a request's `backend.script` names. */
  play?: Play;
  /** Added to the environment of what it runs, which is our own. */
  env?: Readonly<Record<string, string>>;
}

/**
 * An agent inside this process that plays a script: for tests, demos, and to measure everything around the agent. It
 * performs the tools `write`, `read` and `bash`; its model is the script.
 */
export function createScriptedBackend(options: ScriptedOptions = {}): AgentBackend {
  const { play = createScriptPlayer(), env } = options;
  const playsAnyway = options.play !== undefined;
  const sessions = new Set<AgentSession>();
  return {
    type: "scripted",
    capabilities: { modes: ["spawn"], models: false, structuredOutput: "native", cost: false, resume: false },
    environment: { ...process.env, ...env },
    open(request) {
      const within = { ...request, env: { ...env, ...request.env } };
      const session = createScriptedSession(within, play, () => sessions.delete(session));
      sessions.add(session);
      return session;
    },
    // Its model is the script.
    models: () => Promise.resolve([]),
    async health(config) {
      const path = config?.script;
      if (config === undefined || playsAnyway) return { state: "ready", version };
      if (path !== undefined && (await Bun.file(path).exists())) return { state: "ready", version };
      const detail = path === undefined ? "It has no script to play" : `There is no script ${path}`;
      return { state: "broken", detail, install: "Name the script it plays: its absolute path" };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...sessions].map((session) => session[Symbol.asyncDispose]()));
    },
  };
}
