import { resolve } from "node:path";
import type { PermissionRequest } from "@opencode-ai/sdk/v2/client";
import { kindOfPermission } from "../../programs/opencode/tool-kinds.ts";
import type { WantedCall } from "../../tools/judge.ts";

/**
 * What a tool wants that opencode asks about. `root` is what opencode's patterns of files are relative to: the top of
 * the work tree that the session's directory is in, or `/`.
 */
export function readWantedCall(
  { permission, patterns, metadata }: Pick<PermissionRequest, "permission" | "patterns" | "metadata">,
  root: string,
): WantedCall {
  const kind = kindOfPermission[permission] ?? null;
  // What an MCP server has to read is no file, though it goes by the same permission.
  if (kind === null || typeof metadata.server === "string") return { kind: null, name: permission };
  switch (kind) {
    case "run":
      return { kind, name: permission, ...(typeof metadata.command === "string" && { command: metadata.command }) };
    case "read":
    case "edit":
      return {
        kind,
        name: permission,
        paths: [...patterns.map((path) => resolve(root, path)), ...targetsOf(metadata)],
      };
    case "search":
      return { kind, name: permission, paths: textsOf(metadata.path, metadata.filePath) };
    default:
      return { kind, name: permission };
  }
}

/** Where a patch moves files to. */
function targetsOf({ files }: PermissionRequest["metadata"]): string[] {
  if (!Array.isArray(files)) return [];
  return files.flatMap((file: { movePath?: unknown } | null) => textsOf(file?.movePath));
}

const textsOf = (...values: unknown[]) => values.filter((value) => typeof value === "string");
