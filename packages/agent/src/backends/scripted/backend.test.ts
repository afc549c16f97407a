import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentConformance } from "../../conformance.ts";
import { createScriptedBackend } from "./backend.ts";
import type { Play } from "./play.ts";
import { createScriptPlayer } from "./play-script.ts";

agentConformance("the scripted backend", async (script) => {
  const folder = await mkdtemp(join(tmpdir(), "ralpher-script-"));
  const file = join(folder, "script.json");
  await writeFile(file, JSON.stringify(script));
  const contextSizes = new Map<string, number[]>();
  const player = createScriptPlayer();
  const play: Play = (turn) => {
    const { sessionId, prompts } = turn;
    contextSizes.set(sessionId, [...(contextSizes.get(sessionId) ?? []), prompts.length]);
    return player(turn);
  };
  const backend = createScriptedBackend({ play });
  return {
    backend,
    request: { backend: { type: "scripted", mode: "spawn", script: file } },
    contextSizes: (sessionId) => contextSizes.get(sessionId) ?? [],
    async [Symbol.asyncDispose]() {
      await backend[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
});
