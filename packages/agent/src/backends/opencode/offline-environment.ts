import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface OfflineOptions {
  /** An empty folder that becomes opencode's home: absolute path. */
  home: string;
  /** Where the scripted model listens: no `/v1`, no slash at the end. */
  modelUrl: string;
  /** The wire format to talk to it in. Default `openai`. */
  provider?: "openai" | "anthropic";
}

const packages = { openai: "@ai-sdk/openai-compatible", anthropic: "@ai-sdk/anthropic" };

// With these two in a configuration folder opencode does not fetch its plugin package for it.
const lockfile = { lockfileVersion: 3, packages: { "": { dependencies: { "@opencode-ai/plugin": "*" } } } };

/**
 * The whole environment in which the real opencode works without network and without the user's configuration. Its only
 * provider is `scripted`, with the model `scripted/model`, and `scripted/no-such-model` that the provider denies. Needs
 * PATH; searches need ripgrep on it.
 */
export async function offlineOpencodeEnvironment(options: OfflineOptions): Promise<Record<string, string>> {
  const { home, modelUrl, provider = "openai" } = options;
  const folders = {
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local", "share"),
    XDG_STATE_HOME: join(home, ".local", "state"),
    XDG_CACHE_HOME: join(home, ".cache"),
    TMPDIR: join(home, "tmp"),
  };
  await Promise.all(Object.values(folders).map((folder) => mkdir(folder, { recursive: true })));
  await Promise.all([join(folders.XDG_CONFIG_HOME, "opencode"), join(home, ".opencode")].map(seed));
  return {
    PATH: await pathWithRipgrep(home),
    HOME: home,
    ...folders,
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    OPENCODE_DISABLE_SHARE: "1",
    OPENCODE_CONFIG_CONTENT: JSON.stringify(configuration(modelUrl, packages[provider])),
  };
}

async function seed(folder: string): Promise<void> {
  await mkdir(join(folder, "node_modules"), { recursive: true });
  await writeFile(join(folder, "package-lock.json"), JSON.stringify(lockfile));
}

/** opencode downloads ripgrep when a tool needs it and it is not on PATH; a search that fails is better than that. */
async function pathWithRipgrep(home: string): Promise<string> {
  const path = process.env.PATH ?? "";
  if (Bun.which("rg", { PATH: path }) !== null) return path;
  const folder = join(home, "bin");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "rg"), "#!/bin/sh\necho 'ripgrep (rg) is not installed' >&2\nexit 127\n", {
    mode: 0o755,
  });
  return `${path}:${folder}`;
}

function configuration(modelUrl: string, npm: string) {
  const model = { tool_call: true, reasoning: true, limit: { context: 200_000, output: 32_000 } };
  return {
    autoupdate: false,
    share: "disabled",
    // Snapshots triple the time of a warm prompt.
    snapshot: false,
    model: "scripted/model",
    small_model: "scripted/model",
    provider: {
      scripted: {
        npm,
        name: "Scripted model",
        options: { baseURL: `${modelUrl}/v1`, apiKey: "scripted" },
        models: { model: { name: "Scripted model", ...model }, "no-such-model": { name: "No such model", ...model } },
      },
    },
  };
}
