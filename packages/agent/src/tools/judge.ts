import { realpathSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import type { ToolAccess, ToolKind } from "@ralpher/contract";
import { isAllowedCommand } from "./command-line.ts";

/** A tool call an agent wants to make, in our words. */
export interface WantedCall {
  /** Null: a tool of which we do not know what it does. */
  kind: ToolKind | null;
  /** The tool's name, for people. */
  name: string;
  /** The command line, for `run`. */
  command?: string | undefined;
  /** The files and folders it names: absolute, or relative to the directory. */
  paths?: readonly string[] | undefined;
}

/**
 * Why a call is refused, in a sentence for the model, or null when it is allowed. Without rules everything is; with
 * rules only what they name, and only inside the directory.
 */
export function refusalOf(access: ToolAccess | undefined, directory: string, wanted: WantedCall): string | null {
  if (access === undefined) return null;
  const { kind, name, command, paths = [] } = wanted;
  const control =
    kind === "edit" && !access.kinds.includes("run") ? paths.find((path) => isControl(directory, path)) : undefined;
  if (control !== undefined) return `${control} decides what programs run, and you may not run any.`;
  const outside = paths.find((path) => !isInside(directory, path));
  if (outside !== undefined) return `${outside} is outside ${directory}, where you may not go.`;
  if (kind !== null && access.kinds.includes(kind)) return null;
  if (kind !== "run" || access.commands.length === 0) return `You may not use ${name} here.`;
  if (command !== undefined && isAllowedCommand(access.commands, command)) return null;
  return `You may run only: ${access.commands.join(", ")}; plain arguments with relative paths may follow.`;
}

// Whoever may write these has commands run by git, or by the agent itself.
const controlNames =
  /^(\.git|\.claude|\.mcp\.json|\.opencode|opencode\.jsonc?|\.codex|\.gemini|\.cursor|\.vscode|\.idea|\.husky|\.envrc)$/i;

function isControl(directory: string, path: string): boolean {
  const place = real(resolve(directory, path));
  const inside = place.startsWith(real(directory)) ? place.slice(real(directory).length) : place;
  return inside.split(sep).some((name) => controlNames.test(name));
}

function isInside(directory: string, path: string): boolean {
  const root = real(directory);
  const place = real(resolve(directory, path));
  return place === root || place.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** The path without symbolic links, as far as it exists. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : real(parent) + path.slice(parent.endsWith(sep) ? parent.length - 1 : parent.length);
  }
}
