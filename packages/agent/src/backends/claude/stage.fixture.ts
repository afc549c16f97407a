/** The real Claude Code, a scripted model, and folders to work in: what the tests of this backend share. */
import { mkdtemp, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Script } from "@ralpher/contract";
import { openModelServer } from "@ralpher/model";
import { createStage, type Stage } from "../../stage.fixture.ts";
import { createClaudeBackend } from "./backend.ts";
import { offlineClaudeEnvironment } from "./offline-environment.ts";

export { type Heard, hear, type Stage } from "../../stage.fixture.ts";

export interface StageOptions {
  conversations: unknown[];
  /** The user's settings. */
  settings?: Record<string, unknown>;
  /** Added to Claude Code's environment. */
  env?: Record<string, string>;
}

/** Must be closed. */
export async function openStage({ conversations, settings = {}, env: added = {} }: StageOptions): Promise<Stage> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "ralpher-claude-")));
  const model = openModelServer({ script: Script.parse({ conversations }) });
  const env = { ...(await offlineClaudeEnvironment({ home: join(root, "home"), modelUrl: model.url })), ...added };
  await writeFile(join(env.CLAUDE_CONFIG_DIR ?? root, "settings.json"), JSON.stringify(settings));
  const backend = createClaudeBackend({ env });
  const defaults = {
    backend: { type: "claude", mode: "spawn" },
    model: { providerID: "anthropic", modelID: "claude-sonnet-4-5" },
  } as const;
  return createStage({ backend, model, env, root, defaults });
}
