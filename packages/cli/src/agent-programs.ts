import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { agentSource } from "@ralpher/contract";
import { embedded } from "./embedded.ts";
import { notesVariable } from "./trc/agents-notes.ts";

type Environment = Record<string, string | undefined>;

/**
 * An environment in which agents find `trc`: a launcher of this very program, in a folder of the data root of its own,
 * first on PATH, so that an agent's `trc` is never another version than ours, and nothing else of ours is offered to it.
 */
export function withTrc(env: Environment, dataDir: string): Environment & ForTrc {
  return { ...env, ...forTrc(env, dataDir) };
}

type ForTrc = Record<"PATH" | "TRACE_SOURCE" | typeof notesVariable, string>;

/** What such an environment has that others have not. */
export function forTrc(env: Environment, dataDir: string): ForTrc {
  const folder = join(dataDir, "programs", "bin");
  putLauncher(join(folder, "trc"));
  // One environment for all agents: those that are servers are shared by it.
  return {
    TRACE_SOURCE: env.TRACE_SOURCE ?? agentSource,
    [notesVariable]: agentsNotes(dataDir),
    PATH: [folder, env.PATH ?? ""].filter((path) => path !== "").join(delimiter),
  };
}

/** Where agents' trc notes what it changed. */
export const agentsNotes = (dataDir: string) => join(dataDir, "agents-notes.jsonl");

function putLauncher(path: string): void {
  const call = embedded === null ? [process.execPath, join(import.meta.dir, "trc.ts")] : [process.execPath, "trc"];
  const text = `#!/bin/sh\nexec ${call.map(quoted).join(" ")} "$@"\n`;
  if (textOf(path) === text) return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const aside = `${path}.${process.pid}`;
  writeFileSync(aside, text);
  chmodSync(aside, 0o755);
  renameSync(aside, path);
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/** As one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
