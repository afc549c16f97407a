import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentConformance, type Dialect } from "../../conformance.ts";
import { createScriptedBackend } from "./backend.ts";
import type { Play } from "./play.ts";
import { createScriptPlayer } from "./play-script.ts";

const dialect: Dialect = {
  write: (filePath, content) => ({ name: "write", input: { filePath, content } }),
  read: (filePath) => ({ name: "read", input: { filePath } }),
  run: (command) => ({ name: "bash", input: { command } }),
};

agentConformance("scripted", dialect, async (script) => {
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
    toolsOffered: () => null,
    async [Symbol.asyncDispose]() {
      await backend[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
});
