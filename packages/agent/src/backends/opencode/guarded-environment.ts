import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

type Environment = Record<string, string | undefined>;

const source = fileURLToPath(import.meta.resolve("./guard-plugin.ts"));

/**
 * The environment of a server whose sessions have allowlists, with the plugin that holds them to these. opencode merges
 * the configuration in OPENCODE_CONFIG_CONTENT with all others, and lists of plugins add up. A text there that we cannot
 * read stays as it is, for opencode to complain about. `plugin`: path of the built plugin, where its source cannot be
 * loaded from.
 */
export function guardedEnvironment(env: Environment, plugin: string = source): Environment {
  if (!isSettled(env)) return env;
  const { OPENCODE_CONFIG_CONTENT: text = "{}" } = env;
  try {
    const { plugin: others = [], ...config } = Bun.JSONC.parse(text) as { plugin?: unknown[] };
    return {
      ...env,
      OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...config, plugin: [...others, pathToFileURL(plugin).href] }),
    };
  } catch {
    return env;
  }
}

/**
 * Has opencode fetched what it fetches for plugins? It does so by itself in the background; with a plugin it waits for
 * that in each directory, over a minute where npm's registry is out of reach. Then our own answers to its questions have
 * to do, see `Gatekeeper`.
 */
function isSettled({ HOME = homedir(), XDG_CONFIG_HOME = join(HOME, ".config") }: Environment): boolean {
  return existsSync(join(XDG_CONFIG_HOME, "opencode", "node_modules"));
}
