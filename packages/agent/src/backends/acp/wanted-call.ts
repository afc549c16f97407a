import type { ToolKind } from "@ralpher/contract";
import type { WantedCall } from "../../tools/judge.ts";

/** The protocol's kinds of tools. What is left out may do anything. `think` is what agents call their subagents. */
const kinds: Record<string, ToolKind> = {
  read: "read",
  edit: "edit",
  delete: "edit",
  move: "edit",
  search: "search",
  execute: "run",
  fetch: "web",
  think: "delegate",
};

/** What is known of a tool call. */
export interface KnownCall {
  name: string;
  kind: string | undefined;
  input: unknown;
  /** The files that the agent says it is about. */
  locations: readonly string[];
}

/** What a tool call wants. Paths are as the agent gives them: absolute, or relative to the session's directory. */
export function readWantedCall({ name, kind: called, input, locations }: KnownCall): WantedCall {
  const kind = kinds[called ?? ""] ?? null;
  const fields = typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {};
  switch (kind) {
    case "run":
      return { kind, name, command: textsOf(fields.command, fields.cmd)[0] };
    case "read":
    case "edit":
      return { kind, name, paths: [...locations, ...pathsIn(fields)] };
    case "search":
      return { kind, name, paths: [...locations, ...pathsIn(fields), ...patternsIn(name, fields)] };
    default:
      return { kind, name };
  }
}

/** May it be judged? A file that is not named may be any file. */
export function isComplete({ kind, paths = [] }: WantedCall): boolean {
  return (kind !== "read" && kind !== "edit") || paths.length > 0;
}

const pathsIn = ({ path, file_path, filePath, notebook_path, absolute_path }: Record<string, unknown>) =>
  textsOf(path, file_path, filePath, notebook_path, absolute_path);

// A pattern of files can be a path itself, and can lead upwards in more ways than a path can.
function patternsIn(name: string, { pattern }: Record<string, unknown>): string[] {
  if (!/glob/i.test(name)) return [];
  return textsOf(pattern).map((text) => (text.includes("..") ? ".." : text));
}

const textsOf = (...values: unknown[]) => values.filter((value) => typeof value === "string");
