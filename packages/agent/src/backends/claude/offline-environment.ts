import { mkdir } from "node:fs/promises";
import { join } from "node:path";

export interface OfflineClaudeOptions {
  /** An empty folder that becomes Claude Code's home: absolute path. */
  home: string;
  /** Where the scripted model listens: no `/v1`, no slash at the end. */
  modelUrl: string;
}

/**
 * The whole environment in which the real Claude Code works without network and without the user's configuration. Any
 * model name reaches the scripted model, but `no-such-model`, which it denies; for names that Claude Code knows it tells
 * what they would cost. Needs PATH.
 */
export async function offlineClaudeEnvironment(options: OfflineClaudeOptions): Promise<Record<string, string>> {
  const { home, modelUrl } = options;
  const folders = { CLAUDE_CONFIG_DIR: join(home, ".claude"), TMPDIR: join(home, "tmp") };
  await Promise.all(Object.values(folders).map((folder) => mkdir(folder, { recursive: true })));
  return {
    PATH: process.env.PATH ?? "",
    HOME: home,
    ...folders,
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: "scripted",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: "1",
  };
}
